//go:build cgo && (amd64 || arm64)

#include "lpe.h"
#include "../measure.h"

enum { BATCH = 32, ROWS = MOST_NEIGHBORS }; // points at a time, room for neighbours

// gathering is what a neighbourhood is gathered from.
struct gathering {
    const struct inputs *in;
    float unit;
    const int32_t *xyz;
    int64_t points;
    const uint32_t *index;
    const int16_t *rows;
    int64_t stride; // of rows
    int kept;       // columns of a row
    int64_t first;  // point of the first lists and rows of context
    const float *context;
};

static inline const int16_t *row_of(const struct gathering *from, int64_t i) { return from->rows + i * from->stride; }

// scratch is a worker's memory for a batch.
struct scratch {
    int32_t *x;     // pairs of channels of the neighbours
    int16_t *point; // point channels
    int16_t *cat;   // what the layers behind a maximum read
    int32_t *own, *sums;
    uint8_t *a, *b; // activations
};

// divide divides memory and returns how much of it that takes.
static long divide(const struct network *net, uint8_t *memory, long widest, struct scratch *s) {
    const long activations = (ROWS > 2 * BATCH ? ROWS : 2 * BATCH) * widest;
    long at = 0;
    s->a = memory + at, at += activations;
    s->b = memory + at, at += activations;
    s->cat = (int16_t *)(memory + at), at += 2 * BATCH * widest;
    s->sums = (int32_t *)(memory + at), at += 4 * BATCH * widest;
    s->own = (int32_t *)(memory + at), at += 4 * widest;
    s->x = (int32_t *)(memory + at), at += 4 * BATCH * ROWS * net->pairs;
    s->point = (int16_t *)(memory + at), at += 2 * BATCH * ((net->points + 1) / 2 * 2);
    return at;
}

long lpe_scratch(const struct network *net, long widest) {
    struct scratch s;
    uint8_t none;
    return divide(net, &none, widest, &s) + 64;
}

static void normalise(const int32_t *x, int dim, float *out) {
    double square = 0;
    for (int d = 0; d < dim; d++) square += (double)x[d] * x[d];
    if (!(square > 0)) {
        memset(out, 0, sizeof(float) * dim);
        out[0] = 1;
        return;
    }
    const double scale = 1 / sqrt(square);
    for (int d = 0; d < dim; d++) out[d] = (float)(x[d] * scale);
}

static int16_t narrowed(int32_t v) { return (int16_t)(v > 32767 ? 32767 : v < -32767 ? -32767 : v); }

