// What is measured of a neighbourhood: the twin of Inputs.Measure in inputs.go, four
// axes at a time. The operations and their order are the same, so the values are, too.
#include "layout/layout.h"

#include <math.h>
#include <string.h>

#ifdef __clang__ // fuses products and sums else where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

typedef float f4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));

struct surroundings {
    float scale, radius, away, height; // as in Go's Surroundings
};

static inline float lesser(float a, float b) { return a < b ? a : b; }
static inline float greater(float a, float b) { return a > b ? a : b; }

// position loads the three coordinates of point j; the last point of the cloud
// has nothing behind it to fill a register with.
static inline i4 position(const int32_t *xyz, int64_t points, int64_t j) {
    i4 v = {0, 0, 0, 0};
    if (j + 1 < points)
        memcpy(&v, xyz + 3 * j, 16);
    else
        memcpy(&v, xyz + 3 * j, 12);
    return v;
}

static inline f4 clamp(f4 v) {
    const f4 high = {FARTHEST, FARTHEST, FARTHEST, FARTHEST}, low = -high;
    i4 over = v > high, under = v < low;
    i4 bits = ((i4)high & over) | ((i4)v & ~over);
    return (f4)(((i4)low & under) | (bits & ~under));
}

// measure writes the offsets of the k neighbours.
static inline __attribute__((always_inline)) struct surroundings
measure(const struct inputs *in, float unit, const int32_t *xyz, int64_t points, const uint32_t *near, int64_t i,
        f4 *offset) {
    const int k = in->neighbors, m = in->near;
    const i4 at = position(xyz, points, i);
    const f4 units = {unit, unit, unit, unit};
    f4 sum = {0, 0, 0, 0};
    for (int r = 0, s = 0; r < k; r++, s = s + 1 == m ? 0 : s + 1) {
        offset[r] = __builtin_convertvector(position(xyz, points, near[s]) - at, f4) * units;
        sum += offset[r];
    }
    const float per = 1 / (float)k;
    const f4 mean = sum * per;
    f4 square = {0, 0, 0, 0};
    float low = offset[0][2], high = low;
    for (int r = 0; r < k; r++) {
        f4 d = offset[r] - mean;
        square += d * d;
        low = lesser(low, offset[r][2]);
        high = greater(high, offset[r][2]);
    }
    const float radius = sqrtf((square[0] + square[1] + square[2]) * per);
    const float away = sqrtf(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    return (struct surroundings){1 / (radius + RADIUS_EPSILON), radius, away, high - low};
}

// channel_of returns a point channel that is no column; 0 for an entry of Ω.
static inline float channel_of(const struct surroundings *m, enum channel channel) {
    switch (channel) {
    case CHANNEL_RADIUS: return lesser(m->radius, FARTHEST);
    case CHANNEL_CENTROID_OFFSET: return lesser(m->away * m->scale, FARTHEST_MEAN);
    case CHANNEL_HEIGHT_RANGE: return lesser(m->height, HIGHEST_EXTENT);
    default: return 0;
    }
}
