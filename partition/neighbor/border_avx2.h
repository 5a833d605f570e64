// SPDX-License-Identifier: BSD-3-Clause
// Edges across scan lines; see border_avx2.c.
#ifndef SUPERPOINT_BORDER_AVX2_H
#define SUPERPOINT_BORDER_AVX2_H

#include "nearest_avx2.h"

// struct neighbor_lists has lists of k neighbours a point. The first around are used, the
// first joined have edges without this, 1 ≤ joined < around ≤ 20; xyz has room for one int32
// more than the points.
struct neighbor_lists {
    const int32_t *xyz;
    const uint32_t *index;
    uint32_t k;
    int joined, around;
};

// neighbor_around writes the results of borderSearch.around for the points from lo to hi − 1:
// ranks, border and side, three numbers a point. It lists the points that it cannot compute
// in left, and returns their number.
uint32_t neighbor_around(struct neighbor_lists l, uint32_t lo, uint32_t hi, uint32_t *ranks, uint8_t *border,
                         int8_t *side, uint32_t *left);

// neighbor_in_cone returns borderSearch.inCone of the point own, UINT32_MAX for none. limit is below 2^53, so that
// squared distances up to it are exact. axis is a unit vector.
uint32_t neighbor_in_cone(const struct neighbor_node *nodes, const int32_t *xyz, uint32_t own, const double *axis,
                          double limit);

// struct neighbor_tube has the layout of tube in gap.go.
struct neighbor_tube {
    double back[3], length, radius, per;
    int32_t lo[3], hi[3];
};

// neighbor_gap_behind returns borderSearch.gapBehind of the point own, for a tube behind it.
int neighbor_gap_behind(const struct neighbor_node *nodes, const int32_t *xyz, uint32_t own,
                        const struct neighbor_tube *tube);

// neighbor_border_runs returns nonzero if this CPU can run it.
int neighbor_border_runs(void);

#endif