static inline int32_t load32(const void *p) {
    int32_t v;
    memcpy(&v, p, 4);
    return v;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#ifdef LPE_SIMDE // a test: the kernels of other processors, emulated
#include <simde/x86/avx512/dpbusd.h>
#include <simde/x86/avx512/dpwssd.h>
#endif
static inline int32_t nearest(float v) { return _mm_cvtss_si32(_mm_set_ss(v)); }
#else
#include <arm_neon.h>
#ifdef __linux__
#include <sys/auxv.h>
#ifndef HWCAP_ASIMDDP
#define HWCAP_ASIMDDP (1 << 20)
#endif
#endif
static inline int32_t nearest(float v) { return vcvtns_s32_f32(v); }
#endif

// fixed returns v in fixed point, to the nearest, half to even.
static inline int32_t fixed(float v, float scale) { return nearest(lesser(greater(v * scale, -32767), 32767)); }

// neighbors returns the rows of the neighbours of point i.
static inline void neighbors(const struct gathering *from, int64_t i, const int16_t **near) {
    const uint32_t *index = from->index + (i - from->first) * from->in->listed;
    for (int r = 0, s = 0; r < from->in->neighbors; r++, s = s + 1 == from->in->near ? 0 : s + 1)
        near[r] = row_of(from, index[s]);
}

// measured measures the neighbourhood of point i and fills in its point channels.
static inline __attribute__((always_inline)) struct surroundings
measured(const struct network *net, const struct gathering *from, int64_t i, f4 *offset, int16_t *point) {
    const struct inputs *in = from->in;
    const uint32_t *near = from->index + (i - from->first) * in->listed;
    const struct surroundings m = measure(in, from->unit, from->xyz, from->points, near, i, offset);
    const int16_t *columns = row_of(from, i) + net->hidden;
    const int kept = from->kept;
    const float *context = from->context + (i - from->first) * (in->width - kept);
    float value[CHANNELS] = {0};
    for (int c = CHANNEL_RADIUS; c <= CHANNEL_HEIGHT_RANGE; c++) value[c] = channel_of(&m, c);
    if (net->points % 2) point[net->points] = 0;
    for (int h = 0; h < net->points; h++) {
        const struct source s = in->point[h];
        if (s.channel != CHANNEL_COLUMN)
            point[h] = (int16_t)fixed(value[s.channel], net->point[h]);
        else if (s.column < kept)
            point[h] = columns[s.column];
        else
            point[h] = (int16_t)fixed(context[s.column - kept], net->scale[s.column]);
    }
    return m;
}

// rises fills in the channel rise.
static inline void rises(int rows, const f4 *offset, int32_t *x) {
    int16_t *rise = (int16_t *)x;
    for (int r = 0; r < rows; r++) {
        const float z = lesser(greater(offset[r][2], -HIGHEST_RISE), HIGHEST_RISE);
        rise[2 * r] = (int16_t)fixed(z, 1 << POSITION_EXPONENT);
        rise[2 * r + 1] = 0;
    }
}

#ifndef __x86_64__
// relative fills in the channels of point i's neighbours that are no columns, in pairs,
// and its point channels.
static void relative(const struct network *net, const struct gathering *from, int64_t i, int32_t *x,
                     int16_t *point) {
    const int k = from->in->neighbors;
    const float unit = 1 << POSITION_EXPONENT;
    f4 offset[MOST_NEIGHBORS];
    const struct surroundings m = measured(net, from, i, offset, point);
    const int16_t *near[ROWS], *own = row_of(from, i) + net->hidden + net->normal;
    neighbors(from, i, near);
    int16_t *xy = (int16_t *)x, *z = (int16_t *)(x + ROWS);
    for (int r = 0; r < k; r++) {
        const f4 v = offset[r] * m.scale;
        xy[2 * r] = (int16_t)fixed(v[0], unit), xy[2 * r + 1] = (int16_t)fixed(v[1], unit);
        z[2 * r] = (int16_t)fixed(v[2], unit), z[2 * r + 1] = 0;
        if (net->normal >= 0) {
            const int16_t *other = near[r] + net->hidden + net->normal;
            const int32_t dot = own[0] * other[0] + own[1] * other[1] + own[2] * other[2];
            const int32_t turn = (1 << NORMAL_EXPONENT) - ((dot < 0 ? -dot : dot) >> NORMAL_EXPONENT);
            z[2 * r + 1] = (int16_t)(turn > 0 ? turn : 0);
        }
    }
    if (net->rise) rises(k, offset, x + 2 * ROWS);
}

// turn turns x and y by Ω.
static void turn(int rows, const int16_t *omega, int32_t *x) {
    int16_t *xy = (int16_t *)x;
    const int32_t half = 1 << (POSITION_EXPONENT - 1);
    for (int r = 0; r < rows; r++) {
        const int32_t a = xy[2 * r], b = xy[2 * r + 1];
        xy[2 * r] = narrowed((a * omega[0] + b * omega[2] + half) >> POSITION_EXPONENT);
        xy[2 * r + 1] = narrowed((a * omega[1] + b * omega[3] + half) >> POSITION_EXPONENT);
    }
}
#endif

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))

#define BARRIER(v) __asm__("" : "+x"(v)) // gcc would add in another order and spill

#define SET_AVX2(p) _mm256_set1_epi32(load32(p))
#define LOAD_AVX2(p) _mm256_loadu_si256((const void *)(p))
#define HIGH_AVX2(p) _mm256_slli_epi32(_mm256_cvtepi16_epi32(_mm_loadu_si128((const void *)(p))), 16)

static inline __attribute__((always_inline)) AVX2 void store7_avx2(uint8_t *out, const __m256i *sum) {
    const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(sum[0], sum[1]), 0xd8);
    const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    _mm_storeu_si128((__m128i *)out, _mm_min_epu8(bytes, _mm_set1_epi8(127)));
}

