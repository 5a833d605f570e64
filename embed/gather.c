//go:build cgo && (amd64 || arm64)

// The twin of Inputs.Gather in inputs.go. The operations and their order are the same,
// so the values are, too.

#include "gather.h"
#include "measure.h"

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

static void one(const struct inputs *in, float unit, const int32_t *xyz, int64_t points, const uint32_t *near,
                const float *table, int64_t i, float *set, float *point) {
    const int k = in->neighbors, c = in->neighbor_channels;
    f4 offset[MOST_NEIGHBORS];
    const struct surroundings m = measure(in, unit, xyz, points, near, i, offset);
    for (int r = 0; r < k; r++) {
        f4 v = clamp(offset[r] * m.scale);
        memcpy(set + r * c, &v, 12);
    }
    for (int h = 3; h < c;) h += channels(in, h, near, i, table, offset, set);
    for (int r = k; r < in->rows; r++) memcpy(set + r * c, set, sizeof(float) * c);
    for (int h = 0; h < in->point_channels; h++)
        point[h] = in->point[h].channel == CHANNEL_COLUMN ? table[i * in->width + in->point[h].column]
                                                          : channel_of(&m, in->point[h].channel);
}

void embed_gather(const struct inputs *in, float unit, const int32_t *xyz, int64_t points, const uint32_t *index,
                  const float *table, int64_t lo, int64_t hi, float *set, float *point) {
    const int64_t row = (int64_t)in->rows * in->neighbor_channels;
    for (int64_t i = lo; i < hi; i++, set += row, point += in->point_channels)
        one(in, unit, xyz, points, index + i * in->listed, table, i, set, point);
}
