// The fast kernel of Inputs.Gather, called by gather_cgo.go and, through
// Inputs.Gathering, by the embedder's kernel in lpe.
#include <stdint.h>

#pragma GCC visibility push(hidden)

// plan: neighbours k, neighbours listed, rows, neighbour channels c, point
// channels p, table width, place of the normal; then for each channel (first
// of neighbours, then of points) its kind and its column.
void embed_gather(const int32_t *plan, float unit, const int32_t *xyz, int64_t points, const uint32_t *index, const float *table,
                  int64_t lo, int64_t hi, float *set, float *point);

#pragma GCC visibility pop
