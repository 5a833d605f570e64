//go:build cgo && (amd64 || arm64)

// The twin of Inputs.Gather in inputs.go, four axes at a time. The operations
// and their order are the same, so the values are, too.

#include "gather.h"

#include <math.h>
#include <string.h>

typedef float f4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));

// Kinds of channels and bounds, as in inputs.go.
enum { POSITION_X, POSITION_Y, POSITION_Z, VALUE, DIFFERENCE, TURN, RISE, RADIUS, OFFSET, EXTENT, MATRIX };
static const float farthest = 100, farthest_mean = 5, highest_rise = 5, highest_extent = 10, radius_epsilon = 1e-10f;

enum { MOST = 80 }; // rows of a set: 64 neighbours, padded

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
    const f4 high = {farthest, farthest, farthest, farthest}, low = -high;
    i4 over = v > high, under = v < low;
    i4 bits = ((i4)high & over) | ((i4)v & ~over);
    return (f4)(((i4)low & under) | (bits & ~under));
}

// copy fills in count channels from h that read count columns in a row.
static inline __attribute__((always_inline)) void copy(int count, const int32_t *plan, int h, const uint32_t *near, const float *table,
                                                       float *set) {
    const int k = plan[0], m = plan[1], c = plan[3], width = plan[5], column = plan[8 + 2 * h];
    set += h, table += column;
    for (int r = 0, s = 0; r < k; r++, set += c, s = s + 1 == m ? 0 : s + 1) {
        const float *other = table + (int64_t)near[s] * width;
        for (int q = 0; q < count; q++) set[q] = other[q];
    }
}

// run returns how many channels from h on, at most 4, copy columns in a row.
static int run(const int32_t *plan, int h) {
    const int32_t *source = plan + 7;
    int count = 0;
    while (count < 4 && h + count < plan[3] && source[2 * (h + count)] == VALUE &&
           source[2 * (h + count) + 1] == source[2 * h + 1] + count)
        count++;
    return count;
}

// channels fills in the channels from h on of every row and returns how many.
static int channels(const int32_t *plan, int h, const uint32_t *near, int64_t i, const float *table, const f4 *offset, float *set) {
    switch (run(plan, h)) {
    case 1: copy(1, plan, h, near, table, set); return 1;
    case 2: copy(2, plan, h, near, table, set); return 2;
    case 3: copy(3, plan, h, near, table, set); return 3;
    case 4: copy(4, plan, h, near, table, set); return 4;
    }
    const int k = plan[0], m = plan[1], c = plan[3], width = plan[5], normal = plan[6];
    const int kind = plan[7 + 2 * h], column = plan[8 + 2 * h];
    const float *own = table + i * width;
    for (int r = 0, s = 0; r < k; r++, s = s + 1 == m ? 0 : s + 1) {
        const float *other = table + (int64_t)near[s] * width;
        float v = 0;
        switch (kind) {
        case DIFFERENCE: v = other[column] - own[column]; break;
        case TURN: {
            const float *a = own + normal, *b = other + normal;
            v = greater(1 - fabsf(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]), 0);
            break;
        }
        case RISE: v = lesser(greater(offset[r][2], -highest_rise), highest_rise); break;
        }
        set[r * c + h] = v;
    }
    return 1;
}

static void one(const int32_t *plan, float unit, const int32_t *xyz, int64_t points, const uint32_t *near, const float *table, int64_t i,
                float *set, float *point) {
    const int k = plan[0], m = plan[1], rows = plan[2], c = plan[3], p = plan[4];
    const i4 at = position(xyz, points, i);
    const f4 units = {unit, unit, unit, unit};
    f4 offset[MOST], sum = {0, 0, 0, 0};
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
    const float scale = 1 / (radius + radius_epsilon);
    for (int r = 0; r < k; r++) {
        f4 v = clamp(offset[r] * scale);
        memcpy(set + r * c, &v, 12);
    }
    for (int h = 3; h < c;) h += channels(plan, h, near, i, table, offset, set);
    for (int r = k; r < rows; r++) memcpy(set + r * c, set, sizeof(float) * c);

    const int32_t *source = plan + 7 + 2 * c;
    for (int h = 0; h < p; h++) {
        switch (source[2 * h]) {
        case VALUE: point[h] = table[i * plan[5] + source[2 * h + 1]]; break;
        case RADIUS: point[h] = lesser(radius, farthest); break;
        case OFFSET: point[h] = lesser(sqrtf(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) * scale, farthest_mean); break;
        case EXTENT: point[h] = lesser(high - low, highest_extent); break;
        default: point[h] = 0; // an entry of Ω
        }
    }
}

void embed_gather(const int32_t *plan, float unit, const int32_t *xyz, int64_t points, const uint32_t *index, const float *table,
                  int64_t lo, int64_t hi, float *set, float *point) {
    const int64_t row = (int64_t)plan[2] * plan[3], listed = plan[7 + 2 * (plan[3] + plan[4])];
    for (int64_t i = lo; i < hi; i++, set += row, point += plan[4]) one(plan, unit, xyz, points, index + i * listed, table, i, set, point);
}
