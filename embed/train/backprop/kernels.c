// SPDX-License-Identifier: BSD-3-Clause
//go:build amd64 && cgo

#include "kernels.h"

#include <immintrin.h>

// The functions are compiled for AVX2 and FMA one by one, because cgo does not pass
// -mfma, and called only where sb_supported returns true.
#define FAST __attribute__((target("avx2,fma")))
#define INLINE FAST static inline __attribute__((always_inline))

typedef __m256 v8;

int sb_supported(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

// tile computes a block of R ≤ 4 rows × 16 columns of C.
INLINE void tile(int R, int k, const float *a, long ar, long ak, const float *b, long ldb, float *c, long ldc,
                 int accumulate)
{
    v8 acc[4][2];
    for (int r = 0; r < R; r++)
        for (int j = 0; j < 2; j++) acc[r][j] = accumulate ? _mm256_loadu_ps(c + r * ldc + 8 * j) : _mm256_setzero_ps();
    for (int t = 0; t < k; t++) {
        v8 b0 = _mm256_loadu_ps(b + t * ldb), b1 = _mm256_loadu_ps(b + t * ldb + 8);
        for (int r = 0; r < R; r++) {
            v8 x = _mm256_broadcast_ss(a + r * ar + t * ak);
            acc[r][0] = _mm256_fmadd_ps(x, b0, acc[r][0]);
            acc[r][1] = _mm256_fmadd_ps(x, b1, acc[r][1]);
        }
    }
    for (int r = 0; r < R; r++)
        for (int j = 0; j < 2; j++) _mm256_storeu_ps(c + r * ldc + 8 * j, acc[r][j]);
}

FAST static void scalar_columns(int n, int j0, int m, int k, const float *a, long ar, long ak, const float *b, long ldb,
                                float *c, long ldc, int accumulate)
{
    for (int i = 0; i < n; i++)
        for (int j = j0; j < m; j++) {
            float s = accumulate ? c[i * ldc + j] : 0;
            for (int t = 0; t < k; t++) s += a[i * ar + t * ak] * b[t * ldb + j];
            c[i * ldc + j] = s;
        }
}

// sb_gemm: C[i][j] (+)= Σ_t a[i·ar + t·ak] · b[t·ldb + j].
FAST void sb_gemm(int n, int m, int k, const float *a, int ar, int ak, const float *b, int ldb, float *c, int ldc,
                  int accumulate)
{
    int j = 0;
    for (; j + 16 <= m; j += 16) {
        int i = 0;
        for (; i + 4 <= n; i += 4)
            tile(4, k, a + (long)i * ar, ar, ak, b + j, ldb, c + (long)i * ldc + j, ldc, accumulate);
        for (; i < n; i++) tile(1, k, a + (long)i * ar, ar, ak, b + j, ldb, c + (long)i * ldc + j, ldc, accumulate);
    }
    if (j < m)
        scalar_columns(n, j, m, k, a, ar, ak, b, ldb, c, ldc, accumulate);
}

#define GROUP 5

INLINE void set_max(int n, int k, int c1, int c2, const float *a, const float *w2, const float *t2, float *out,
                    uint8_t *arg)
{
    int32_t index[16] __attribute__((aligned(64)));
    const v8 zero = _mm256_setzero_ps();
    for (int i = 0; i < n; i++, a += (long)k * c1, out += c2, arg += c2) {
        for (int c = 0; c < c2; c += 16) {
            v8 best0 = _mm256_set1_ps(-3e38f), best1 = best0;
            __m256i at0 = _mm256_setzero_si256(), at1 = at0;
            for (int at = 0; at < k; at += GROUP) {
                const int j = at + GROUP < k ? at : k - GROUP; // some twice if k is no multiple
                v8 z0[GROUP], z1[GROUP];
                for (int r = 0; r < GROUP; r++) z0[r] = z1[r] = zero;
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
            for (int r = 0; r < 16; r++) arg[c + r] = (uint8_t)index[r];
        }
    }
}

FAST void sb_set_max(int n, int k, int c1, int c2, const float *a, const float *w2, const float *t2, float *out,
                     uint8_t *arg)
{
    if (c1 == 16 && c2 == 64)
        set_max(n, k, 16, 64, a, w2, t2, out, arg);
    else
        set_max(n, k, c1, c2, a, w2, t2, out, arg);
}
