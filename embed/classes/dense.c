//go:build cgo && amd64

// The twin of plainDense in dense.go with AVX2, eight outputs at a time: each output
// has its own sum, of the same products in the same order, so the values are the same.

#include "dense.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

// rows adds count ≤ 4 rows, times a value each, to y: four as one sum, fewer one by one.
TARGET static void rows(float *y, int64_t n, const float *value, const float *const *row, int count) {
    int64_t o = 0;
    for (; o + 8 <= n; o += 8) {
        __m256 sum = _mm256_loadu_ps(y + o), p[4];
        for (int k = 0; k < count; k++) p[k] = _mm256_mul_ps(_mm256_set1_ps(value[k]), _mm256_loadu_ps(row[k] + o));
        if (count == 4)
            sum = _mm256_add_ps(sum, _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(p[0], p[1]), p[2]), p[3]));
        else
            for (int k = 0; k < count; k++) sum = _mm256_add_ps(sum, p[k]);
        _mm256_storeu_ps(y + o, sum);
    }
    for (; o < n; o++) {
        if (count == 4)
            y[o] += value[0] * row[0][o] + value[1] * row[1][o] + value[2] * row[2][o] + value[3] * row[3][o];
        else
            for (int k = 0; k < count; k++) y[o] += value[k] * row[k][o];
    }
}

TARGET void classes_dense(float *y, int64_t outputs, const float *x, int64_t inputs, const float *weight,
                          const float *bias) {
    for (int64_t o = 0; o < outputs; o++) y[o] = bias[o];
    float value[4];
    const float *row[4];
    int n = 0;
    for (int64_t i = 0; i < inputs; i++) {
        if (x[i] == 0) continue;
        value[n] = x[i];
        row[n] = weight + i * outputs;
        if (++n < 4) continue;
        rows(y, outputs, value, row, 4);
        n = 0;
    }
    if (n > 0) rows(y, outputs, value, row, n);
}

int classes_dense_runs(void) { return __builtin_cpu_supports("avx2"); }
