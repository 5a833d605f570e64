// SPDX-License-Identifier: BSD-3-Clause
//go:build amd64 && cgo

#include "kernels.h"

#include <immintrin.h>
#include <string.h>

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

// hidden computes relu(w1 x + t1) of some rows; w1 is s × c1.
INLINE void hidden(int rows, int s, int c1, const float *x, const float *w1, const float *t1, float *a) {
	const v8 zero = _mm256_setzero_ps();
	for (int i = 0; i < rows; i++, x += s, a += c1)
		for (int b = 0; b < c1; b += 8) {
			v8 z = _mm256_loadu_ps(t1 + b);
			for (int d = 0; d < s; d++)
				z = _mm256_fmadd_ps(_mm256_broadcast_ss(x + d), _mm256_loadu_ps(w1 + d * c1 + b), z);
			_mm256_store_ps(a + b, _mm256_max_ps(z, zero));
		}
}

#define MAX_C1 64
#define MAX_K 64
#define CHUNK 128

// sb_set_moments adds Σa and Σaaᵀ of a = relu(w1 x + t1) over a block of rows.
FAST void sb_set_moments(int rows, int s, int c1, const float *x, const float *w1, const float *t1, float *sum,
	float *square) {
	float a[CHUNK * MAX_C1] __attribute__((aligned(64)));
	for (int at = 0; at < rows; at += CHUNK) {
		int r = rows - at < CHUNK ? rows - at : CHUNK;
		if (c1 == 16)
			hidden(r, s, 16, x + (long)at * s, w1, t1, a);
		else
			hidden(r, s, c1, x + (long)at * s, w1, t1, a);
		for (int b = 0; b < c1; b += 8) {
			v8 m = _mm256_loadu_ps(sum + b);
			for (int i = 0; i < r; i++)
				m = _mm256_add_ps(m, _mm256_load_ps(a + i * c1 + b));
			_mm256_storeu_ps(sum + b, m);
		}
		sb_gemm(c1, c1, r, a, 1, c1, a, c1, square, c1, 1);
	}
}

#define GROUP 5

INLINE void set_max(int n, int k, int s, int c1, int c2, const float *x, const float *w1, const float *t1,
                    const float *w2, const float *t2, float *out, uint8_t *arg) {
	float a[(MAX_K + GROUP) * MAX_C1] __attribute__((aligned(64)));
	int32_t index[16] __attribute__((aligned(64)));
	const v8 zero = _mm256_setzero_ps();
	int padded = (k + GROUP - 1) / GROUP * GROUP;
	for (int i = 0; i < n; i++, x += (long)k * s, out += c2, arg += c2) {
		hidden(k, s, c1, x, w1, t1, a);
		for (int j = k; j < padded; j++)
			memcpy(a + j * c1, a + (k - 1) * c1, sizeof(float) * c1);
		for (int c = 0; c < c2; c += 16) {
			v8 best0 = _mm256_set1_ps(-3e38f), best1 = best0;
			__m256i at0 = _mm256_setzero_si256(), at1 = at0;
			for (int j = 0; j < padded; j += GROUP) {
				v8 z0[GROUP], z1[GROUP];
				for (int r = 0; r < GROUP; r++)
					z0[r] = z1[r] = zero;
				for (int h = 0; h < c1; h++) {
					v8 b0 = _mm256_loadu_ps(w2 + h * c2 + c), b1 = _mm256_loadu_ps(w2 + h * c2 + c + 8);
#pragma GCC unroll 5
					for (int r = 0; r < GROUP; r++) {
						v8 y = _mm256_broadcast_ss(a + (j + r) * c1 + h);
						z0[r] = _mm256_fmadd_ps(y, b0, z0[r]);
						z1[r] = _mm256_fmadd_ps(y, b1, z1[r]);
					}
				}
#pragma GCC unroll 5
				for (int r = 0; r < GROUP; r++) {
					v8 over0 = _mm256_cmp_ps(z0[r], best0, _CMP_GT_OQ), over1 = _mm256_cmp_ps(z1[r], best1, _CMP_GT_OQ);
					__m256i here = _mm256_set1_epi32(j + r);
					best0 = _mm256_max_ps(z0[r], best0);
					best1 = _mm256_max_ps(z1[r], best1);
					at0 = _mm256_blendv_epi8(at0, here, _mm256_castps_si256(over0));
					at1 = _mm256_blendv_epi8(at1, here, _mm256_castps_si256(over1));
				}
			}
			_mm256_storeu_ps(out + c, _mm256_max_ps(zero, _mm256_add_ps(best0, _mm256_loadu_ps(t2 + c))));
			_mm256_storeu_ps(out + c + 8, _mm256_max_ps(zero, _mm256_add_ps(best1, _mm256_loadu_ps(t2 + c + 8))));
			_mm256_store_si256((__m256i *)index, at0);
			_mm256_store_si256((__m256i *)(index + 8), at1);
			for (int r = 0; r < 16; r++)
				arg[c + r] = (uint8_t)index[r];
		}
	}
}

FAST void sb_set_max(int n, int k, int s, int c1, int c2, const float *x, const float *w1, const float *t1,
                     const float *w2, const float *t2, float *out, uint8_t *arg) {
	if (c1 == 16 && c2 == 64)
		set_max(n, k, s, 16, 64, x, w1, t1, w2, t2, out, arg);
	else
		set_max(n, k, s, c1, c2, x, w1, t1, w2, t2, out, arg);
}

