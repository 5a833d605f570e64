//go:build cgo && (amd64 || arm64)

// The twin of Inputs.Gather in inputs.go, four axes at a time. The operations
// and their order are the same, so the values are, too.

#include "gather.h"

#include <math.h>
#include <string.h>

typedef float f4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));

enum { MOST_ROWS = MOST_NEIGHBORS + 16 }; // of a set: neighbours, padded

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

// copy fills in count channels from h that read count columns in a row.
static inline __attribute__((always_inline)) void copy(int count, const struct inputs *in, int h, const uint32_t *near,
                                                       const float *table, float *set) {
    const int k = in->neighbors, m = in->near, c = in->neighbor_channels, width = in->width;
    set += h, table += in->neighbor[h].column;
    for (int r = 0, s = 0; r < k; r++, set += c, s = s + 1 == m ? 0 : s + 1) {
        const float *other = table + (int64_t)near[s] * width;
        for (int q = 0; q < count; q++) set[q] = other[q];
    }
}

// run returns how many channels from h on, at most 4, copy columns in a row.
static int run(const struct inputs *in, int h) {
    const struct source *first = in->neighbor + h;
    int count = 0;
    while (count < 4 && h + count < in->neighbor_channels && first[count].channel == CHANNEL_COLUMN &&
           first[count].column == first->column + count)
        count++;
    return count;
}

// channels fills in the channels from h on of every row and returns how many.
static int channels(const struct inputs *in, int h, const uint32_t *near, int64_t i, const float *table,
                    const f4 *offset, float *set) {
    switch (run(in, h)) {
    case 1: copy(1, in, h, near, table, set); return 1;
    case 2: copy(2, in, h, near, table, set); return 2;
    case 3: copy(3, in, h, near, table, set); return 3;
    case 4: copy(4, in, h, near, table, set); return 4;
    }
    const int k = in->neighbors, m = in->near, c = in->neighbor_channels, width = in->width;
    const enum channel channel = in->neighbor[h].channel;
    table += in->neighbor[h].column;
    const float *own = table + i * width;
    for (int r = 0, s = 0; r < k; r++, s = s + 1 == m ? 0 : s + 1) {
        const float *other = table + (int64_t)near[s] * width;
        float v = 0;
        switch (channel) {
        case CHANNEL_D_COLUMN: v = *other - *own; break;
        case CHANNEL_NORMAL_TURN:
            v = greater(1 - fabsf(own[0] * other[0] + own[1] * other[1] + own[2] * other[2]), 0);
            break;
        case CHANNEL_RISE: v = lesser(greater(offset[r][2], -HIGHEST_RISE), HIGHEST_RISE); break;
        default: break; // of points, or done
        }
        set[r * c + h] = v;
    }
    return 1;
}

// describe fills in the channels of a point from what its neighbourhood measures.
static void describe(const struct inputs *in, const float *own, float radius, float away, float height, float *point) {
    for (int h = 0; h < in->point_channels; h++) {
        switch (in->point[h].channel) {
        case CHANNEL_COLUMN: point[h] = own[in->point[h].column]; break;
        case CHANNEL_RADIUS: point[h] = lesser(radius, FARTHEST); break;
        case CHANNEL_CENTROID_OFFSET: point[h] = lesser(away, FARTHEST_MEAN); break;
        case CHANNEL_HEIGHT_RANGE: point[h] = lesser(height, HIGHEST_EXTENT); break;
        default: point[h] = 0; // an entry of Ω
        }
    }
}

static void one(const struct inputs *in, float unit, const int32_t *xyz, int64_t points, const uint32_t *near,
                const float *table, int64_t i, float *set, float *point) {
    const int k = in->neighbors, m = in->near, c = in->neighbor_channels;
    const i4 at = position(xyz, points, i);
    const f4 units = {unit, unit, unit, unit};
    f4 offset[MOST_ROWS], sum = {0, 0, 0, 0};
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
    const float scale = 1 / (radius + RADIUS_EPSILON);
    for (int r = 0; r < k; r++) {
        f4 v = clamp(offset[r] * scale);
        memcpy(set + r * c, &v, 12);
    }
    for (int h = 3; h < c;) h += channels(in, h, near, i, table, offset, set);
    for (int r = k; r < in->rows; r++) memcpy(set + r * c, set, sizeof(float) * c);
    const float away = sqrtf(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) * scale;
    describe(in, table + i * in->width, radius, away, high - low, point);
}

void embed_gather(const struct inputs *in, float unit, const int32_t *xyz, int64_t points, const uint32_t *index,
                  const float *table, int64_t lo, int64_t hi, float *set, float *point) {
    const int64_t row = (int64_t)in->rows * in->neighbor_channels;
    for (int64_t i = lo; i < hi; i++, set += row, point += in->point_channels)
        one(in, unit, xyz, points, index + i * in->listed, table, i, set, point);
}
