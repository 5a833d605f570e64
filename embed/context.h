// The fast kernel of scale.plain in context.go; context.c is its only user.
#include <stdint.h>

#ifdef __clang__ // fuses products and sums else where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

#pragma GCC visibility push(hidden)

// site and within are those of context.go.
struct site { uint32_t cube, at; };
struct within {
    uint32_t cube;
    int32_t at[3];
};

// embed_context writes the values of count points to the places of a row of the table,
// whose rows are width long; a place below 0 is none. The cube of a point is one of cubes, all
// bits where no point of the scale counts; start has the eight corners of every cube of the
// scale, rows what describes a corner, per one step in cubes. If placed is not NULL, it takes
// four numbers a point: the last three that describe it, times pull, and by how much its
// scattering is above from, times by, from 0 to 1.
void embed_context(const struct site *sites, int64_t count, const struct within *cubes, const uint32_t (*start)[8],
                   const float (*rows)[8], float per, const int32_t *place, float *table, int64_t width,
                   float pull, float from, float by, float *placed);

int embed_context_runs(void);

#pragma GCC visibility pop
