// SPDX-License-Identifier: BSD-3-Clause
// Fused float32 kernels of one training step, for CPUs with AVX2 and FMA.
// Their plain Go twins are in plain.go; the layouts are described there.
#ifndef SUPERPOINT_BACKPROP_KERNELS_H
#define SUPERPOINT_BACKPROP_KERNELS_H

#include <stdint.h>

// sb_supported returns 1 if this CPU has AVX2 and FMA.
int sb_supported(void);

void sb_gemm(int n, int m, int k, const float *a, int ar, int ak, const float *b, int ldb, float *c, int ldc,
             int accumulate);
void sb_set_max(int n, int k, int c1, int c2, const float *a, const float *w2, const float *t2, float *out,
                uint8_t *arg);

#endif