static inline __attribute__((always_inline)) AVX2 void store12_avx2(int16_t *out, const __m256i *sum) {
    __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(sum[0], sum[1]), 0xd8);
    words = _mm256_min_epi16(_mm256_max_epi16(words, _mm256_setzero_si256()), _mm256_set1_epi16(4095));
    _mm256_storeu_si256((__m256i *)out, words);
}

static inline __attribute__((always_inline)) AVX2 void storehigh_avx2(int16_t *out, const __m256i *sum) {
    const __m256i a = _mm256_srai_epi32(sum[0], 16), b = _mm256_srai_epi32(sum[1], 16);
    _mm256_storeu_si256((__m256i *)out, _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xd8));
}

static inline __attribute__((always_inline)) AVX2 __m128i fixed_avx2(f4 v) {
    const __m128 limit = _mm_set1_ps(32767);
    v *= (float)(1 << POSITION_EXPONENT);
    return _mm_cvtps_epi32(_mm_min_ps(_mm_max_ps((__m128)v, -limit), limit));
}

// relative fills in the channels of point i's neighbours that are no columns, in pairs,
// and its point channels. Of what it reads and writes behind the last neighbour nothing
// is used.
static inline __attribute__((always_inline)) AVX2 void relative(const struct network *net,
                                                                const struct gathering *from, int64_t i,
                                                                int32_t *x, int16_t *point) {
    const int k = from->in->neighbors;
    f4 offset[MOST_NEIGHBORS + 2];
    offset[k] = (f4){0, 0, 0, 0};
    const struct surroundings m = measured(net, from, i, offset, point);
    for (int r = 0; r < k; r += 2) { // x, y, z, any; twice
        const __m128i two = _mm_packs_epi32(fixed_avx2(offset[r] * m.scale), fixed_avx2(offset[r + 1] * m.scale));
        const __m128i apart = _mm_shuffle_epi32(two, 0xd8);
        _mm_storel_epi64((void *)(x + r), apart);
        _mm_storeh_pd((void *)(x + ROWS + r), _mm_castsi128_pd(apart));
    }
    if (net->rise) rises(k, offset, x + 2 * ROWS);
    const int normal = net->hidden + (net->normal < 0 ? 0 : net->normal);
    const int16_t *near[ROWS + 3];
    neighbors(from, i, near);
    for (int r = k; r < k + 3; r++) near[r] = near[0];
    __m128i own = _mm_loadl_epi64((const void *)(row_of(from, i) + normal));
    own = _mm_and_si128(_mm_unpacklo_epi64(own, own), _mm_set1_epi64x(net->normal < 0 ? 0 : 0xffffffffffff));
    const __m128i one = _mm_set1_epi32(net->normal < 0 ? 0 : 1 << NORMAL_EXPONENT);
    for (int r = 0; r < k; r += 4) {
        const __m128i a = _mm_loadl_epi64((const void *)(near[r] + normal));
        const __m128i b = _mm_loadl_epi64((const void *)(near[r + 2] + normal));
        const __m128i ab = (__m128i)_mm_loadh_pd((__m128d)a, (const void *)(near[r + 1] + normal));
        const __m128i cd = (__m128i)_mm_loadh_pd((__m128d)b, (const void *)(near[r + 3] + normal));
        const __m128i dot = _mm_abs_epi32(_mm_hadd_epi32(_mm_madd_epi16(ab, own), _mm_madd_epi16(cd, own)));
        const __m128i turn =
            _mm_max_epi32(_mm_sub_epi32(one, _mm_srai_epi32(dot, NORMAL_EXPONENT)), _mm_setzero_si128());
        const __m128i z = _mm_loadu_si128((const void *)(x + ROWS + r));
        _mm_storeu_si128((void *)(x + ROWS + r), _mm_blend_epi16(z, _mm_slli_epi32(turn, 16), 0xaa));
    }
}

