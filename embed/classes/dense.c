// SPDX-License-Identifier: BSD-3-Clause
//go:build cgo && amd64

// The same as plainDense in network.go with AVX2, eight outputs at a time: each output has
// its own sum, of the same products in the same order, so the bits are the same.

#include "dense.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

// most is the number of nonzero inputs that are listed at a time, a multiple of 4.
enum { most = 256 };

// four adds to y the sum of four rows of weight, each times its value of x.
TARGET static void four(float *y, int64_t n, const float *x, const int32_t *at, const float *weight) {
    const float *a = weight + at[0] * n, *b = weight + at[1] * n, *c = weight + at[2] * n, *d = weight + at[3] * n;
    const float p = x[at[0]], q = x[at[1]], r = x[at[2]], s = x[at[3]];
    const __m256 ps = _mm256_set1_ps(p), qs = _mm256_set1_ps(q), rs = _mm256_set1_ps(r), ss = _mm256_set1_ps(s);
    int64_t o = 0;
    for (; o + 8 <= n; o += 8) {
        __m256 sum = _mm256_mul_ps(ps, _mm256_loadu_ps(a + o));
        sum = _mm256_add_ps(sum, _mm256_mul_ps(qs, _mm256_loadu_ps(b + o)));
        sum = _mm256_add_ps(sum, _mm256_mul_ps(rs, _mm256_loadu_ps(c + o)));
        sum = _mm256_add_ps(sum, _mm256_mul_ps(ss, _mm256_loadu_ps(d + o)));
        _mm256_storeu_ps(y + o, _mm256_add_ps(_mm256_loadu_ps(y + o), sum));
    }
    for (; o < n; o++) y[o] += p * a[o] + q * b[o] + r * c[o] + s * d[o];
}

// one adds to y a row times x.
TARGET static void one(float *y, int64_t n, float x, const float *row) {
    const __m256 value = _mm256_set1_ps(x);
    int64_t o = 0;
    for (; o + 8 <= n; o += 8)
        _mm256_storeu_ps(y + o, _mm256_add_ps(_mm256_loadu_ps(y + o), _mm256_mul_ps(value, _mm256_loadu_ps(row + o))));
    for (; o < n; o++) y[o] += x * row[o];
}

// Half of the inputs are 0 after a ReLU. The nonzero ones are listed without a branch, which
// would be mispredicted half of the time.
TARGET void classes_dense(float *y, int64_t outputs, const float *x, int64_t inputs, const float *weight,
                          const float *bias) {
    for (int64_t o = 0; o < outputs; o++) y[o] = bias[o];
    int32_t at[most];
    int n = 0;
    for (int64_t i = 0; i < inputs;) {
        for (; i < inputs && n < most; i++) {
            at[n] = (int32_t)i;
            n += x[i] != 0;
        }
        int done = 0;
        for (; done + 4 <= n; done += 4) four(y, outputs, x, at + done, weight);
        n -= done;
        for (int k = 0; k < n; k++) at[k] = at[done + k];
    }
    for (int k = 0; k < n; k++) one(y, outputs, x[at[k]], weight + at[k] * outputs);
}

int classes_dense_runs(void) { return __builtin_cpu_supports("avx2"); }
