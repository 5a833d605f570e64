// SPDX-License-Identifier: BSD-3-Clause
// The fast kernel of scale.plain in context.go; context.c is its only user.
#include <stdint.h>

#ifdef __clang__ // else it fuses products and sums where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

#pragma GCC visibility push(hidden)

// site and cube_position are those of context.go.
struct site { uint32_t cube, at; };
struct cube_position {
    uint32_t cube;
    int32_t at[3];
};

// embed_context writes the context of count points to rows of the table, width numbers each:
// value v to index place[v], unless that is below 0. sites and scattered, which receives the
// scattering unless it is NULL, are of all points of the cloud. cubes maps the near cube of a site
// to a cube of the scale; UINT32_MAX: one without points, where all values are 0. start has the
// indices in rows of the eight corners of every cube of the scale; per is 1/(steps of its edge).
// Of a row of eight numbers the last three are 0.
void embed_context(const struct site *sites, const struct cube_position *cubes, const uint32_t *points, int64_t count,
                   const uint32_t (*start)[8], const float (*rows)[8], float per, const int32_t *place, float *table,
                   int64_t width, float *scattered);

int embed_context_runs(void);

#pragma GCC visibility pop
