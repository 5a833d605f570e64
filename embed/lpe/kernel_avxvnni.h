// SPDX-License-Identifier: BSD-3-Clause
// The kernels with VNNI instructions, which add four products of bytes or two of 16 bits, for
// vectors of 256 and, in kernel_avx512.h, of 512 bits. Part of kernel.c.
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

#if defined LPE_SIMDE || defined __clang__ || __GNUC__ >= 11
#define AVXVNNI 1
#include "vectors_256.h"
#define ISA avxvnni
#define TARGET VNNI
#define MAX _mm256_max_epi32
#define ADDPAIRS DPWSSD
#define EIGHT(sum, x0, w0, x1, w1) DPBUSD(DPBUSD(sum, x0, w0), x1, w1)
#define START(w) ZERO()
#define LESS(v, start) (v)
#define SIXTEEN(start, x, w) EIGHT(EIGHT(ZERO(), x[0], w[0], x[1], w[1]), x[2], w[2], x[3], w[3])
#include "kernel.h"
#else // gcc of Debian 11 does not know AVX-VNNI
#define AVXVNNI 0
#define rows_avxvnni rows_avx2
#define embed_avxvnni embed_avx2
#endif
