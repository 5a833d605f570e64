// The network in C; plain.go is its twin and says what is computed. Sums
// of whole numbers have no order, so a kernel may add as the processor likes: the
// result is the same. This file is compiled once for each instruction set: kernel.c
// defines the vector of VL 32-bit sums and its operations, then includes it. BLOCK is
// the number of vectors that 16 outputs take.
//
// Where the time goes: two last convolutions of 20 neighbours × 16 inputs × 64 outputs
// are three quarters of all products. Their weights stay in registers for a pair of
// vectors; an input is broadcast four at a time.

#define CAT2(a, b) a##_##b
#define CAT(a, b) CAT2(a, b)
#define NAME(f) CAT(f, ISA)
#define INLINE static inline __attribute__((always_inline)) TARGET

// first computes 16 outputs of a first convolution from o on, for all rows; x holds
// pairs of channels, near (or 0) the rows of the neighbours, start what a sum begins
// with.
INLINE void NAME(first_block)(const struct layer *l, const uint8_t *numbers, int pairs, int o, int rows,
                              const int32_t *x, const int16_t *const *near, const int32_t *start, uint8_t *out) {
    VEC w[3 * BLOCK], b[BLOCK], shift[BLOCK];
    for (int q = 0; q < BLOCK; q++) {
        for (int p = 0; p < pairs; p++)
            w[p * BLOCK + q] = LOAD(numbers + l->weight + 4 * (p * l->wide + o + q * VL));
        b[q] = LOAD(start + o + q * VL);
        shift[q] = LOAD(numbers + l->shift + 4 * (o + q * VL));
    }
    for (int r = 0; r < rows; r++) {
        VEC sum[BLOCK];
        for (int q = 0; q < BLOCK; q++) sum[q] = near ? ADD(b[q], HIGH(near[r] + o + q * VL)) : b[q];
        for (int p = 0; p < pairs; p++) {
            const VEC v = SET1(x + p * ROWS + r);
            for (int q = 0; q < BLOCK; q++) sum[q] = ADDPAIRS(sum[q], v, w[p * BLOCK + q]);
        }
        for (int q = 0; q < BLOCK; q++) sum[q] = SHIFT(sum[q], shift[q]);
        STORE7(out + r * l->wide + o, sum);
    }
}

TARGET static void NAME(first)(const struct layer *l, const uint8_t *numbers, int rows, const int32_t *x,
                               const int16_t *const *near, const int32_t *start, uint8_t *out) {
    for (int o = 0; o < l->wide; o += 16) switch (l->in / 2) {
        case 1: NAME(first_block)(l, numbers, 1, o, rows, x, 0, start, out); break;
        case 2: NAME(first_block)(l, numbers, 2, o, rows, x, near, start, out); break;
        case 3: NAME(first_block)(l, numbers, 3, o, rows, x, near, start, out); break;
        }
}

// dense_block computes count vectors of outputs of a row from o on; inputs have 16 bits
// behind the maximum, 7 before it.
INLINE void NAME(dense_block)(const struct layer *l, const uint8_t *numbers, int bits, int count, int o,
                              const uint8_t *in, uint8_t *out) {
    VEC sum[4];
    const uint8_t *w = numbers + l->weight + 4 * o;
    const long group = 4 * l->wide;
    for (int q = 0; q < count; q++) sum[q] = LOAD(numbers + l->bias + 4 * (o + q * VL));
    if (bits == 16)
        for (int i = 0; i < l->in; i += 2, w += group) {
            const VEC x = SET1(in + 2 * i);
            for (int q = 0; q < count; q++) sum[q] = ADDPAIRS(sum[q], x, LOAD(w + 4 * q * VL));
        }
    else
        for (int i = 0; i < l->in; i += 8, w += 2 * group) {
            const VEC x0 = SET1(in + i), x1 = SET1(in + i + 4);
            for (int q = 0; q < count; q++)
                sum[q] = EIGHT(sum[q], x0, LOAD(w + 4 * q * VL), x1, LOAD(w + group + 4 * q * VL));
        }
    for (int q = 0; q < count; q++) sum[q] = SHIFT(sum[q], LOAD(numbers + l->shift + 4 * (o + q * VL)));
    for (int q = 0; q < count; q += BLOCK) {
        if (bits == 16)
            STORE12((int16_t *)out + o + q * VL, sum + q);
        else
            STORE7(out + o + q * VL, sum + q);
    }
}