INLINE void set_sparse(int n, int k, int s, int c1, int c2, const float *x, const float *w1, const float *t1,
                       const float *g, const uint8_t *arg, float *gsum, float *gouter) {
	float a[MAX_K * MAX_C1] __attribute__((aligned(64)));
	for (int i = 0; i < n; i++, x += (long)k * s, g += c2, arg += c2) {
		hidden(k, s, c1, x, w1, t1, a);
		for (int c = 0; c < c2; c++) {
			if (g[c] == 0)
				continue;
			gsum[c] += g[c];
			v8 y = _mm256_broadcast_ss(g + c);
			const float *row = a + arg[c] * c1;
			float *to = gouter + c * c1;
			for (int b = 0; b < c1; b += 8)
				_mm256_storeu_ps(to + b, _mm256_fmadd_ps(y, _mm256_load_ps(row + b), _mm256_loadu_ps(to + b)));
		}
	}
}

FAST void sb_set_sparse(int n, int k, int s, int c1, int c2, const float *x, const float *w1, const float *t1,
                        const float *g, const uint8_t *arg, float *gsum, float *gouter) {
	if (c1 == 16)
		set_sparse(n, k, s, 16, c2, x, w1, t1, g, arg, gsum, gouter);
	else
		set_sparse(n, k, s, c1, c2, x, w1, t1, g, arg, gsum, gouter);
}

INLINE void set_back(int n, int k, int s, int c1, int c2, const float *x, const float *w1, const float *t1,
                     const float *w2t, const float *g, const uint8_t *arg, const float *u, const float *q,
                     const float *p, int sp, float *ysum, float *youter, float *pouter) {
	float a[MAX_K * MAX_C1] __attribute__((aligned(64)));
	float d[MAX_K * MAX_C1] __attribute__((aligned(64)));
	const v8 zero = _mm256_setzero_ps();
	for (int i = 0; i < n; i++, x += (long)k * s, g += c2, arg += c2) {
		hidden(k, s, c1, x, w1, t1, a);
		for (int j = 0; j < k; j++)
			for (int b = 0; b < c1; b += 8) {
				v8 z = _mm256_loadu_ps(u + b), z1 = zero;
				for (int h = 0; h < c1; h += 2) {
					z = _mm256_fmadd_ps(_mm256_broadcast_ss(a + j * c1 + h), _mm256_loadu_ps(q + h * c1 + b), z);
					z1 = _mm256_fmadd_ps(_mm256_broadcast_ss(a + j * c1 + h + 1), _mm256_loadu_ps(q + (h + 1) * c1 + b), z1);
				}
				_mm256_store_ps(d + j * c1 + b, _mm256_add_ps(z, z1));
			}
		for (int c = 0; c < c2; c++) {
			if (g[c] == 0)
				continue;
			v8 y = _mm256_broadcast_ss(g + c);
			float *to = d + arg[c] * c1;
			for (int b = 0; b < c1; b += 8)
				_mm256_store_ps(to + b, _mm256_fmadd_ps(y, _mm256_loadu_ps(w2t + c * c1 + b), _mm256_load_ps(to + b)));
		}
		for (int b = 0; b < c1; b += 8) {
			v8 y = _mm256_loadu_ps(ysum + b);
			for (int j = 0; j < k; j++) {
				v8 on = _mm256_cmp_ps(_mm256_load_ps(a + j * c1 + b), zero, _CMP_GT_OQ);
				v8 z = _mm256_and_ps(on, _mm256_load_ps(d + j * c1 + b));
				_mm256_store_ps(d + j * c1 + b, z);
				y = _mm256_add_ps(y, z);
			}
			_mm256_storeu_ps(ysum + b, y);
		}
		for (int b = 0; b < c1; b += 8)
			for (int e = 0; e < s; e++) {
				v8 y = _mm256_loadu_ps(youter + e * c1 + b);
				for (int j = 0; j < k; j++)
					y = _mm256_fmadd_ps(_mm256_broadcast_ss(x + j * s + e), _mm256_load_ps(d + j * c1 + b), y);
				_mm256_storeu_ps(youter + e * c1 + b, y);
			}
		if (p) {
			for (int b = 0; b < c1; b += 8) {
				v8 y0 = zero, y1 = zero;
				for (int j = 0; j < k; j++) {
					v8 z = _mm256_load_ps(d + j * c1 + b);
					y0 = _mm256_fmadd_ps(_mm256_broadcast_ss(p + j * sp), z, y0);
					y1 = _mm256_fmadd_ps(_mm256_broadcast_ss(p + j * sp + 1), z, y1);
				}
				_mm256_storeu_ps(pouter + b, y0);
				_mm256_storeu_ps(pouter + c1 + b, y1);
			}
			p += (long)k * sp;
			pouter += 2 * c1;
		}
	}
}

FAST void sb_set_back(int n, int k, int s, int c1, int c2, const float *x, const float *w1, const float *t1,
                      const float *w2t, const float *g, const uint8_t *arg, const float *u, const float *q,
                      const float *p, int sp, float *ysum, float *youter, float *pouter) {
	if (c1 == 16)
		set_back(n, k, s, 16, c2, x, w1, t1, w2t, g, arg, u, q, p, sp, ysum, youter, pouter);
	else
		set_back(n, k, s, c1, c2, x, w1, t1, w2t, g, arg, u, q, p, sp, ysum, youter, pouter);
}
