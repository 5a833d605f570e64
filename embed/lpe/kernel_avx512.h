// SPDX-License-Identifier: BSD-3-Clause
// The kernel for AVX-512 with VNNI, which adds four products of bytes or two of 16 bits. Part of kernel.c.
#ifdef LPE_SIMDE // its instructions by functions of SIMDe, for a test
#define AVX512 AVX2
#define __m512i simde__m512i
#define _mm512_dpbusd_epi32 simde_mm512_dpbusd_epi32
#define _mm512_dpwssd_epi32 simde_mm512_dpwssd_epi32
#define _mm512_max_epi32 simde_mm512_max_epi32
typedef int16_t words __attribute__((vector_size(32)));
#define _mm512_cvtepi16_epi32(v) __builtin_convertvector((words)(v), sixteen)
#define _mm512_cvtsepi32_epi8 (__m128i) simde_mm512_cvtsepi32_epi8
#define _mm512_cvtsepi32_epi16 (__m256i) simde_mm512_cvtsepi32_epi16
#else
#define AVX512 __attribute__((target("avx2,avx512f,avx512vnni")))
#endif

// sixteen is 16 sums, for which gcc has operators.
typedef int32_t sixteen __attribute__((vector_size(64), aligned(4)));

static inline __attribute__((always_inline)) AVX512 sixteen set_avx512(const void *p)
{
    return (sixteen){0} + load32(p);
}

static inline __attribute__((always_inline)) AVX512 void high_avx512(const int16_t *p, sixteen *sum)
{
    sum[0] = (sixteen)_mm512_cvtepi16_epi32(LOAD_AVX2(p)) << 16; // gcc converts vectors of this size in halves
}

static inline __attribute__((always_inline)) AVX512 void storehigh_avx512(int16_t *p, const sixteen *sum)
{
    typedef int16_t words __attribute__((vector_size(32), aligned(2)));
    *(words *)p = __builtin_convertvector(sum[0] >> 16, words);
}

// store7_avx512 stores 16 outputs of two rows.
static inline __attribute__((always_inline)) AVX512 void store7_avx512(uint8_t *out, uint8_t *next, const sixteen *sum,
                                                                       const sixteen *other)
{
    const __m128i zero = _mm_setzero_si128();
    _mm_storeu_si128((__m128i *)out, _mm_max_epi8(_mm512_cvtsepi32_epi8((__m512i)*sum), zero));
    _mm_storeu_si128((__m128i *)next, _mm_max_epi8(_mm512_cvtsepi32_epi8((__m512i)*other), zero));
}

static inline __attribute__((always_inline)) AVX512 void store12_avx512(int16_t *out, const sixteen *sum)
{
    __m256i words = _mm256_max_epi16(_mm512_cvtsepi32_epi16((__m512i)*sum), _mm256_setzero_si256());
    _mm256_storeu_si256((__m256i *)out, _mm256_min_epi16(words, _mm256_set1_epi16(4095)));
}

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
#define ADDPAIRS(sum, x, w) (sixteen) _mm512_dpwssd_epi32((__m512i)(sum), (__m512i)(x), (__m512i)(w))
#define FOUR(sum, x, w) _mm512_dpbusd_epi32(sum, (__m512i)(x), (__m512i)(w))
#define EIGHT(sum, x0, w0, x1, w1) (sixteen) FOUR(FOUR((__m512i)(sum), x0, w0), x1, w1)
#define STORE7 store7_avx512
#define STORE12 store12_avx512
#define STOREHIGH storehigh_avx512
#define START(w) ZERO()
#define LESS(v, start) (v)
#define SIXTEEN(start, x, w) EIGHT(EIGHT(ZERO(), x[0], w[0], x[1], w[1]), x[2], w[2], x[3], w[3])
#include "kernel.h"
#undef FOUR