// dense computes count rows, stride bytes apart.
INLINE void NAME(dense)(const struct layer *l, const uint8_t *numbers, int bits, int count, const uint8_t *in,
                        long stride, uint8_t *out) {
    for (int i = 0; i < count; i++, in += stride, out += l->wide * (bits == 16 ? 2 : 1)) {
        int o = 0;
        for (; o + 4 * VL <= l->wide; o += 4 * VL) NAME(dense_block)(l, numbers, bits, 4, o, in, out);
        for (; o < l->wide; o += 16) NAME(dense_block)(l, numbers, bits, BLOCK, o, in, out);
    }
}

TARGET static void NAME(dense8)(const struct layer *l, const uint8_t *numbers, int count, const uint8_t *in,
                                long stride, uint8_t *out) {
    NAME(dense)(l, numbers, 8, count, in, stride, out);
}

TARGET static void NAME(dense16)(const struct layer *l, const uint8_t *numbers, int count, const uint8_t *in,
                                 long stride, uint8_t *out) {
    NAME(dense)(l, numbers, 16, count, in, stride, out);
}

// most computes count vectors of the maximum over rows from o on; groups are of eight
// inputs, and few where they are a constant.
INLINE void NAME(most)(const struct layer *l, const uint8_t *numbers, int count, int groups, int o, int rows,
                       const uint8_t *in, VEC *high) {
    const long group = 4 * l->wide;
    const uint8_t *w = numbers + l->weight + 4 * o;
    for (int q = 0; q < count; q++) high[q] = LEAST();
    for (int r = 0; r < rows; r++) {
        const uint8_t *x = in + (long)r * 8 * groups;
        VEC sum[4];
        for (int q = 0; q < count; q++) sum[q] = ZERO();
        _Pragma("GCC unroll 4") for (int g = 0; g < groups; g++) {
            const VEC x0 = SET1(x + 8 * g), x1 = SET1(x + 8 * g + 4);
            for (int q = 0; q < count; q++)
                sum[q] = EIGHT(sum[q], x0, LOAD(w + 2 * g * group + 4 * q * VL), x1,
                               LOAD(w + (2 * g + 1) * group + 4 * q * VL));
        }
        for (int q = 0; q < count; q++) high[q] = MAX(high[q], sum[q]);
    }
}

// pool computes a last convolution and its maximum over the rows.
TARGET static void NAME(pool)(const struct layer *l, const uint8_t *numbers, int rows, const uint8_t *in,
                              int16_t *out) {
    for (int o = 0; o < l->wide; o += 16) {
        VEC high[BLOCK];
        const int step = BLOCK < 2 ? BLOCK : 2;
        for (int q = 0; q < BLOCK; q += step) {
            if (l->in == 16)
                NAME(most)(l, numbers, step, 2, o + q * VL, rows, in, high + q);
            else
                NAME(most)(l, numbers, step, l->in / 8, o + q * VL, rows, in, high + q);
        }
        for (int q = 0; q < BLOCK; q++)
            high[q] = SHIFT(ADD(high[q], LOAD(numbers + l->bias + 4 * (o + q * VL))),
                            LOAD(numbers + l->shift + 4 * (o + q * VL)));
        STORE12(out + o, high);
    }
}

// last computes a last layer, whose inputs have 16 bits; out has 16 numbers a row.
TARGET static void NAME(last)(const struct layer *l, const uint8_t *numbers, int count, const uint8_t *in,
                              long stride, int dim, int32_t *out) {
    for (int i = 0; i < count; i++, in += stride, out += l->wide)
        for (int o = 0; o < dim; o += VL) {
            VEC sum = LOAD(numbers + l->bias + 4 * o);
            for (int p = 0; p < l->in / 2; p++)
                sum = ADDPAIRS(sum, SET1(in + 4 * p), LOAD(numbers + l->weight + 4 * (p * l->wide + o)));
            STORE(out + o, SHIFT(sum, LOAD(numbers + l->shift + 4 * o)));
        }
}

