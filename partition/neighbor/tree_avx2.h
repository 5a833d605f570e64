// The kernel of splitter.split in tree.go; tree_avx2.c defines it.
#include <stdint.h>

#pragma GCC visibility push(hidden)

// neighbor_split moves the item of rank middle along the axis, on which coordinates are from
// low to high, to items[middle], smaller ones before it and larger ones after it, and writes
// the least and the greatest coordinates of both parts. It returns 0 if the first part has an
// item at the position of that one. spare is as long as items.
int neighbor_split(int32_t (*items)[4], int32_t (*spare)[4], uint32_t count, uint32_t middle, int axis, int32_t low,
                   int32_t high, int32_t (*boxes)[4]);
int neighbor_split_runs(void);

#pragma GCC visibility pop
