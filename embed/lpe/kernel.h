// The Local Point Embedder's forward pass in C; forward.go is its twin, says what
// is computed, and gives the same bits. MAX(a, b) is a > b ? a : b. This file is
// compiled once for each instruction set: kernel.c defines the vector type and its
// operations, then includes it.
//
// The network is described by ../layout/layout.h.
//
// The work is in term(): ROWS rows times COLS vectors of outputs are summed in
// registers over all inputs, each weight loaded once for ROWS rows, each input
// broadcast once for COLS vectors. The last convolution never writes its
// outputs: the maximum over a set is taken between tiles.
//
// Where the time goes, the paper's network on one Zen 3 core with AVX2 (3.2 to
// 4 GHz, 2 FMA of 8 floats a cycle), ns a point: the two last convolutions 2 ×
// 400, which is their 1,280 cycles at 3.2 GHz; the layer after the maximum 100;
// the other dense layers 150; first convolutions 90; in all 1,140 for 108 kFLOP,
// 93 % of the peak. Gathering adds 100 (no attributes) to 190. A point reads 20
// positions, 80 bytes of indices and writes 16 bytes; weights (55 kB) stay in
// the second-level cache, one set's activations (1.3 kB) in the first. What is
// left to save is arithmetic: a smaller network, or wider registers.

#define INLINE static inline __attribute__((always_inline)) TARGET

typedef struct {
    int in, wide, relu;
    const float *weight, *bias;
} layer_t;

INLINE layer_t layer_of(const struct layer *l, const float *weights) {
    const float *w = weights + l->at;
    return (layer_t){l->in, l->wide, l->relu, w, w + (long)l->in * l->wide};
}

// term adds input i of every row.
INLINE void term(int rows, int cols, const float *in, int stride, int i, const float *w, int wide, VEC *sum) {
    VEC weight[4];
    _Pragma("GCC unroll 4") for (int c = 0; c < cols; c++) weight[c] = LOAD(w + (long)i * wide + c * VL);
    _Pragma("GCC unroll 10") for (int r = 0; r < rows; r++) {
        VEC x = SET1(in[(long)r * stride + i]);
        _Pragma("GCC unroll 4") for (int c = 0; c < cols; c++) sum[r * cols + c] = FMA(x, weight[c], sum[r * cols + c]);
    }
}

// tile adds all inputs of rows × cols vectors to sum. rows and cols are
// constants at each call; so are inputs and wide where networks mostly agree,
// and then no loop is left.
INLINE void tile(int rows, int cols, const float *in, int stride, int inputs, const float *w, int wide,
                       VEC *sum) {
    if (__builtin_constant_p(inputs)) {
        _Pragma("GCC unroll 16") for (int i = 0; i < inputs; i++) term(rows, cols, in, stride, i, w, wide, sum);
    } else {
        _Pragma("GCC unroll 4") for (int i = 0; i < inputs; i++) term(rows, cols, in, stride, i, w, wide, sum);
    }
}

// part computes rows × cols vectors of a dense layer.
INLINE void part(int rows, int cols, const layer_t *l, int inputs, int wide, int at, const float *in, int stride,
                       float *out) {
    VEC sum[40];
    _Pragma("GCC unroll 4") for (int c = 0; c < cols; c++) {
        sum[c] = LOAD(l->bias + at + c * VL);
        _Pragma("GCC unroll 10") for (int r = 1; r < rows; r++) sum[r * cols + c] = sum[c];
    }
    tile(rows, cols, in, stride, inputs, l->weight + at, wide, sum);
    if (l->relu) {
        _Pragma("GCC unroll 40") for (int s = 0; s < rows * cols; s++) sum[s] = MAX(sum[s], ZERO());
    }
    _Pragma("GCC unroll 10") for (int r = 0; r < rows; r++) {
        float *to = out + (long)r * wide + at;
        _Pragma("GCC unroll 4") for (int c = 0; c < cols; c++) STORE(to + c * VL, sum[r * cols + c]);
    }
}

// dense_of computes a layer for count rows, a multiple of 5.
INLINE void dense_of(const layer_t *l, int inputs, int wide, int count, const float *in, int stride, float *out) {
    int at = 0;
    for (; at + COLS * VL <= wide; at += COLS * VL)
        for (int r = 0; r < count; r += ROWS)
            part(ROWS, COLS, l, inputs, wide, at, in + (long)r * stride, stride, out + (long)r * wide);
    for (; at < wide; at += VL)
        for (int r = 0; r < count; r += ROWS)
            part(ROWS, 1, l, inputs, wide, at, in + (long)r * stride, stride, out + (long)r * wide);
}

TARGET static void dense(const layer_t *l, int count, const float *in, int stride, float *out) {
    if (l->in == 2 && l->wide == 16)
        dense_of(l, 2, 16, count, in, stride, out);
    else if (l->in == 3 && l->wide == 16)
        dense_of(l, 3, 16, count, in, stride, out);
    else
        dense_of(l, l->in, l->wide, count, in, stride, out);
}

// highest takes the maximum of one tile of a set.
INLINE void highest(int cols, const layer_t *l, int inputs, int wide, int at, const float *in, int stride,
                          VEC *high) {
    VEC sum[40];
    _Pragma("GCC unroll 40") for (int s = 0; s < ROWS * cols; s++) sum[s] = ZERO();
    tile(ROWS, cols, in, stride, inputs, l->weight + at, wide, sum);
    _Pragma("GCC unroll 4") for (int c = 0; c < cols; c++) {
        _Pragma("GCC unroll 10") for (int s = 0; s < ROWS; s++) high[c] = MAX(sum[s * cols + c], high[c]);
    }
}

