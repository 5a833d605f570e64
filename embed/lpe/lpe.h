// The fast kernels of package lpe; kernel.h says what the arguments are.
#include <stdint.h>

#pragma GCC visibility push(hidden)

// The best level this processor runs: 2 AVX-512, 1 AVX2 with FMA, 0 what every
// processor of its kind has.
int lpe_best(void);

void lpe_forward(int level, const int32_t *plan, const float *weights, int n, const float *set, const float *point, float *out,
                 float *scratch, long widest);

#pragma GCC visibility pop
