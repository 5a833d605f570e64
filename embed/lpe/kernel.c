//go:build cgo && (amd64 || arm64)

#include "lpe.h"

#include <math.h>
#include <string.h>

#ifdef __clang__ // else it fuses products and sums where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

static inline int32_t load32(const void *p) {
    int32_t v;
    memcpy(&v, p, 4);
    return v;
}

#if defined(__x86_64__)
#include "lanes_x86.h"
#else
#include "lanes_arm.h"
#endif
#include "gather.h"

enum { BATCH = 32, MOST_WIDE = 1024 }; // points at a time, width of a layer

// scratch is a worker's memory for a batch.
struct scratch {
    uint64_t *at;   // offsets of rows
    int32_t *x;     // pairs of channels of the neighbours of eight points
    int16_t *point; // point channels
    int16_t *cat;   // inputs of the layers after a maximum
    int32_t *own, *sums;
    uint8_t *a, *b; // activations
};

// divide assigns memory to the arrays of s and returns the number of bytes.
static long divide(const struct network *net, uint8_t *memory, long widest, struct scratch *s) {
    const long rows = BATCH * ROWS, points = (net->points + 1) / 2 * 2;
    long at = 0;
#define PART(field, count) s->field = (void *)(memory + at), at += ((count) * sizeof *s->field + 63) / 64 * 64
    PART(a, rows * widest);
    PART(b, rows * widest);
    PART(cat, BATCH * widest);
    PART(sums, BATCH * widest);
    PART(own, widest);
    PART(x, rows * net->pairs);
    PART(at, rows + BATCH);
    PART(point, BATCH * points);
#undef PART
    return at;
}

long lpe_scratch(const struct network *net, long widest) {
    struct scratch s;
    uint8_t none;
    return divide(net, &none, widest, &s);
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

#if defined(__x86_64__)

#define SET_AVX2(p) _mm256_set1_epi32(load32(p))
#define LOAD_AVX2(p) _mm256_loadu_si256((const void *)(p))

// add_avx2 is an addition that gcc cannot reorder; in its order registers would be spilled.
HELPER __m256i add_avx2(__m256i sum, __m256i x) {
    __asm__("vpaddd %1, %0, %0" : "+x"(sum) : "x"(x));
    return sum;
}

// store7_avx2 stores 16 outputs of two rows.
HELPER void store7_avx2(uint8_t *out, uint8_t *next, const __m256i *sum, const __m256i *other) {
    const __m256i words = _mm256_packs_epi32(sum[0], sum[1]), others = _mm256_packs_epi32(other[0], other[1]);
    __m256i bytes = _mm256_min_epu8(_mm256_packus_epi16(words, others), _mm256_set1_epi8(127));
    bytes = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(bytes));
    _mm_storeu_si128((__m128i *)next, _mm256_extracti128_si256(bytes, 1));
}

HELPER void store12_avx2(int16_t *out, const __m256i *sum) {
    __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(sum[0], sum[1]), 0xd8);
    words = _mm256_min_epi16(_mm256_max_epi16(words, _mm256_setzero_si256()), _mm256_set1_epi16(4095));
    _mm256_storeu_si256((__m256i *)out, words);
}

// storehigh_avx2 stores the upper halves of sums; high_avx2 loads them, in the same order.
HELPER void storehigh_avx2(int16_t *out, const __m256i *sum) {
    const __m256i a = _mm256_srai_epi32(sum[0], 16), b = _mm256_srai_epi32(sum[1], 16);
    _mm256_storeu_si256((__m256i *)out, _mm256_packs_epi32(a, b));
}

HELPER void high_avx2(const int16_t *p, __m256i *sum) {
    const __m256i words = LOAD_AVX2(p), none = _mm256_setzero_si256();
    sum[0] = _mm256_unpacklo_epi16(none, words), sum[1] = _mm256_unpackhi_epi16(none, words);
}

// eight_avx2 adds the products of eight inputs. The sum of four fits into 16 bits, because
// embed.EightSum bounds the weights.
HELPER __m256i eight_avx2(__m256i sum, __m256i x0, __m256i w0, __m256i x1, __m256i w1) {
    const __m256i words = _mm256_add_epi16(_mm256_maddubs_epi16(x0, w0), _mm256_maddubs_epi16(x1, w1));
    return add_avx2(sum, _mm256_madd_epi16(words, _mm256_set1_epi16(1)));
}

HELPER __m256i addpairs_avx2(__m256i sum, __m256i x, __m256i w) { return add_avx2(sum, _mm256_madd_epi16(x, w)); }