// most computes cols vectors of the maximum over count rows.
INLINE void most(int cols, const layer_t *l, int inputs, int wide, int at, int count, const float *in,
                       int stride, float *out) {
    VEC high[4];
    _Pragma("GCC unroll 4") for (int c = 0; c < cols; c++) high[c] = SET1(-INFINITY);
    for (int r = 0; r < count; r += ROWS) highest(cols, l, inputs, wide, at, in + (long)r * stride, stride, high);
    _Pragma("GCC unroll 4") for (int c = 0; c < cols; c++) {
        VEC y = ADD(high[c], LOAD(l->bias + at + c * VL));
        STORE(out + at + c * VL, l->relu ? MAX(y, ZERO()) : y);
    }
}

INLINE void pool_of(const layer_t *l, int inputs, int wide, int count, const float *in, int stride, float *out) {
    int at = 0;
    for (; at + COLS * VL <= wide; at += COLS * VL) most(COLS, l, inputs, wide, at, count, in, stride, out);
    for (; at < wide; at += VL) most(1, l, inputs, wide, at, count, in, stride, out);
}

// pool computes a layer's maximum over count rows, a multiple of 5.
TARGET static void pool(const layer_t *l, int count, const float *in, int stride, float *out) {
    pool_of(l, l->in, l->wide, count, in, stride, out);
}

// convolve applies a unit's convolutions, of which first may have other weights
// than the part says, to one set and pools it.
INLINE void convolve(const layer_t *first, const struct part *conv, const float *weights, int rows,
                           const float *set, int stride, float *a, float *b, float *out) {
    layer_t l = *first;
    const float *in = set;
    for (int i = 0; i < conv->count - 1; i++) {
        float *to = i % 2 ? b : a;
        dense(&l, rows, in, stride, to);
        in = to, stride = l.wide;
        l = layer_of(conv->layer + i + 1, weights);
    }
    pool(&l, rows, in, stride, out);
}

// connect applies a part's dense layers to count rows, a multiple of 5; it
// returns where the result is, whose rows are *stride apart.
INLINE const float *connect(const struct part *fc, const float *weights, int count, const float *in, int *stride,
                                  float *a, float *b) {
    for (int k = 0; k < fc->count; k++) {
        layer_t l = layer_of(fc->layer + k, weights);
        float *to = k % 2 ? b : a;
        dense(&l, count, in, *stride, to);
        in = to, *stride = l.wide;
    }
    return in;
}

// turn multiplies the weights of x and y by Ω: W (p Ω) = (W Ωᵀ) p.
INLINE void turn(const layer_t *l, const float *omega, float *weight) {
    for (int o = 0; o < l->wide; o += VL) {
        VEC x = LOAD(l->weight + o), y = LOAD(l->weight + l->wide + o);
        STORE(weight + o, FMA(SET1(omega[0]), x, MUL(SET1(omega[1]), y)));
        STORE(weight + l->wide + o, FMA(SET1(omega[2]), x, MUL(SET1(omega[3]), y)));
    }
}

TARGET static void forward(const struct network *net, const float *weights, int n, const float *set,
                                 const float *point, float *out, float *scratch, long widest) {
    const int rows = net->rows, channels = net->channels, points = net->points, dim = net->dim;
    const int transforms = net->st_fc.count > 0;
    const int padded = (n + 4) / 5 * 5;
    const long size = widest * (padded > rows ? padded : rows), one = (long)rows * channels;
    float *a = scratch, *b = a + size, *cat = b + size, *turned = cat + size;
    float omega[4 * 128];

    if (transforms) {
        layer_t first = layer_of(net->st_conv.layer, weights);
        int stride = net->st_fc.layer[0].in;
        memset(cat, 0, sizeof(float) * padded * stride);
        for (int i = 0; i < n; i++)
            convolve(&first, &net->st_conv, weights, rows, set + i * one, channels, a, b, cat + (long)i * stride);
        const float *in = connect(&net->st_fc, weights, padded, cat, &stride, a, b);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 4; k++) omega[4 * i + k] = in[(long)i * stride + k] + (k == 0 || k == 3 ? 1 : 0);
    }

    layer_t first = layer_of(net->lpe_conv.layer, weights);
    int stride = net->lpe_fc.layer[0].in;
    if (transforms) memcpy(turned, first.weight, sizeof(float) * first.in * first.wide);
    memset(cat, 0, sizeof(float) * padded * stride);
    for (int i = 0; i < n; i++) {
        layer_t use = first;
        float *row = cat + (long)i * stride, *own = row + stride - points;
        memcpy(own, point + (long)i * points, sizeof(float) * points);
        if (transforms) {
            turn(&first, omega + 4 * i, turned);
            use.weight = turned;
            for (int k = 0; k < 4; k++)
                if (net->omega[k] >= 0) own[net->omega[k]] = omega[4 * i + k];
        }
        convolve(&use, &net->lpe_conv, weights, rows, set + i * one, channels, a, b, row);
    }
    const float *in = connect(&net->lpe_fc, weights, padded, cat, &stride, a, b);
    for (int i = 0; i < n; i++) normalise(in + (long)i * stride, dim, out + (long)i * dim);
}
