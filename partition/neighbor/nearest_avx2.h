// SPDX-License-Identifier: BSD-3-Clause
// Nearest neighbours of whole leaves of a k-d tree; see nearest_avx2.c.
#ifndef SUPERPOINT_NEAREST_AVX2_H
#define SUPERPOINT_NEAREST_AVX2_H

#include <stdint.h>

// struct neighbor_node has the layout of node in tree.go.
#define LEAF_FLAG 0x80000000u
struct neighbor_node {
    int32_t lo[3], hi[3];
    uint32_t start, link;
};

// neighbor_avx2_runs returns nonzero if this CPU can run neighbor_avx2.
int neighbor_avx2_runs(void);

// neighbor_avx2 writes the rows of out that belong to points of the given
// leaves, k indices each, 1 ≤ k ≤ 100, k < n. xyz has room for one int32 more
// than n points. It sets skipped[i] to 1, and does not write the rows of leaves[i], if
// neighbours are too far away or too many for its buffers, else to 0. It returns 0 if it
// cannot allocate its buffers.
int neighbor_avx2(const struct neighbor_node *nodes, const int32_t *xyz, const uint32_t *leaves, uint32_t count,
                  uint32_t k, uint32_t *out, uint8_t *skipped);

#endif
