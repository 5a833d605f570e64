// SPDX-License-Identifier: BSD-3-Clause
#ifndef CLASSES_DENSE_H
#define CLASSES_DENSE_H

#include <stdint.h>

/* y = weightᵀx + bias; weight is inputs × outputs, row major. */
void classes_dense(float *y, int64_t outputs, const float *x, int64_t inputs, const float *weight, const float *bias);

/* Nonzero if this processor can run it. */
int classes_dense_runs(void);

#endif
