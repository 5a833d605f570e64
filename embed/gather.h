// The fast kernel of Inputs.Gather, called by gather_cgo.go and, through
// Inputs.Gathering, by the embedder's kernel in lpe.
#include "layout/layout.h"

#ifdef __clang__ // fuses products and sums else where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

#pragma GCC visibility push(hidden)

// set has in->rows rows of in->neighbor_channels for each of the points lo to
// hi-1, point in->point_channels.
void embed_gather(const struct inputs *in, float unit, const int32_t *xyz, int64_t points, const uint32_t *index,
                  const float *table, int64_t lo, int64_t hi, float *set, float *point);

#pragma GCC visibility pop
