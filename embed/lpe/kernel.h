// SPDX-License-Identifier: BSD-3-Clause
// The network in C; plain.go computes the same and documents it. Sums of integers are exact
// in any order, so the result does not depend on the order in which a kernel adds. This file
// is compiled once for each instruction set: kernel_ISA.h defines the vector of VL 32-bit sums
// and its operations, includes this file, and this file removes the definitions. BLOCK is the
// number of vectors of 16 outputs, TALL the number of rows of a layer at a time, 2 or 4, as the
// registers allow.
//
// Two last convolutions of 20 neighbours × 16 inputs × 64 outputs are three quarters of all
// products. Inputs are broadcast four at a time, each for four vectors of outputs.

#define CAT2(a, b) a##_##b
#define CAT(a, b) CAT2(a, b)
#define NAME(f) CAT(f, ISA)
#define INLINE static inline __attribute__((always_inline)) TARGET

// first_block computes 16 outputs of a first convolution from o on, for two rows at a time. x
// has pairs of channels for one of eight points, near the rows of neighbours at the offsets at
// (or 0 for the spatial transform, which does not read columns), start the initial sums.
INLINE void NAME(first_block)(const struct layer *l, const uint8_t *numbers, int pairs, int o, int rows,
                              const int32_t *x, const int16_t *near, const uint64_t *at, const int32_t *start,
                              uint8_t *out)
{
    VEC w[3 * BLOCK], b[BLOCK], shift[BLOCK];
    for (int q = 0; q < BLOCK; q++) {
        for (int p = 0; p < pairs; p++) w[p * BLOCK + q] = LOAD(numbers + l->weight + 4 * (p * l->wide + o + q * VL));
        b[q] = LOAD(start + o + q * VL);
        shift[q] = LOAD(numbers + l->shift + 4 * (o + q * VL));
    }
    const long wide = l->wide, apart = rows * LANES;
    near += near ? o : 0, out += o;
    for (int r = 0; r < rows; r += 2, out += 2 * wide, x += 2 * LANES) {
        VEC sum[2][BLOCK];
        for (int h = 0; h < 2; h++) {
            if (near)
                HIGH(near + at[r + h], sum[h]);
            for (int q = 0; q < BLOCK; q++) sum[h][q] = near ? ADD(b[q], sum[h][q]) : b[q];
            for (int p = 0; p < pairs; p++) {
                const VEC v = SET1(x + p * apart + h * LANES);
                for (int q = 0; q < BLOCK; q++) sum[h][q] = ADDPAIRS(sum[h][q], v, w[p * BLOCK + q]);
            }
            for (int q = 0; q < BLOCK; q++) sum[h][q] = SHIFT(sum[h][q], shift[q]);
        }
        STORE7(out, out + wide, sum[0], sum[1]);
    }
}

TARGET static void NAME(first)(const struct layer *l, const uint8_t *numbers, int rows, const int32_t *x,
                               const int16_t *near, const uint64_t *at, const int32_t *start, uint8_t *out)
{
    for (int o = 0; o < l->wide; o += 16)
        if (!near)
            NAME(first_block)(l, numbers, 1, o, rows, x, 0, 0, start, out);
        else if (l->in == 4)
            NAME(first_block)(l, numbers, 2, o, rows, x, near, at, start, out);
        else
            NAME(first_block)(l, numbers, 3, o, rows, x, near, at, start, out);
}

// dense_block computes count vectors of outputs of TALL rows from o on; inputs have 16 bits after
// the maximum, 7 before it. Every sum is a chain of dependent operations, so at least eight are
// computed side by side.
INLINE void NAME(dense_block)(const struct layer *l, const uint8_t *numbers, int bits, int count, int o,
                              const uint8_t *const *in, uint8_t *const *out)
{
    VEC sum[TALL][4];
    const uint8_t *w = numbers + l->weight + 4 * o;
    const long group = 4 * l->wide;
    for (int r = 0; r < TALL; r++)
        for (int q = 0; q < count; q++) sum[r][q] = LOAD(numbers + l->bias + 4 * (o + q * VL));
    if (bits == 16)
        for (int i = 0; i < l->in; i += 2, w += group) {
            VEC x[TALL];
            for (int r = 0; r < TALL; r++) x[r] = SET1(in[r] + 2 * i);
            for (int q = 0; q < count; q++) {
                const VEC v = LOAD(w + 4 * q * VL);
                for (int r = 0; r < TALL; r++) sum[r][q] = ADDPAIRS(sum[r][q], x[r], v);
            }
        }
    else
        for (int i = 0; i < l->in; i += 8, w += 2 * group) {
            VEC x[TALL], y[TALL];
            for (int r = 0; r < TALL; r++) x[r] = SET1(in[r] + i), y[r] = SET1(in[r] + i + 4);
            for (int q = 0; q < count; q++) {
                const VEC v0 = LOAD(w + 4 * q * VL), v1 = LOAD(w + group + 4 * q * VL);
                for (int r = 0; r < TALL; r++) sum[r][q] = EIGHT(sum[r][q], x[r], v0, y[r], v1);
            }
        }
    for (int r = 0; r < TALL; r++)
        for (int q = 0; q < count; q++) sum[r][q] = SHIFT(sum[r][q], LOAD(numbers + l->shift + 4 * (o + q * VL)));
    for (int r = 0; r < TALL; r += 2)
        for (int q = 0; q < count; q += BLOCK) {
            if (bits == 16) {
                STORE12((int16_t *)out[r] + o + q * VL, sum[r] + q);
                STORE12((int16_t *)out[r + 1] + o + q * VL, sum[r + 1] + q);
            } else
                STORE7(out[r] + o + q * VL, out[r + 1] + o + q * VL, sum[r] + q, sum[r + 1] + q);
        }
}

