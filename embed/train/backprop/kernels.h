// SPDX-License-Identifier: BSD-3-Clause
// The float32 kernel of a training step, for CPUs with AVX2 and FMA. Its twin in plain Go is in plain.go.
#ifndef SUPERPOINT_BACKPROP_KERNELS_H
#define SUPERPOINT_BACKPROP_KERNELS_H

// sb_supported returns 1 if this CPU has AVX2 and FMA.
int sb_supported(void);

void sb_gemm(int n, int m, int k, const float *a, int ar, int ak, const float *b, int ldb, float *c, int ldc,
             int accumulate);

#endif
