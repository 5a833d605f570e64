// SPDX-License-Identifier: BSD-3-Clause
// Operations of gather.h on eight lanes, with NEON. Part of kernel.c.

#include <arm_neon.h>
#ifdef __linux__
#include <sys/auxv.h>
#ifndef HWCAP_ASIMDDP
#define HWCAP_ASIMDDP (1 << 20)
#endif
#endif

#define HELPER static inline __attribute__((always_inline))

typedef float f8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32)));
typedef union {
    f8 f;
    i8 i;
    float32x4_t quad[2];
    int32x4_t sums[2];
} both8;

#define EACH(expression) \
    for (int h = 0; h < 2; h++) expression

HELPER f8 all8(float v) { return (f8){v, v, v, v, v, v, v, v}; }

HELPER f8 lesser8(f8 a, f8 b)
{
    both8 x = {a}, y = {b};
    EACH(x.quad[h] = vminq_f32(x.quad[h], y.quad[h]));
    return x.f;
}

HELPER f8 greater8(f8 a, f8 b)
{
    both8 x = {a}, y = {b};
    EACH(x.quad[h] = vmaxq_f32(x.quad[h], y.quad[h]));
    return x.f;
}

HELPER f8 root8(f8 v)
{
    both8 x = {v};
    EACH(x.quad[h] = vsqrtq_f32(x.quad[h]));
    return x.f;
}

// fixed8 rounds to the nearest, half to even, within 16 bits.
HELPER i8 fixed8(f8 v)
{
    both8 x = {lesser8(greater8(v, all8(-32767)), all8(32767))};
    EACH(x.sums[h] = vcvtnq_s32_f32(x.quad[h]));
    return x.i;
}

HELPER void narrow8(i8 v, int16_t *out)
{
    const both8 x = {.i = v};
    EACH(vst1_s16(out + 4 * h, vqmovn_s32(x.sums[h])));
}

// pairs8 packs numbers of a and b into pairs, limited to 16 bits each.
HELPER i8 pairs8(i8 a, i8 b)
{
    both8 x = {.i = a}, y = {.i = b};
    for (int h = 0; h < 2; h++) {
        const int16x4_t least = vdup_n_s16(-32767), first = vmax_s16(vqmovn_s32(x.sums[h]), least);
        const int16x4x2_t pairs = vzip_s16(first, vmax_s16(vqmovn_s32(y.sums[h]), least));
        x.sums[h] = vreinterpretq_s32_s16(vcombine_s16(pairs.val[0], pairs.val[1]));
    }
    return x.i;
}

// products8 returns the sums of the products of pairs.
HELPER i8 products8(i8 a, i8 b)
{
    const i8 low = (a << 16 >> 16) * (b << 16 >> 16), high = (a >> 16) * (b >> 16);
    return low + high;
}

// transposed8 loads four numbers at eight addresses and returns the last three, transposed.
HELPER void transposed8(const int32_t *const *row, i8 *out)
{
    for (int q = 0; q < 8; q++)
        for (int a = 0; a < 3; a++) out[a][q] = row[q][a + 1];
}

// normals8 has three numbers of 16 bits for eight points.
typedef struct {
    i8 v[3];
} normals8;

HELPER normals8 load_normals8(const int16_t *const *row)
{
    normals8 n;
    for (int q = 0; q < 8; q++)
        for (int a = 0; a < 3; a++) n.v[a][q] = row[q][a];
    return n;
}

// dots8 returns the absolute values of the dot products of normals.
HELPER i8 dots8(normals8 a, normals8 b)
{
    both8 x = {.i = a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2]};
    EACH(x.sums[h] = vabsq_s32(x.sums[h]));
    return x.i;
}
