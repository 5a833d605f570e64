// SPDX-License-Identifier: BSD-3-Clause
// The kernel for AVX2. Part of kernel.c.

#define SET_AVX2(p) _mm256_set1_epi32(load32(p))
#define LOAD_AVX2(p) _mm256_loadu_si256((const void *)(p))

// add_avx2 is an addition that gcc cannot reorder; in its order registers would be spilled.
HELPER __m256i add_avx2(__m256i sum, __m256i x)
{
    __asm__("vpaddd %1, %0, %0" : "+x"(sum) : "x"(x));
    return sum;
}

// store7_avx2 stores 16 outputs of two rows.
HELPER void store7_avx2(uint8_t *out, uint8_t *next, const __m256i *sum, const __m256i *other)
{
    const __m256i words = _mm256_packs_epi32(sum[0], sum[1]), others = _mm256_packs_epi32(other[0], other[1]);
    __m256i bytes = _mm256_min_epu8(_mm256_packus_epi16(words, others), _mm256_set1_epi8(127));
    bytes = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(bytes));
    _mm_storeu_si128((__m128i *)next, _mm256_extracti128_si256(bytes, 1));
}

HELPER void store12_avx2(int16_t *out, const __m256i *sum)
{
    __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(sum[0], sum[1]), 0xd8);
    words = _mm256_min_epi16(_mm256_max_epi16(words, _mm256_setzero_si256()), _mm256_set1_epi16(4095));
    _mm256_storeu_si256((__m256i *)out, words);
}

// storehigh_avx2 stores the upper halves of sums; high_avx2 loads them, in the same order.
HELPER void storehigh_avx2(int16_t *out, const __m256i *sum)
{
    const __m256i a = _mm256_srai_epi32(sum[0], 16), b = _mm256_srai_epi32(sum[1], 16);
    _mm256_storeu_si256((__m256i *)out, _mm256_packs_epi32(a, b));
}

HELPER void high_avx2(const int16_t *p, __m256i *sum)
{
    const __m256i words = LOAD_AVX2(p), none = _mm256_setzero_si256();
    sum[0] = _mm256_unpacklo_epi16(none, words), sum[1] = _mm256_unpackhi_epi16(none, words);
}

// eight_avx2 adds the products of eight inputs. The sum of four fits into 16 bits, because
// embed.EightSum bounds the weights.
HELPER __m256i eight_avx2(__m256i sum, __m256i x0, __m256i w0, __m256i x1, __m256i w1)
{
    const __m256i words = _mm256_add_epi16(_mm256_maddubs_epi16(x0, w0), _mm256_maddubs_epi16(x1, w1));
    return add_avx2(sum, _mm256_madd_epi16(words, _mm256_set1_epi16(1)));
}

HELPER __m256i addpairs_avx2(__m256i sum, __m256i x, __m256i w) { return add_avx2(sum, _mm256_madd_epi16(x, w)); }

// start_avx2 returns initial values with which 16-bit sums of eight products never overflow, so
// that sixteen inputs need only two of them. Claim: INT16_MIN + 127 · Σ|w⁻| plus any partial sum
// of products is within 16 bits. The partial sum is between −127 · Σ|w⁻| and 127 · Σw⁺, so the
// total is between INT16_MIN and INT16_MIN + 127 · Σ|w|; by embed.EightSum Σ|w| ≤ 516 for eight
// weights, and 127 · 516 < 2^16. The initial values are subtracted with the bias (LESS).
HELPER __m256i start_avx2(const __m256i *w)
{
    __m256i sum = _mm256_set1_epi16(INT16_MIN);
    for (int g = 0; g < 4; g++) {
        const __m256i below = _mm256_min_epi8(w[g], _mm256_setzero_si256());
        sum = _mm256_sub_epi16(sum, _mm256_maddubs_epi16(_mm256_set1_epi8(127), below));
    }
    return sum;
}

HELPER __m256i total_avx2(__m256i words) { return _mm256_madd_epi16(words, _mm256_set1_epi16(1)); }

// sixteen_avx2 returns the sum of the products of sixteen inputs and of the initial values start.
HELPER __m256i sixteen_avx2(__m256i start, const __m256i *x, const __m256i *w)
{
    for (int g = 0; g < 4; g++) start = _mm256_add_epi16(start, _mm256_maddubs_epi16(x[g], w[g]));
    return total_avx2(start);
}

// max_avx2 is a maximum for which gcc does not copy a register.
HELPER __m256i max_avx2(__m256i a, __m256i b)
{
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
#define STORE7 store7_avx2
#define STORE12 store12_avx2
#define STOREHIGH storehigh_avx2
#define ADDPAIRS addpairs_avx2
#define EIGHT eight_avx2
#define START start_avx2
#define LESS(v, start) _mm256_sub_epi32(v, total_avx2(start))
#define SIXTEEN sixteen_avx2
#include "kernel.h"