// dense computes count rows, stride bytes apart. Rows that lack in the last block are the last one.
INLINE void NAME(dense)(const struct layer *l, const uint8_t *numbers, int bits, int count, const uint8_t *in,
                        long stride, uint8_t *out)
{
    const long wide = l->wide * (bits == 16 ? 2 : 1);
    for (int i = 0; i < count; i += TALL) {
        const uint8_t *from[TALL];
        uint8_t *to[TALL];
        for (int r = 0; r < TALL; r++) {
            const long row = i + r < count ? i + r : count - 1;
            from[r] = in + row * stride, to[r] = out + row * wide;
        }
        int o = 0;
        for (; o + 4 * VL <= l->wide; o += 4 * VL) NAME(dense_block)(l, numbers, bits, 4, o, from, to);
        for (; o + 2 * VL <= l->wide; o += 2 * VL) NAME(dense_block)(l, numbers, bits, 2, o, from, to);
        for (; o < l->wide; o += 16) NAME(dense_block)(l, numbers, bits, BLOCK, o, from, to);
    }
}

TARGET static void NAME(dense8)(const struct layer *l, const uint8_t *numbers, int count, const uint8_t *in,
                                long stride, uint8_t *out)
{
    NAME(dense)(l, numbers, 8, count, in, stride, out);
}

TARGET static void NAME(dense16)(const struct layer *l, const uint8_t *numbers, int count, const uint8_t *in,
                                 long stride, uint8_t *out)
{
    NAME(dense)(l, numbers, 16, count, in, stride, out);
}

// most computes count vectors of outputs of a last convolution from o on, and their maximum over
// the rows of each of n points. Inputs are groups of 16. The outputs of consecutive points are
// apart numbers apart.
INLINE void NAME(most)(const struct layer *l, const uint8_t *numbers, int count, int groups, int o, int n, int rows,
                       const uint8_t *in, int16_t *out, long apart)
{
    VEC w[4][MOST_WIDE / 4], start[4][MOST_WIDE / 16], bias[4];
    for (int q = 0; q < count; q++) {
        bias[q] = LOAD(numbers + l->bias + 4 * (o + q * VL));
        for (int g = 0; g < 4 * groups; g++) w[q][g] = LOAD(numbers + l->weight + 4 * (g * l->wide + o + q * VL));
        for (int g = 0; g < groups; g++) {
            start[q][g] = START(w[q] + 4 * g);
            bias[q] = LESS(bias[q], start[q][g]);
        }
    }
    for (int i = 0; i < n; i++, out += apart) {
        VEC high[4];
        for (int q = 0; q < count; q++) high[q] = LEAST();
        for (int r = 0; r < rows; r++, in += 16 * groups) {
            VEC sum[4];
            for (int g = 0; g < groups; g++) {
                VEC x[4];
                for (int k = 0; k < 4; k++) x[k] = SET1(in + 16 * g + 4 * k);
                for (int q = 0; q < count; q++) {
                    const VEC part = SIXTEEN(start[q][g], x, (w[q] + 4 * g));
                    sum[q] = g ? ADD(sum[q], part) : part;
                }
            }
            for (int q = 0; q < count; q++) high[q] = MAX(high[q], sum[q]);
        }
        for (int q = 0; q < count; q++)
            high[q] = SHIFT(ADD(high[q], bias[q]), LOAD(numbers + l->shift + 4 * (o + q * VL)));
        for (int q = 0; q < count; q += BLOCK) STORE12(out + o + q * VL, high + q);
    }
}