// start_avx2 returns initial values with which 16-bit sums of eight products never overflow, so
// that sixteen inputs need only two of them. Claim: INT16_MIN + 127 · Σ|w⁻| plus any partial sum
// of products is within 16 bits. The partial sum is between −127 · Σ|w⁻| and 127 · Σw⁺, so the
// total is between INT16_MIN and INT16_MIN + 127 · Σ|w|; by embed.EightSum Σ|w| ≤ 516 for eight
// weights, and 127 · 516 < 2^16. The initial values are subtracted with the bias (LESS).
HELPER __m256i start_avx2(const __m256i *w) {
    __m256i sum = _mm256_set1_epi16(INT16_MIN);
    for (int g = 0; g < 4; g++) {
        const __m256i below = _mm256_min_epi8(w[g], _mm256_setzero_si256());
        sum = _mm256_sub_epi16(sum, _mm256_maddubs_epi16(_mm256_set1_epi8(127), below));
    }
    return sum;
}

HELPER __m256i total_avx2(__m256i words) { return _mm256_madd_epi16(words, _mm256_set1_epi16(1)); }

// sixteen_avx2 returns the sum of the products of sixteen inputs and of the initial values start.
HELPER __m256i sixteen_avx2(__m256i start, const __m256i *x, const __m256i *w) {
    for (int g = 0; g < 4; g++) start = _mm256_add_epi16(start, _mm256_maddubs_epi16(x[g], w[g]));
    return total_avx2(start);
}

// max_avx2 is a maximum for which gcc does not copy a register.
HELPER __m256i max_avx2(__m256i a, __m256i b) {
    __asm__("vpmaxsd %1, %0, %0" : "+x"(a) : "x"(b));
    return a;
}

#define ISA avx2
#define TARGET AVX2
#define VL 8
#define BLOCK 2
#define TALL 2
#define VEC __m256i
#define ZERO _mm256_setzero_si256
#define LEAST() _mm256_set1_epi32(INT32_MIN)
#define SET1 SET_AVX2
#define LOAD LOAD_AVX2
#define STORE(p, v) _mm256_storeu_si256((void *)(p), v)
#define ADD _mm256_add_epi32
#define MAX max_avx2
#define SHIFT _mm256_srav_epi32
#define HIGH high_avx2
#define ADDPAIRS addpairs_avx2
#define EIGHT eight_avx2
#define START start_avx2
#define LESS(v, start) _mm256_sub_epi32(v, total_avx2(start))
#define SIXTEEN sixteen_avx2
#define STORE7 store7_avx2
#define STORE12 store12_avx2
#define STOREHIGH storehigh_avx2
#include "kernel.h"

// The kernels with VNNI instructions, which add four products of bytes or two of 16 bits, for
// vectors of 256 and of 512 bits.
#ifdef LPE_SIMDE
#define VNNI AVX2
#define AVX512 AVX2
#define DPBUSD(s, x, w) (__m256i) simde_mm256_dpbusd_epi32((simde__m256i)(s), (simde__m256i)(x), (simde__m256i)(w))
#define DPWSSD(s, x, w) (__m256i) simde_mm256_dpwssd_epi32((simde__m256i)(s), (simde__m256i)(x), (simde__m256i)(w))
#define __m512i simde__m512i
#define _mm512_dpbusd_epi32 simde_mm512_dpbusd_epi32
#define _mm512_dpwssd_epi32 simde_mm512_dpwssd_epi32
#define _mm512_max_epi32 simde_mm512_max_epi32
typedef int16_t words __attribute__((vector_size(32)));
#define _mm512_cvtepi16_epi32(v) __builtin_convertvector((words)(v), sixteen)
#define _mm512_cvtsepi32_epi8 (__m128i) simde_mm512_cvtsepi32_epi8
#define _mm512_cvtsepi32_epi16 (__m256i) simde_mm512_cvtsepi32_epi16
#else
#define VNNI __attribute__((target("avx2,avxvnni")))
#define AVX512 __attribute__((target("avx2,avx512f,avx512vnni")))
#define DPBUSD _mm256_dpbusd_avx_epi32
#define DPWSSD _mm256_dpwssd_avx_epi32
#endif

#undef MAX
#undef ADDPAIRS
#undef START
#undef LESS
#undef SIXTEEN
#define ISA avxvnni
#define TARGET VNNI
#define MAX _mm256_max_epi32
#define ADDPAIRS DPWSSD
#define EIGHT(sum, x0, w0, x1, w1) DPBUSD(DPBUSD(sum, x0, w0), x1, w1)
#define START(w) ZERO()
#define LESS(v, start) (v)
#define SIXTEEN(start, x, w) EIGHT(EIGHT(ZERO(), x[0], w[0], x[1], w[1]), x[2], w[2], x[3], w[3])
#if defined LPE_SIMDE || defined __clang__ || __GNUC__ >= 11
#define AVXVNNI 1
#include "kernel.h"
#else // gcc of Debian 11 does not know AVX-VNNI
#define AVXVNNI 0
#define rows_avxvnni rows_avx2
#define embed_avxvnni embed_avx2
#undef ISA
#undef TARGET
#undef EIGHT
#endif

