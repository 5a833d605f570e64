// Edges across scan lines; see sideways_avx2.c.
#ifndef SUPERPOINT_SIDEWAYS_AVX2_H
#define SUPERPOINT_SIDEWAYS_AVX2_H

#include "nearest_avx2.h"

// struct neighbor_lists are lists of k neighbours a point, of which the first
// around count, 1 ≤ joined < around ≤ 20; xyz has room for one int32 more than the
// points.
struct neighbor_lists {
	const int32_t *xyz;
	const uint32_t *index;
	uint32_t k;
	int joined, around;
};

// neighbor_around writes, for the points from lo to hi − 1, the ranks of
// neighbours that nothing is nearer to both of, how many points may be beyond one at
// a border, and for these the side, three numbers a point. It returns how many points
// it has left to the plain twin, and which.
uint32_t neighbor_around(struct neighbor_lists l, uint32_t lo, uint32_t hi, uint32_t *ranks, uint8_t *border,
                         int8_t *side, uint32_t *left);

// neighbor_sideways_runs returns whether this CPU has what these need.
int neighbor_sideways_runs(void);

#endif