// pool computes a last convolution and its maximum over the rows of each of n points; pool16 does
// for 16 inputs, with weights in registers.
TARGET static void NAME(pool)(const struct layer *l, const uint8_t *numbers, int n, int rows, const uint8_t *in,
                              int16_t *out, long apart)
{
    for (int o = 0; o < l->wide; o += 16) NAME(most)(l, numbers, BLOCK, l->in / 16, o, n, rows, in, out, apart);
}

TARGET static void NAME(pool16)(const struct layer *l, const uint8_t *numbers, int n, int rows, const uint8_t *in,
                                int16_t *out, long apart)
{
    int o = 0;
    for (; o + 4 * VL <= l->wide; o += 4 * VL) NAME(most)(l, numbers, 4, 1, o, n, rows, in, out, apart);
    for (; o < l->wide; o += 16) NAME(most)(l, numbers, BLOCK, 1, o, n, rows, in, out, apart);
}

// last computes a last layer, whose inputs have 16 bits, for four rows at a time; in and out must
// have room for count rounded up to a multiple of 4.
TARGET static void NAME(last)(const struct layer *l, const uint8_t *numbers, int count, const uint8_t *in, long stride,
                              int dim, int32_t *out)
{
    for (int i = 0; i < count; i += 4, in += 4 * stride, out += 4 * l->wide)
        for (int o = 0; o < dim; o += VL) {
            const uint8_t *w = numbers + l->weight + 4 * o;
            VEC sum[4];
            for (int q = 0; q < 4; q++) sum[q] = LOAD(numbers + l->bias + 4 * o);
            for (int p = 0; p < l->in / 2; p++, w += 4 * l->wide) {
                const VEC v = LOAD(w);
                for (int q = 0; q < 4; q++) sum[q] = ADDPAIRS(sum[q], SET1(in + q * stride + 4 * p), v);
            }
            for (int q = 0; q < 4; q++) STORE(out + q * l->wide + o, SHIFT(sum[q], LOAD(numbers + l->shift + 4 * o)));
        }
}

// connect applies the layers after a maximum to count rows, which are in s->cat, and returns the
// outputs of the last one, wide numbers a row.
TARGET static const int32_t *NAME(connect)(const struct part *fc, const uint8_t *numbers, int count, int dim,
                                           struct scratch *s)
{
    const uint8_t *in = (const uint8_t *)s->cat;
    int k = 0;
    for (; k < fc->count - 1; k++) {
        uint8_t *to = k % 2 ? s->b : s->a;
        NAME(dense16)(fc->layer + k, numbers, count, in, 2 * fc->layer[k].in, to);
        in = to;
    }
    NAME(last)(fc->layer + k, numbers, count, in, 2 * fc->layer[k].in, dim, s->sums);
    return s->sums;
}

// convolve computes the convolutions of a PointNet after the first, whose outputs are in s->a, and
// the maxima of n points, apart numbers apart.
TARGET static void NAME(convolve)(const struct part *conv, const uint8_t *numbers, int n, int rows, struct scratch *s,
                                  long apart)
{
    uint8_t *in = s->a;
    for (int k = 1; k < conv->count - 1; k++) {
        uint8_t *to = in == s->a ? s->b : s->a;
        NAME(dense8)(conv->layer + k, numbers, n * rows, in, conv->layer[k].in, to);
        in = to;
    }
    const struct layer *l = conv->layer + conv->count - 1;
    (l->in == 16 ? NAME(pool16) : NAME(pool))(l, numbers, n, rows, in, s->cat, apart);
}

// own computes the initial sums of the embedder's first convolution at a point: the bias and the
// terms of the point's columns, which are in row in pairs.
TARGET static void NAME(own)(const struct network *net, const uint8_t *numbers, int pairs, const int16_t *row,
                             int32_t *out)
{
    const uint8_t *bias = numbers + net->lpe_conv.layer[0].bias, *w = numbers + net->own;
    for (int o = 0; o < net->hidden; o += 16) {
        VEC sum[BLOCK];
        for (int q = 0; q < BLOCK; q++) sum[q] = LOAD(bias + 4 * (o + q * VL));
        for (int c = 0; c < pairs; c++) {
            const VEC v = SET1(row + net->hidden + 2 * c);
            for (int q = 0; q < BLOCK; q++) sum[q] = ADDPAIRS(sum[q], v, LOAD(w + 4 * (c * net->hidden + o + q * VL)));
        }
        for (int q = 0; q < BLOCK; q++) STORE(out + o + q * VL, sum[q]);
    }
}

