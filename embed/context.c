// SPDX-License-Identifier: BSD-3-Clause
//go:build cgo && (amd64 || arm64)

// The same as scale.plain in context.go, eight values at a time. Operations and their order
// are the same, and none is fused (see context.h), so the bits are the same, too.

#include "context.h"

#include <string.h>

typedef float f4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));

enum { values = 5, scattering = 1, bits = 10, steps = 1 << bits };

#ifdef __x86_64__
__attribute__((target("avx2")))
#endif
void embed_context(const struct site *sites, const struct cube_position *cubes, const uint32_t *points, int64_t count,
                   const uint32_t (*start)[8], const float (*rows)[8], float per, const int32_t *place, float *table,
                   int64_t width, float *scattered) {
    for (int64_t k = 0; k < count; k++, table += width) {
        const uint32_t i = points[k];
        const struct cube_position *in = cubes + sites[i].cube;
        f8 sum = {0};
        if (in->cube != UINT32_MAX) {
            const uint32_t *corner = start[in->cube], at = sites[i].at;
            const float x = (float)(in->at[0] + (int32_t)(at & (steps - 1))) * per;
            const float y = (float)(in->at[1] + (int32_t)(at >> bits & (steps - 1))) * per;
            const float z = (float)(in->at[2] + (int32_t)(at >> 2 * bits)) * per;
            const f4 plane = (f4){1 - x, x, 1 - x, x} * (f4){1 - y, 1 - y, y, y};
            const f4 low = plane * (1 - z), high = plane * z;
            for (int c = 0; c < 8; c++) {
                f8 row;
                memcpy(&row, rows[corner[c]], sizeof row);
                sum += (c < 4 ? low[c] : high[c - 4]) * row;
            }
        }
        for (int v = 0; v < values; v++)
            if (place[v] >= 0) table[place[v]] = sum[v];
        if (scattered) scattered[i] = sum[scattering];
    }
}

int embed_context_runs(void) {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return 1;
#endif
}