// sixteen is 16 sums, whose operators gcc knows.
typedef int32_t sixteen __attribute__((vector_size(64), aligned(4)));

static inline __attribute__((always_inline)) AVX512 sixteen set_avx512(const void *p) {
    return (sixteen){0} + load32(p);
}

static inline __attribute__((always_inline)) AVX512 void high_avx512(const int16_t *p, sixteen *sum) {
    sum[0] = (sixteen)_mm512_cvtepi16_epi32(LOAD_AVX2(p)) << 16; // gcc converts vectors of this size in halves
}

static inline __attribute__((always_inline)) AVX512 void storehigh_avx512(int16_t *p, const sixteen *sum) {
    typedef int16_t words __attribute__((vector_size(32), aligned(2)));
    *(words *)p = __builtin_convertvector(sum[0] >> 16, words);
}

// store7_avx512 stores 16 outputs of two rows.
static inline __attribute__((always_inline)) AVX512 void store7_avx512(uint8_t *out, uint8_t *next, const sixteen *sum,
                                                                       const sixteen *other) {
    const __m128i zero = _mm_setzero_si128();
    _mm_storeu_si128((__m128i *)out, _mm_max_epi8(_mm512_cvtsepi32_epi8((__m512i)*sum), zero));
    _mm_storeu_si128((__m128i *)next, _mm_max_epi8(_mm512_cvtsepi32_epi8((__m512i)*other), zero));
}

static inline __attribute__((always_inline)) AVX512 void store12_avx512(int16_t *out, const sixteen *sum) {
    __m256i words = _mm256_max_epi16(_mm512_cvtsepi32_epi16((__m512i)*sum), _mm256_setzero_si256());
    _mm256_storeu_si256((__m256i *)out, _mm256_min_epi16(words, _mm256_set1_epi16(4095)));
}

#undef VL
#undef BLOCK
#undef TALL
#undef VEC
#undef ZERO
#undef LEAST
#undef SET1
#undef LOAD
#undef STORE
#undef ADD
#undef MAX
#undef SHIFT
#undef HIGH
#undef ADDPAIRS
#undef STORE7
#undef STORE12
#undef STOREHIGH
#define ISA avx512
#define TARGET AVX512
#define VL 16
#define BLOCK 1
#define TALL 4
#define VEC sixteen
#define ZERO() ((sixteen){0})
#define LEAST() ((sixteen){0} + INT32_MIN)
#define SET1 set_avx512
#define LOAD(p) (*(const sixteen *)(p))
#define STORE(p, v) (*(sixteen *)(p) = (v))
#define ADD(a, b) ((a) + (b))
#define MAX(a, b) (sixteen) _mm512_max_epi32((__m512i)(a), (__m512i)(b))
#define SHIFT(a, b) ((a) >> (b))
#define HIGH high_avx512
#define ADDPAIRS(sum, x, w) (sixteen)_mm512_dpwssd_epi32((__m512i)(sum), (__m512i)(x), (__m512i)(w))
#define FOUR(sum, x, w) _mm512_dpbusd_epi32(sum, (__m512i)(x), (__m512i)(w))
#define EIGHT(sum, x0, w0, x1, w1) (sixteen) FOUR(FOUR((__m512i)(sum), x0, w0), x1, w1)
#define STORE7 store7_avx512
#define STORE12 store12_avx512
#define STOREHIGH storehigh_avx512
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
    case 1: return AVXVNNI && __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) && a & 1 << 4;
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
                 const uint32_t *index, const int16_t *rows, int64_t stride, int kept, uint32_t begin, uint32_t own,
                 const uint32_t *around, int64_t count, const float *context, int64_t lo, int64_t hi, float *out,
                 uint8_t *memory, long widest) {
    const struct gathering from = {in, unit, index, rows, stride, kept, begin, own, around, count, lo, context};
    struct scratch s;
    divide(net, memory, widest, &s);
    for (int64_t i = lo; i < hi; i += BATCH) {
        const int n = hi - i < BATCH ? (int)(hi - i) : BATCH;
        kernels[kernel].embed(net, numbers, &from, i, n, out + (i - lo) * net->dim, &s);
    }
}
