// SPDX-License-Identifier: BSD-3-Clause
//go:build amd64 && cgo

#include "kernels.h"

#include <immintrin.h>

// The functions are compiled for AVX2 and FMA one by one, because cgo does not
// pass -mfma, and called only where sb_supported says so.
#define FAST __attribute__((target("avx2,fma")))
#define INLINE FAST static inline __attribute__((always_inline))

typedef __m256 v8;

int sb_supported(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

// tile computes a block of R ≤ 4 rows × 16 columns of C.
INLINE void tile(int R, int k, const float *a, long ar, long ak, const float *b, long ldb, float *c, long ldc,
	int accumulate) {
	v8 acc[4][2];
	for (int r = 0; r < R; r++)
		for (int j = 0; j < 2; j++)
			acc[r][j] = accumulate ? _mm256_loadu_ps(c + r * ldc + 8 * j) : _mm256_setzero_ps();
	for (int t = 0; t < k; t++) {
		v8 b0 = _mm256_loadu_ps(b + t * ldb), b1 = _mm256_loadu_ps(b + t * ldb + 8);
		for (int r = 0; r < R; r++) {
			v8 x = _mm256_broadcast_ss(a + r * ar + t * ak);
			acc[r][0] = _mm256_fmadd_ps(x, b0, acc[r][0]);
			acc[r][1] = _mm256_fmadd_ps(x, b1, acc[r][1]);
		}
	}
	for (int r = 0; r < R; r++)
		for (int j = 0; j < 2; j++)
			_mm256_storeu_ps(c + r * ldc + 8 * j, acc[r][j]);
}

FAST static void scalar_columns(int n, int j0, int m, int k, const float *a, long ar, long ak, const float *b,
	long ldb, float *c, long ldc, int accumulate) {
	for (int i = 0; i < n; i++)
		for (int j = j0; j < m; j++) {
			float s = accumulate ? c[i * ldc + j] : 0;
			for (int t = 0; t < k; t++)
				s += a[i * ar + t * ak] * b[t * ldb + j];
			c[i * ldc + j] = s;
		}
}

// sb_gemm: C[i][j] (+)= Σ_t a[i·ar + t·ak] · b[t·ldb + j].
FAST void sb_gemm(int n, int m, int k, const float *a, int ar, int ak, const float *b, int ldb, float *c, int ldc,
	int accumulate) {
	int j = 0;
	for (; j + 16 <= m; j += 16) {
		int i = 0;
		for (; i + 4 <= n; i += 4)
			tile(4, k, a + (long)i * ar, ar, ak, b + j, ldb, c + (long)i * ldc + j, ldc, accumulate);
		for (; i < n; i++)
			tile(1, k, a + (long)i * ar, ar, ak, b + j, ldb, c + (long)i * ldc + j, ldc, accumulate);
	}
	if (j < m)
		scalar_columns(n, j, m, k, a, ar, ak, b, ldb, c, ldc, accumulate);
}
