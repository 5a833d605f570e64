// SPDX-License-Identifier: BSD-3-Clause
// The kernel of Inputs.shapes; shapes.c defines it.
#include "layout/layout.h"

#ifdef __clang__ // else it fuses products and sums where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

#pragma GCC visibility push(hidden)

// embed_shapes fills in rows of stride numbers for count points. It lists in left, which has
// room for all, the indices of the points that it cannot compute, and returns their number.
// index has listed neighbours for every point of the cloud, of which the first near are used.
int64_t embed_shapes(const struct shapes *place, double unit, const int32_t *xyz, const uint32_t *index, int64_t listed,
                     int near, const uint32_t *points, int64_t count, float *rows, int64_t stride, uint32_t *left);

int embed_shapes_runs(void);

#pragma GCC visibility pop
