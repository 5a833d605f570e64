// SPDX-License-Identifier: BSD-3-Clause
// Operations of gather.h on eight lanes, with AVX2. Part of kernel.c.

#include <immintrin.h>
#ifdef LPE_SIMDE // a test: the kernels of other processors, emulated
#include <simde/x86/avx512/dpbusd.h>
#include <simde/x86/avx512/dpwssd.h>
#include <simde/x86/avx512/cvts.h>
#include <simde/x86/avx512/max.h>
#endif

#define AVX2 __attribute__((target("avx2")))
#define HELPER static inline __attribute__((always_inline)) AVX2

typedef float f8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32)));

HELPER f8 all8(float v) { return _mm256_set1_ps(v); }
HELPER f8 lesser8(f8 a, f8 b) { return _mm256_min_ps(a, b); }
HELPER f8 greater8(f8 a, f8 b) { return _mm256_max_ps(a, b); }
HELPER f8 root8(f8 v) { return _mm256_sqrt_ps(v); }

// fixed8 rounds to the nearest, half to even, within 16 bits.
HELPER i8 fixed8(f8 v) { return (i8)_mm256_cvtps_epi32(lesser8(greater8(v, all8(-32767)), all8(32767))); }

// pairs8 packs numbers of a and b into pairs, limited to 16 bits each.
HELPER i8 pairs8(i8 a, i8 b)
{
    const __m256i words = _mm256_max_epi16(_mm256_packs_epi32((__m256i)a, (__m256i)b), _mm256_set1_epi16(-32767));
    const __m128i order = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    return (i8)_mm256_shuffle_epi8(words, _mm256_broadcastsi128_si256(order));
}

// products8 returns the sums of the products of pairs.
HELPER i8 products8(i8 a, i8 b) { return (i8)_mm256_madd_epi16((__m256i)a, (__m256i)b); }

HELPER void narrow8(i8 v, int16_t *out)
{
    _mm_storeu_si128((void *)out,
                     _mm_packs_epi32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1)));
}

// transposed8 loads four numbers at eight addresses and returns the last three, transposed.
HELPER void transposed8(const int32_t *const *row, i8 *out)
{
    __m256i v[4];
    for (int q = 0; q < 4; q++)
        v[q] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)row[q])),
                                       _mm_loadu_si128((const void *)row[q + 4]), 1);
    const __m256i x01 = _mm256_unpacklo_epi32(v[0], v[1]), x23 = _mm256_unpacklo_epi32(v[2], v[3]);
    const __m256i yz01 = _mm256_unpackhi_epi32(v[0], v[1]), yz23 = _mm256_unpackhi_epi32(v[2], v[3]);
    out[0] = (i8)_mm256_unpackhi_epi64(x01, x23);
    out[1] = (i8)_mm256_unpacklo_epi64(yz01, yz23);
    out[2] = (i8)_mm256_unpackhi_epi64(yz01, yz23);
}

// normals8 has three numbers of 16 bits for eight points, and an arbitrary fourth.
typedef struct {
    __m256i v[2];
} normals8;

HELPER normals8 load_normals8(const int16_t *const *row)
{
    normals8 n;
    for (int h = 0; h < 2; h++) { // 0, 1 and 4, 5, then 2, 3 and 6, 7
        __m128d low = (__m128d)_mm_loadl_epi64((const void *)row[2 * h]);
        __m128d high = (__m128d)_mm_loadl_epi64((const void *)row[2 * h + 4]);
        low = _mm_loadh_pd(low, (const void *)row[2 * h + 1]);
        high = _mm_loadh_pd(high, (const void *)row[2 * h + 5]);
        n.v[h] = _mm256_set_m128i((__m128i)high, (__m128i)low);
    }
    return n;
}

// dots8 returns the absolute values of the dot products of normals.
HELPER i8 dots8(normals8 a, normals8 b)
{
    const __m256i three = _mm256_set1_epi64x(0xffffffffffff);
    const __m256i low = _mm256_madd_epi16(_mm256_and_si256(a.v[0], three), b.v[0]);
    const __m256i high = _mm256_madd_epi16(_mm256_and_si256(a.v[1], three), b.v[1]);
    return (i8)_mm256_abs_epi32(_mm256_hadd_epi32(low, high));
}
