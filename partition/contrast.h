// The kernel of contrasts; contrast_avx2.c defines it.
#include <stdint.h>

#pragma GCC visibility push(hidden)

// partition_contrast writes the contrasts of all edges of the vertices from lo to hi - 1. placed
// may be NULL.
void partition_contrast(const uint32_t *start, const uint32_t *head, const float *embedding, int64_t dim,
                        const float *placed, double sigma, int64_t lo, int64_t hi, float *contrast);
int partition_contrast_runs(void);

#pragma GCC visibility pop
