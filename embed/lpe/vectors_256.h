// SPDX-License-Identifier: BSD-3-Clause
// What kernel.h needs of vectors of 256 bits, but for products. Included before each kernel that has them.
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
#define SHIFT _mm256_srav_epi32
#define HIGH high_avx2
#define STORE7 store7_avx2
#define STORE12 store12_avx2
#define STOREHIGH storehigh_avx2
