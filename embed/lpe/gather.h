// SPDX-License-Identifier: BSD-3-Clause
// The inputs of the network at eight points at a time, in the lanes of a register: the same
// as Inputs.Measure in inputs.go and plainPoint.gather in plain.go. The operations on a point
// and their order are the same, so the bits are the same, too. Part of kernel.c.

enum { LANES = 8, ROWS = MOST_NEIGHBORS };

// gathering has the arrays from which channels are computed. rows has a row, see struct
// network, for every point of a chunk (chunk.go), which ends with the position: first the rows
// of the own points, begin to begin + own - 1 of the cloud, then the rows of the points in
// around, ascending. Indices in index and around refer to the cloud; others are local.
struct gathering {
    const struct inputs *in;
    float unit;
    const uint32_t *index; // lists of own points
    const int16_t *rows;
    int64_t stride; // of rows
    int kept;       // columns of a row
    uint32_t begin, own;
    const uint32_t *around;
    int64_t count;        // of points in around
    int64_t first;        // point of the first row of context
    const float *context; // columns that are not in rows
};

// rows_of returns the number of neighbours rounded up to a multiple of 2; if it is odd, the first
// neighbour is repeated.
static inline int rows_of(const struct gathering *from) { return (from->in->neighbors + 1) / 2 * 2; }

// place returns the offset in rows of point j of the cloud.
static inline uint64_t place(const struct gathering *from, uint32_t j)
{
    uint64_t at = j - from->begin;
    if (at >= from->own) {
        int64_t low = 0, high = from->count;
        while (low < high) {
            const int64_t middle = (low + high) / 2;
            if (from->around[middle] < j)
                low = middle + 1;
            else
                high = middle;
        }
        at = from->own + low;
    }
    return at * from->stride;
}

// places computes the offsets in rows of the neighbours of own point i, and then its own.
HELPER void places(const struct gathering *from, int64_t i, uint64_t *at)
{
    const int k = from->in->neighbors, near = from->in->near;
    const uint32_t *list = from->index + i * from->in->listed, begin = from->begin, own = from->own;
    uint32_t outside = 0;
    for (int r = 0; r < near; r++) {
        outside |= list[r] - begin >= own;
        at[r] = (uint64_t)(list[r] - begin) * (uint32_t)from->stride;
    }
    if (outside)
        for (int r = 0; r < near; r++) at[r] = place(from, list[r]);
    for (int r = near; r < k; r++) at[r] = at[r - near];
    at[k] = at[0];
    at[rows_of(from)] = i * from->stride;
}

// fixed_columns converts eight columns to fixed point.
HELPER void fixed_columns(const float *columns, const float *scale, int16_t *out)
{
    f8 v, s;
    memcpy(&v, columns, sizeof v);
    memcpy(&s, scale, sizeof s);
    narrow8(fixed8(v * s), out);
}

// channels writes the point channels of eight points from i on; measured has those that are
// not columns.
HELPER void channels(const struct network *net, const struct gathering *from, int64_t i, const uint64_t *at,
                     const f8 *measured, int16_t *point)
{
    const int rows = rows_of(from), points = (net->points + 1) / 2 * 2;
    const int kept = from->kept, wide = from->in->width - kept;
    const float *context = from->context + (i - from->first) * wide;
    const int16_t *row[LANES];
    int16_t around[LANES][MOST_COLUMNS + LANES];
    for (int q = 0; q < LANES; q++) {
        row[q] = from->rows + at[q * (rows + 1) + rows] + net->hidden;
        for (int c = 0; c < wide; c += LANES)
            fixed_columns(context + q * wide + c, net->scale + kept + c, around[q] + c);
        if (net->points % 2)
            point[q * points + net->points] = 0;
    }
    for (int h = 0; h < net->points; h++) {
        const struct source s = from->in->point[h];
        const int outer = s.column - kept;
        int16_t *to = point + h;
        if (s.channel != CHANNEL_COLUMN) {
            int16_t v[LANES] = {0};
            if (s.channel != CHANNEL_OMEGA)
                narrow8(fixed8(measured[s.channel] * net->point[h]), v);
            for (int q = 0; q < LANES; q++) to[q * points] = v[q];
        } else if (outer < 0)
            for (int q = 0; q < LANES; q++) to[q * points] = row[q][s.column];
        else
            for (int q = 0; q < LANES; q++) to[q * points] = around[q][outer];
    }
}

