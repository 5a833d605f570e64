// SPDX-License-Identifier: BSD-3-Clause
// The kernels of ARM processors: NEON, and NEON with the dotprod instructions. Part of kernel.c.

#define SETN(p) vdupq_n_s32(load32(p))
#define LOADN(p) vld1q_s32((const int32_t *)(p))

static inline int16x8_t narrow(int32x4_t a, int32x4_t b) { return vcombine_s16(vqmovn_s32(a), vqmovn_s32(b)); }

static inline void highn(const int16_t *p, int32x4_t *sum)
{
    for (int h = 0; h < 4; h++) sum[h] = vshlq_n_s32(vmovl_s16(vld1_s16(p + 4 * h)), 16);
}

static inline void store7(uint8_t *out, uint8_t *next, const int32x4_t *v, const int32x4_t *other)
{
    uint8x16_t bytes = vcombine_u8(vqmovun_s16(narrow(v[0], v[1])), vqmovun_s16(narrow(v[2], v[3])));
    vst1q_u8(out, vminq_u8(bytes, vdupq_n_u8(127)));
    bytes = vcombine_u8(vqmovun_s16(narrow(other[0], other[1])), vqmovun_s16(narrow(other[2], other[3])));
    vst1q_u8(next, vminq_u8(bytes, vdupq_n_u8(127)));
}

static inline void store12(int16_t *out, const int32x4_t *v)
{
    for (int h = 0; h < 2; h++) {
        const int16x8_t words = vmaxq_s16(narrow(v[2 * h], v[2 * h + 1]), vdupq_n_s16(0));
        vst1q_s16(out + 8 * h, vminq_s16(words, vdupq_n_s16(4095)));
    }
}

static inline void storehigh(int16_t *out, const int32x4_t *v)
{
    for (int h = 0; h < 4; h++) vst1_s16(out + 4 * h, vshrn_n_s32(v[h], 16));
}

static inline int32x4_t addpairs(int32x4_t sum, int32x4_t x, int32x4_t w)
{
    const int16x8_t a = vreinterpretq_s16_s32(x), b = vreinterpretq_s16_s32(w);
    return vaddq_s32(sum, vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b)));
}

// eight adds the products of eight inputs; the sum of two products of 7 and 8 bits fits into 16.
static inline int32x4_t eight(int32x4_t sum, int32x4_t x0, int32x4_t w0, int32x4_t x1, int32x4_t w1)
{
    const int8x16_t a = vreinterpretq_s8_s32(x0), b = vreinterpretq_s8_s32(w0);
    const int8x16_t c = vreinterpretq_s8_s32(x1), d = vreinterpretq_s8_s32(w1);
    const int16x8_t low = vmlal_s8(vmull_s8(vget_low_s8(a), vget_low_s8(b)), vget_low_s8(c), vget_low_s8(d));
    const int16x8_t high = vmlal_high_s8(vmull_high_s8(a, b), c, d);
    return vaddq_s32(sum, vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high)));
}

#define DOTPROD __attribute__((target("arch=armv8.2-a+dotprod")))

static inline DOTPROD int32x4_t eight_dot(int32x4_t sum, int32x4_t x0, int32x4_t w0, int32x4_t x1, int32x4_t w1)
{
    sum = vdotq_s32(sum, vreinterpretq_s8_s32(x0), vreinterpretq_s8_s32(w0));
    return vdotq_s32(sum, vreinterpretq_s8_s32(x1), vreinterpretq_s8_s32(w1));
}

#include "vectors_neon.h"
#define ISA neon
#define TARGET
#define EIGHT eight
#include "kernel.h"

#include "vectors_neon.h"
#define ISA dotprod
#define TARGET DOTPROD
#define EIGHT eight_dot
#include "kernel.h"

static const struct {
    const char *name;
    __typeof__(rows_neon) *rows;
    __typeof__(embed_neon) *embed;
} kernels[] = {{"neon", rows_neon, embed_neon}, {"dotprod", rows_dotprod, embed_dotprod}};

int lpe_runs(int kernel)
{
#ifdef __linux__
    return kernel == 0 || (kernel == 1 && getauxval(AT_HWCAP) & HWCAP_ASIMDDP);
#else
    return kernel < 2;
#endif
}