// rows is plainRows.
TARGET static void NAME(rows)(const struct network *net, const uint8_t *numbers, const float *columns, int kept,
                              int64_t count, int64_t stride, int16_t *row)
{
    const int hidden = net->hidden;
    const VEC half = SET1(&(int32_t){1 << 15});
    for (int64_t i = 0; i < count; i++, row += stride, columns += kept) {
        for (int c = 0; c < kept; c += LANES) fixed_columns(columns + c, net->scale + c, row + hidden + c);
        for (int o = 0; o < hidden; o += 16) {
            VEC sum[BLOCK];
            for (int q = 0; q < BLOCK; q++) sum[q] = half;
            for (int c = 0; c < (kept + 1) / 2; c++) {
                const VEC v = SET1(row + hidden + 2 * c);
                for (int q = 0; q < BLOCK; q++)
                    sum[q] = ADDPAIRS(sum[q], v, LOAD(numbers + net->near + 4 * (c * hidden + o + q * VL)));
            }
            STOREHIGH(row + o, sum);
        }
    }
}

// transform computes Ω of n points, multiplies x and y by it and writes its entries to the point
// channels.
TARGET static void NAME(transform)(const struct network *net, const uint8_t *numbers, int rows, int n,
                                   struct scratch *s)
{
    const struct layer *l = net->st_conv.layer;
    const long pairs = (long)net->pairs * rows * LANES, points = (net->points + 1) / 2 * 2;
    int16_t omega[4 * BATCH];
    for (int q = 0; q < n; q++)
        NAME(first)(l, numbers, rows, s->x + q / LANES * pairs + q % LANES, 0, 0, (const int32_t *)(numbers + l->bias),
                    s->a + q * rows * l->wide);
    NAME(convolve)(&net->st_conv, numbers, n, rows, s, net->st_fc.layer[0].in);
    const int32_t *sum = NAME(connect)(&net->st_fc, numbers, n, 4, s);
    const long wide = net->st_fc.layer[net->st_fc.count - 1].wide;
    for (int q = 0; q < n; q++)
        for (int k = 0; k < 4; k++) {
            omega[4 * q + k] = narrowed(sum[q * wide + k]);
            if (net->omega[k] >= 0)
                s->point[q * points + net->omega[k]] = omega[4 * q + k];
        }
    for (int q = 0; q < n; q += LANES) turned(rows, omega + 4 * q, (i8 *)(s->x + q / LANES * pairs));
}

// embed embeds n points from i on.
TARGET static void NAME(embed)(const struct network *net, const uint8_t *numbers, const struct gathering *from,
                               int64_t i, int n, float *out, struct scratch *s)
{
    const int rows = rows_of(from), transforms = net->st_fc.count > 0;
    const long pairs = (long)net->pairs * rows * LANES, points = (net->points + 1) / 2 * 2;
    for (int q = 0; q < (n + LANES - 1) / LANES * LANES; q++)
        places(from, i + (q < n ? q : n - 1), s->at + q * (rows + 1));
    for (int q = 0; q < n; q += LANES)
        relative(net, from, i + q, s->at + q * (rows + 1), s->x + q / LANES * pairs, s->point + q * points);
    if (transforms)
        NAME(transform)(net, numbers, rows, n, s);
    const struct layer *l = net->lpe_conv.layer;
    const long stride = net->lpe_fc.layer[0].in, wide = net->lpe_fc.layer[net->lpe_fc.count - 1].wide;
    for (int q = 0; q < n; q++) {
        const int32_t *start = (const int32_t *)(numbers + l->bias);
        const uint64_t *at = s->at + q * (rows + 1);
        if (net->own >= 0)
            NAME(own)(net, numbers, (from->kept + 1) / 2, from->rows + at[rows], s->own), start = s->own;
        NAME(first)(l, numbers, rows, s->x + q / LANES * pairs + q % LANES, from->rows, at, start,
                    s->a + q * rows * l->wide);
        memcpy(s->cat + (q + 1) * stride - points, s->point + q * points, sizeof(int16_t) * points);
    }
    NAME(convolve)(&net->lpe_conv, numbers, n, rows, s, stride);
    const int32_t *e = NAME(connect)(&net->lpe_fc, numbers, n, net->dim, s);
    for (int q = 0; q < n; q++) normalise(e + q * wide, net->dim, out + (long)q * net->dim);
}

// The next kernel defines its own.
#undef CAT2
#undef CAT
#undef NAME
#undef INLINE
#undef ISA
#undef TARGET
#undef VL
#undef BLOCK
#undef TALL
#undef VEC
#undef ZERO
#undef LEAST
#undef SET1
#undef LOAD
#undef STORE
#undef ADD
#undef MAX
#undef SHIFT
#undef HIGH
#undef ADDPAIRS
#undef EIGHT
#undef START
#undef LESS
#undef SIXTEEN
#undef STORE7
#undef STORE12
#undef STOREHIGH