// positions loads the positions of eight points, whose offsets are every step-th of at. It
// loads four numbers of 32 bits each, of which the last three are the position.
HELPER void positions(const int16_t *rows, const uint64_t *at, int step, i8 *out)
{
    const int32_t *row[LANES];
    for (int q = 0; q < LANES; q++) row[q] = (const int32_t *)(rows + at[q * step]);
    transposed8(row, out);
}

// normals loads the normals of eight points; rows is advanced to the column of the normal.
HELPER normals8 normals(const int16_t *rows, const uint64_t *at, int step)
{
    const int16_t *row[LANES];
    for (int q = 0; q < LANES; q++) row[q] = rows + at[q * step];
    return load_normals8(row);
}

// turned multiplies x and y of the neighbours of eight points by their Ω.
HELPER void turned(int rows, const int16_t *omega, i8 *xy)
{
    const int32_t half = 1 << (POSITION_EXPONENT - 1);
    i8 to_x, to_y;
    for (int q = 0; q < LANES; q++, omega += 4) {
        to_x[q] = (uint16_t)omega[0] | (uint32_t)(uint16_t)omega[2] << 16;
        to_y[q] = (uint16_t)omega[1] | (uint32_t)(uint16_t)omega[3] << 16;
    }
    for (int r = 0; r < rows; r++)
        xy[r] = pairs8((products8(xy[r], to_x) + half) >> POSITION_EXPONENT,
                       (products8(xy[r], to_y) + half) >> POSITION_EXPONENT);
}

// relative computes the relative channels (see network.go) of the neighbours of eight points
// from i on, whose offsets are at: pairs × neighbours × eight. It also writes the point
// channels.
HELPER void relative(const struct network *net, const struct gathering *from, int64_t i, const uint64_t *at, int32_t *x,
                     int16_t *point)
{
    const int k = from->in->neighbors, rows = rows_of(from), step = rows + 1;
    const int turns = net->normal >= 0, rise = net->rise;
    const int16_t *position = from->rows + from->stride - 8, *normal = from->rows + net->hidden + net->normal;
    f8 offset[MOST_NEIGHBORS][3], sum[3] = {0}, square[3] = {0}, measured[CHANNELS];
    i8 own[3], other[3];
    positions(position, at + rows, step, own);
    for (int r = 0; r < rows; r++) {
        positions(position, at + r, step, other);
        for (int a = 0; a < 3; a++) {
            offset[r][a] = __builtin_convertvector(other[a] - own[a], f8) * from->unit;
            if (r < k)
                sum[a] += offset[r][a];
        }
    }
    const float per = 1 / (float)k;
    for (int a = 0; a < 3; a++) sum[a] *= per;
    f8 low = offset[0][2], high = low;
    for (int r = 0; r < k; r++) {
        for (int a = 0; a < 3; a++) {
            const f8 d = offset[r][a] - sum[a];
            square[a] += d * d;
        }
        low = lesser8(low, offset[r][2]);
        high = greater8(high, offset[r][2]);
    }
    const f8 radius = root8((square[0] + square[1] + square[2]) * per);
    const f8 away = root8(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    const f8 scale = 1 / (radius + RADIUS_EPSILON);
    measured[CHANNEL_RADIUS] = lesser8(radius, all8(FARTHEST));
    measured[CHANNEL_CENTROID_OFFSET] = lesser8(away * scale, all8(FARTHEST_MEAN));
    measured[CHANNEL_HEIGHT_RANGE] = lesser8(high - low, all8(HIGHEST_EXTENT));
    channels(net, from, i, at, measured, point);
    const float unit = 1 << POSITION_EXPONENT;
    normals8 own_normals;
    if (turns)
        own_normals = normals(normal, at + rows, step);
    i8 *xy = (i8 *)x, *z = xy + rows, *up = z + rows;
    for (int r = 0; r < rows; r++) {
        xy[r] = pairs8(fixed8(offset[r][0] * scale * unit), fixed8(offset[r][1] * scale * unit));
        i8 turn = {0};
        if (turns) {
            turn = (1 << NORMAL_EXPONENT) - (dots8(own_normals, normals(normal, at + r, step)) >> NORMAL_EXPONENT);
            turn &= turn > 0;
        }
        z[r] = pairs8(fixed8(offset[r][2] * scale * unit), turn);
        const f8 bounded = lesser8(greater8(offset[r][2], all8(-HIGHEST_RISE)), all8(HIGHEST_RISE));
        if (rise)
            up[r] = pairs8(fixed8(bounded * unit), (i8){0});
    }
}
