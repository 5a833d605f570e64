//go:build cgo && (amd64 || arm64)

// The twin of scale.plain in context.go, four values at a time. Operations and their
// order are those of the twin, so the values are, too.

#include "context.h"

#include <string.h>

typedef float f4 __attribute__((vector_size(16)));

enum { values = 5, scattering = 1 };

void embed_context(const int32_t (*at)[3], const uint32_t *cube, int64_t count, const uint32_t (*start)[8],
                   const float (*rows)[8], float per, const int32_t *place, float *table, int64_t width,
                   float pull, float from, float by, float *placed) {
    for (int64_t i = 0; i < count; i++, table += width) {
        if (cube[i] == UINT32_MAX) {
            for (int v = 0; v < values; v++)
                if (place[v] >= 0)
                    table[place[v]] = 0;
            if (placed)
                memset(placed + 4 * i, 0, 4 * sizeof *placed);
            continue;
        }
        const uint32_t *corner = start[cube[i]];
        float x = (float)at[i][0] * per, y = (float)at[i][1] * per, z = (float)at[i][2] * per;
        float along[2] = {1 - x, x}, across[2] = {1 - y, y}, up[2] = {1 - z, z};
        f4 low = {0}, high = {0};
        for (int c = 0; c < 8; c++) {
            float w = along[c & 1] * across[c >> 1 & 1] * up[c >> 2];
            f4 a, b, weight = {w, w, w, w};
            memcpy(&a, rows[corner[c]], sizeof a);
            memcpy(&b, rows[corner[c]] + 4, sizeof b);
            low += weight * a;
            high += weight * b;
        }
        float all[8];
        memcpy(all, &low, sizeof low);
        memcpy(all + 4, &high, sizeof high);
        for (int v = 0; v < values; v++)
            if (place[v] >= 0)
                table[place[v]] = all[v];
        if (!placed)
            continue;
        for (int a = 0; a < 3; a++)
            placed[4 * i + a] = all[values + a] * pull;
        float damping = (all[scattering] - from) * by;
        placed[4 * i + 3] = damping < 0 ? 0 : damping > 1 ? 1 : damping;
    }
}
