// Edges across scan lines; see sideways_avx2.c, beyond_avx2.c and kept_avx2.c.
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

// struct neighbor_wishes are what points wish for, as in wishes.go; place and beside
// are of points that have looked.
struct neighbor_wishes {
	const uint32_t *which;
	const uint8_t *border;
	const uint32_t *place, *beside;
};

// neighbor_around writes, for the points from lo to hi − 1, the ranks of
// neighbours that nothing is nearer to both of, and how many points may be beyond
// one at a border. It returns how many points it has left to the plain twin, and
// which.
uint32_t neighbor_around(struct neighbor_lists l, uint32_t lo, uint32_t hi, uint32_t *ranks, uint8_t *border,
                         uint32_t *left);

// neighbor_beyond writes the wishes of points at a border for two points beyond
// their neighbours each, or UINT32_MAX for none. It returns how many of the points
// it has left to the plain twin, and their places.
uint32_t neighbor_beyond(struct neighbor_lists l, const struct neighbor_node *nodes, const uint32_t *points,
                         uint32_t count, uint32_t *beside, uint32_t *left);

// neighbor_kept writes which of their wishes the points from lo to hi − 1 keep. It
// returns how many of the points it has left to the plain twin, and which.
uint32_t neighbor_kept(struct neighbor_lists l, const struct neighbor_node *nodes, struct neighbor_wishes w,
                       uint32_t lo, uint32_t hi, uint32_t *keep, uint32_t *left);

// neighbor_sideways_runs returns whether this CPU has what these need.
int neighbor_sideways_runs(void);

#endif
