// The fast kernel of scale.plain in context.go; context.c is its only user.
#include <stdint.h>

#ifdef __clang__ // fuses products and sums else where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

#pragma GCC visibility push(hidden)

// embed_context writes the values of count points to the places of a row of the table,
// whose rows are width long; a place below 0 is none. at is where each point is in its
// cube, in steps from its first corner, cube which one it is or all bits, start the
// eight corners of every cube, rows what describes a corner, per one step in cubes. If placed
// is not NULL, it takes four numbers a point: the last three that describe it, times pull, and
// by how much its scattering is above from, times by, from 0 to 1.
void embed_context(const int32_t (*at)[3], const uint32_t *cube, int64_t count, const uint32_t (*start)[8],
                   const float (*rows)[8], float per, const int32_t *place, float *table, int64_t width,
                   float pull, float from, float by, float *placed);

#pragma GCC visibility pop
