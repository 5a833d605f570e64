// SPDX-License-Identifier: BSD-3-Clause
// The kernels of package lpe.
#include "../layout/layout.h"

#pragma GCC visibility push(hidden)

// The name of a kernel, slowest first, or 0.
const char *lpe_kernel_name(int kernel);

// Reports whether this processor runs a kernel.
int lpe_runs(int kernel);

// The bytes that a worker needs.
long lpe_scratch(const struct network *net, long widest);

// lpe_fill_rows fills in count rows, stride numbers apart, from the columns of count points:
// hidden sums, then the first kept columns (see struct network).
void lpe_fill_rows(int kernel, const struct network *net, const uint8_t *numbers, const float *columns, int kept,
                   int64_t count, int64_t stride, int16_t *rows);

// lpe_forward embeds the points lo to hi-1 of a chunk, whose own points are begin to
// begin + own - 1 of the cloud; around has count others. index has the lists of all own points,
// context the other columns of the points from lo on (see struct gathering in gather.h).
// memory is 64-byte aligned, widest the largest number of inputs or outputs of a layer.
void lpe_forward(int kernel, const struct network *net, const uint8_t *numbers, const struct inputs *in, float unit,
                 const uint32_t *index, const int16_t *rows, int64_t stride, int kept, uint32_t begin, uint32_t own,
                 const uint32_t *around, int64_t count, const float *context, int64_t lo, int64_t hi, float *out,
                 uint8_t *memory, long widest);

#pragma GCC visibility pop