// turn turns x and y by Ω.
static inline __attribute__((always_inline)) AVX2 void turn(int rows, const int16_t *omega, int32_t *x) {
    const __m256i to_x = _mm256_set1_epi32((uint16_t)omega[0] | (uint32_t)(uint16_t)omega[2] << 16);
    const __m256i to_y = _mm256_set1_epi32((uint16_t)omega[1] | (uint32_t)(uint16_t)omega[3] << 16);
    const __m256i half = _mm256_set1_epi32(1 << (POSITION_EXPONENT - 1)), least = _mm256_set1_epi16(-32767);
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    for (int r = 0; r < rows; r += 8) {
        const __m256i xy = _mm256_loadu_si256((const void *)(x + r));
        const __m256i a = _mm256_srai_epi32(_mm256_add_epi32(_mm256_madd_epi16(xy, to_x), half), POSITION_EXPONENT);
        const __m256i b = _mm256_srai_epi32(_mm256_add_epi32(_mm256_madd_epi16(xy, to_y), half), POSITION_EXPONENT);
        const __m256i both = _mm256_max_epi16(_mm256_packs_epi32(a, b), least);
        _mm256_storeu_si256((void *)(x + r), _mm256_shuffle_epi8(both, order));
    }
}

// eight_avx2 adds the products of eight inputs; the sum of four fits into 16 bits, for
// embed.EightSum bounds the weights.
static inline __attribute__((always_inline)) AVX2 __m256i eight_avx2(__m256i sum, __m256i x0, __m256i w0, __m256i x1,
                                                                     __m256i w1) {
    const __m256i words = _mm256_add_epi16(_mm256_maddubs_epi16(x0, w0), _mm256_maddubs_epi16(x1, w1));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(words, _mm256_set1_epi16(1)));
    BARRIER(sum);
    return sum;
}

static inline __attribute__((always_inline)) AVX2 __m256i addpairs_avx2(__m256i sum, __m256i x, __m256i w) {
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(x, w));
    BARRIER(sum);
    return sum;
}

#define ISA avx2
#define TARGET AVX2
#define VL 8
#define BLOCK 2
#define VEC __m256i
#define ZERO _mm256_setzero_si256
#define LEAST() _mm256_set1_epi32(INT32_MIN)
#define SET1 SET_AVX2
#define LOAD LOAD_AVX2
#define STORE(p, v) _mm256_storeu_si256((void *)(p), v)
#define ADD _mm256_add_epi32
#define MAX _mm256_max_epi32
#define SHIFT _mm256_srav_epi32
#define HIGH HIGH_AVX2
#define ADDPAIRS addpairs_avx2
#define EIGHT eight_avx2
#define STORE7 store7_avx2
#define STORE12 store12_avx2
#define STOREHIGH storehigh_avx2
#define RELATIVE relative
#define TURN turn
#include "kernel.h"

// With instructions for sums of four products of bytes and two of 16 bits, for vectors of
// 256 and of 512 bits.
#ifdef LPE_SIMDE
#define VNNI AVX2
#define AVX512 AVX2
#define DPBUSD(s, x, w) (__m256i) simde_mm256_dpbusd_epi32((simde__m256i)(s), (simde__m256i)(x), (simde__m256i)(w))
#define DPWSSD(s, x, w) (__m256i) simde_mm256_dpwssd_epi32((simde__m256i)(s), (simde__m256i)(x), (simde__m256i)(w))
#define __m512i simde__m512i
#define _mm512_dpbusd_epi32 simde_mm512_dpbusd_epi32
#define _mm512_dpwssd_epi32 simde_mm512_dpwssd_epi32
#else
#define VNNI __attribute__((target("avx2,avxvnni")))
#define AVX512 __attribute__((target("avx2,avx512f,avx512vnni")))
#define DPBUSD _mm256_dpbusd_avx_epi32
#define DPWSSD _mm256_dpwssd_avx_epi32
#endif

#define ISA avxvnni
#define TARGET VNNI
#define VL 8
#define BLOCK 2
#define VEC __m256i
#define ZERO _mm256_setzero_si256
#define LEAST() _mm256_set1_epi32(INT32_MIN)
#define SET1 SET_AVX2
#define LOAD LOAD_AVX2
#define STORE(p, v) _mm256_storeu_si256((void *)(p), v)
#define ADD _mm256_add_epi32
#define MAX _mm256_max_epi32
#define SHIFT _mm256_srav_epi32
#define HIGH HIGH_AVX2
#define ADDPAIRS DPWSSD
#define EIGHT(sum, x0, w0, x1, w1) DPBUSD(DPBUSD(sum, x0, w0), x1, w1)
#define STORE7 store7_avx2
#define STORE12 store12_avx2
#define STOREHIGH storehigh_avx2
#define RELATIVE relative
#define TURN turn
#include "kernel.h"

