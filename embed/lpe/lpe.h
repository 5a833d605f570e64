// The fast kernels of package lpe.
#include "../layout/layout.h"

#ifdef __clang__ // fuses products and sums else where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

#pragma GCC visibility push(hidden)

// embed_gather of ../gather.h.
typedef void lpe_gather(const struct inputs *inputs, float unit, const int32_t *xyz, int64_t points,
                        const uint32_t *index, const float *table, int64_t lo, int64_t hi, float *set, float *point);

// What a gather reads: its arguments but for the last four.
#define LPE_SOURCE                                                                                                     \
    lpe_gather *gather, const struct inputs *inputs, float unit, const int32_t *xyz, int64_t points,                   \
        const uint32_t *index, const float *table

// lpe_forward embeds the points lo to hi-1, batch at a time; set and point hold
// a batch's inputs.
void lpe_forward(const struct network *net, const float *weights, LPE_SOURCE, int64_t lo, int64_t hi,
                 int batch, float *set, float *point, float *out, float *scratch, long widest);

#pragma GCC visibility pop