// connect applies the layers behind a maximum to count rows, which are in s->cat, and
// returns the last one's sums, wide numbers a row.
TARGET static const int32_t *NAME(connect)(const struct part *fc, const uint8_t *numbers, int count, int dim,
                                           struct scratch *s) {
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

// convolve computes a unit's convolutions and the maximum; the first one's outputs are
// in s->a.
INLINE void NAME(convolve)(const struct part *conv, const uint8_t *numbers, int rows, struct scratch *s,
                           int16_t *out) {
    uint8_t *in = s->a;
    for (int k = 1; k < conv->count - 1; k++) {
        uint8_t *to = in == s->a ? s->b : s->a;
        NAME(dense8)(conv->layer + k, numbers, rows, in, conv->layer[k].in, to);
        in = to;
    }
    NAME(pool)(conv->layer + conv->count - 1, numbers, rows, in, out);
}

// own computes what a sum of the embedder's first convolution begins with, from the
// pairs of columns of a row.
TARGET static void NAME(own)(const struct network *net, const uint8_t *numbers, int pairs, const int16_t *row,
                             int32_t *out) {
    const uint8_t *bias = numbers + net->lpe_conv.layer[0].bias, *w = numbers + net->own;
    for (int o = 0; o < net->hidden; o += VL) {
        VEC sum = LOAD(bias + 4 * o);
        for (int c = 0; c < pairs; c++)
            sum = ADDPAIRS(sum, SET1(row + net->hidden + 2 * c), LOAD(w + 4 * (c * net->hidden + o)));
        STORE(out + o, sum);
    }
}

// rows is plainRows.
TARGET static void NAME(rows)(const struct network *net, const uint8_t *numbers, const float *columns, int kept,
                              int64_t count, int64_t stride, int16_t *row) {
    const int hidden = net->hidden;
    const VEC half = SET1(&(int32_t){1 << 15});
    for (int64_t i = 0; i < count; i++, row += stride, columns += kept) {
        for (int c = 0; c < kept; c++) row[hidden + c] = (int16_t)fixed(columns[c], net->scale[c]);
        if (kept % 2) row[hidden + kept] = 0;
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

// embed embeds n points from i on.
TARGET static void NAME(embed)(const struct network *net, const uint8_t *numbers, const struct gathering *from,
                               int64_t i, int n, float *out, struct scratch *s) {
    const int rows = from->in->neighbors, transforms = net->st_fc.count > 0;
    const long pairs = (long)net->pairs * ROWS, points = (net->points + 1) / 2 * 2;
    int16_t omega[4 * BATCH];
    for (int q = 0; q < n; q++) RELATIVE(net, from, i + q, s->x + q * pairs, s->point + q * points);
    if (transforms) {
        const struct layer *l = net->st_conv.layer;
        const int wide = net->st_fc.layer[net->st_fc.count - 1].wide;
        for (int q = 0; q < n; q++) {
            NAME(first)(l, numbers, rows, s->x + q * pairs, 0, (const int32_t *)(numbers + l->bias), s->a);
            NAME(convolve)(&net->st_conv, numbers, rows, s, s->cat + (long)q * net->st_fc.layer[0].in);
        }
        const int32_t *sum = NAME(connect)(&net->st_fc, numbers, n, 4, s);
        for (int q = 0; q < n; q++)
            for (int k = 0; k < 4; k++) {
                omega[4 * q + k] = narrowed(sum[(long)q * wide + k]);
                if (net->omega[k] >= 0) s->point[q * points + net->omega[k]] = omega[4 * q + k];
            }
    }
    const struct layer *l = net->lpe_conv.layer;
    const long stride = net->lpe_fc.layer[0].in, wide = net->lpe_fc.layer[net->lpe_fc.count - 1].wide;
    for (int q = 0; q < n; q++) {
        const int32_t *start = (const int32_t *)(numbers + l->bias);
        const int16_t *near[ROWS];
        neighbors(from, i + q, near);
        if (net->own >= 0)
            NAME(own)(net, numbers, (from->kept + 1) / 2, row_of(from, i + q), s->own), start = s->own;
        if (transforms) TURN(rows, omega + 4 * q, s->x + q * pairs);
        NAME(first)(l, numbers, rows, s->x + q * pairs, near, start, s->a);
        NAME(convolve)(&net->lpe_conv, numbers, rows, s, s->cat + q * stride);
        memcpy(s->cat + (q + 1) * stride - points, s->point + q * points, sizeof(int16_t) * points);
    }
    const int32_t *e = NAME(connect)(&net->lpe_fc, numbers, n, net->dim, s);
    for (int q = 0; q < n; q++) normalise(e + q * wide, net->dim, out + (long)q * net->dim);
}

#undef CAT2
#undef CAT
#undef NAME
#undef INLINE
#undef ISA
#undef TARGET
#undef VL
#undef BLOCK
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
#undef STORE7
#undef STORE12
#undef STOREHIGH
#undef RELATIVE
#undef TURN