// sixteen is 16 sums, whose operators gcc knows.
typedef int32_t sixteen __attribute__((vector_size(64), aligned(4)));

#define HALVES(v) ((__m256i[]){_mm256_loadu_si256((void *)&(v)), _mm256_loadu_si256((__m256i *)&(v) + 1)})

static inline __attribute__((always_inline)) AVX512 sixteen larger_avx512(sixteen a, sixteen b) {
    const sixteen greater = a > b;
    return (a & greater) | (b & ~greater);
}

static inline __attribute__((always_inline)) AVX512 sixteen set_avx512(const void *p) {
    return (sixteen){0} + load32(p);
}

static inline __attribute__((always_inline)) AVX512 sixteen high_avx512(const int16_t *p) {
    typedef int16_t words __attribute__((vector_size(32), aligned(2)));
    return __builtin_convertvector(*(const words *)p, sixteen) << 16;
}

#define ISA avx512
#define TARGET AVX512
#define VL 16
#define BLOCK 1
#define VEC sixteen
#define ZERO() ((sixteen){0})
#define LEAST() ((sixteen){0} + INT32_MIN)
#define SET1 set_avx512
#define LOAD(p) (*(const sixteen *)(p))
#define STORE(p, v) (*(sixteen *)(p) = (v))
#define ADD(a, b) ((a) + (b))
#define MAX larger_avx512
#define SHIFT(a, b) ((a) >> (b))
#define HIGH high_avx512
#define ADDPAIRS(sum, x, w) (sixteen)_mm512_dpwssd_epi32((__m512i)(sum), (__m512i)(x), (__m512i)(w))
#define FOUR(sum, x, w) _mm512_dpbusd_epi32(sum, (__m512i)(x), (__m512i)(w))
#define EIGHT(sum, x0, w0, x1, w1) (sixteen) FOUR(FOUR((__m512i)(sum), x0, w0), x1, w1)
#define STORE7(p, v) store7_avx2(p, HALVES(*(v)))
#define STORE12(p, v) store12_avx2(p, HALVES(*(v)))
#define STOREHIGH(p, v) storehigh_avx2(p, HALVES(*(v)))
#define RELATIVE relative
#define TURN turn
#include "kernel.h"

static const struct {
    const char *name;
    __typeof__(rows_avx2) *rows;
    __typeof__(embed_avx2) *embed;
} kernels[] = {{"avx2", rows_avx2, embed_avx2},
               {"avxvnni", rows_avxvnni, embed_avxvnni},
               {"avx512", rows_avx512, embed_avx512}};

int lpe_runs(int kernel) {
#ifdef LPE_SIMDE
    return kernel < 3;
#endif
    unsigned a, b, c, d;
    __builtin_cpu_init();
    switch (kernel) {
    case 0: return __builtin_cpu_supports("avx2");
    case 1: return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) && a & 1 << 4;
    case 2: return __builtin_cpu_supports("avx512vnni");
    }
    return 0;
}
#else
#include "kernel_arm.h"
#endif

const char *lpe_kernel_name(int kernel) {
    return kernel < (int)(sizeof kernels / sizeof *kernels) ? kernels[kernel].name : 0;
}

void lpe_fill_rows(int kernel, const struct network *net, const uint8_t *numbers, const float *columns, int kept,
                   int64_t count, int64_t stride, int16_t *rows) {
    kernels[kernel].rows(net, numbers, columns, kept, count, stride, rows);
}

void lpe_forward(int kernel, const struct network *net, const uint8_t *numbers, const struct inputs *in, float unit,
                 const int32_t *xyz, int64_t points, const uint32_t *index, const int16_t *rows, int64_t stride,
                 const float *context, int kept, int64_t lo, int64_t hi, float *out, uint8_t *memory, long widest) {
    const struct gathering from = {in, unit, xyz, points, index, rows, stride, kept, lo, context};
    struct scratch s;
    divide(net, memory, widest, &s);
    for (int64_t i = lo; i < hi; i += BATCH) {
        const int n = hi - i < BATCH ? (int)(hi - i) : BATCH;
        kernels[kernel].embed(net, numbers, &from, i, n, out + (i - lo) * net->dim, &s);
    }
}
