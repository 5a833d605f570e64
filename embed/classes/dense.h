// SPDX-License-Identifier: BSD-3-Clause
// The same as plainDense in network.go, bit for bit: the compiler computes several outputs at a time, with the
// operations of each in the same order, and ISO C fuses no products and sums.

#include <stdint.h>

#ifdef __clang__ // which fuses them otherwise
#pragma STDC FP_CONTRACT OFF
#endif

static inline __attribute__((always_inline)) void add_rows(float *restrict y, int64_t outputs, const float *restrict x,
                                                           int64_t inputs, const float *restrict weight)
{
    const float *row[4];
    float value[4];
    int n = 0;
    for (int64_t i = 0; i < inputs; i++) {
        if (x[i] == 0)
            continue;
        value[n] = x[i];
        row[n] = weight + i * outputs;
        if (++n < 4)
            continue;
        n = 0;
        const float *restrict a = row[0], *restrict b = row[1], *restrict c = row[2], *restrict d = row[3];
        const float p = value[0], q = value[1], r = value[2], s = value[3];
        for (int64_t o = 0; o < outputs; o++) y[o] += p * a[o] + q * b[o] + r * c[o] + s * d[o];
    }
    for (int k = 0; k < n; k++)
        for (int64_t o = 0; o < outputs; o++) y[o] += value[k] * row[k][o];
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) void add_rows_avx2(float *y, int64_t outputs, const float *x, int64_t inputs,
                                                          const float *weight)
{
    add_rows(y, outputs, x, inputs, weight);
}
#endif

// dense adds the rows of weight, inputs × outputs, times x to y.
static void dense(float *y, int64_t outputs, const float *x, int64_t inputs, const float *weight)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        add_rows_avx2(y, outputs, x, inputs, weight);
        return;
    }
#endif
    add_rows(y, outputs, x, inputs, weight);
}
