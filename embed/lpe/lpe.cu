// SPDX-License-Identifier: BSD-3-Clause
/* The Local Point Embedder in integers, fused: gather, spatial transform, convolutions,
 * maximum over the neighbours, dense layers, normalisation. It computes the same bits as
 * embed/lpe/plain.go: only the measures of a neighbourhood are in floats, with the
 * operations of embed.Inputs.Measure in the same order (-fmad=false); all other sums are of
 * integers, exact in any order.
 *
 * One thread embeds one point: two passes over its neighbours measure the neighbourhood,
 * and one for each PointNet convolves. The first convolution's outputs at all neighbours
 * are packed, four to a word (320 bytes for the built-in networks), so that the second can
 * have 8 outputs at LPE_ROWS neighbours in registers at a time: six loads of four words
 * serve 32 sums of four products. All weights are in shared memory, 30 kB for a block of
 * 128 points for the built-in networks. Channels and network have the layout of
 * embed/layout; a PointNet has two convolutions, the first at most 32 wide. Lengths are in
 * metres.
 */
#include "../../partition/gpu/device.h"
#include "../layout/layout.h"

#define LPE_THREADS 128
#define LPE_ROWS 4
#define LPE_WIDEST 128 /* of a layer */
#define LPE_PACKED 320 /* words of a first convolution at all neighbours */

#ifndef __CUDACC__
typedef struct { int32_t x, y, z, w; } int4;
#endif
#define LOAD4(p) (*(const int4 *)(p))
#define NUMBERS(offset) ((const int32_t *)(numbers + (offset)))

DEVICE float clamped(float v, float most) { return fminf(fmaxf(v, -most), most); }

/* To fixed point, to the nearest, half to even. */
DEVICE int32_t fixed(float v, float scale) { return NEAREST(clamped(v * scale, 32767)); }

DEVICE int32_t bounded(int32_t v, int32_t least, int32_t most) { return v < least ? least : v > most ? most : v; }

/* Adds the products of two inputs with a pair of weights of 16 bits. */
DEVICE int32_t add_pair(int32_t sum, int32_t a, int32_t b, int32_t w) { return sum + a * (int16_t)w + b * (w >> 16); }

typedef struct {
	const int32_t *xyz;
	const uint32_t *near;
	const int16_t *rows;
	const struct network *net;
	int64_t self;
	float unit, scale;
	int k, listed;
	int32_t x, y, z;
} neighborhood;

DEVICE uint32_t neighbor_of(const neighborhood *n, int r)
{
	return n->listed ? n->near[r < n->listed ? r : r % n->listed] : (uint32_t)n->self;
}

DEVICE const int16_t *row_of(const neighborhood *n, int64_t j) { return n->rows + j * n->net->stride; }

DEVICE void offset_to(const neighborhood *n, uint32_t j, float *d)
{
	const int32_t *q = n->xyz + 3 * (uint64_t)j;
	d[0] = (float)(q[0] - n->x) * n->unit;
	d[1] = (float)(q[1] - n->y) * n->unit;
	d[2] = (float)(q[2] - n->z) * n->unit;
}

/* Measures the neighbourhood, sets its scale and fills in the point channels. */
DEVICE void measure(neighborhood *n, const struct source *channel, int points, int32_t *point)
{
	float d[3], s[3] = { 0, 0, 0 }, q[3] = { 0, 0, 0 };
	LEAVE_ROLLED
	for (int r = 0; r < n->k; r++) {
		offset_to(n, neighbor_of(n, r), d);
		for (int a = 0; a < 3; a++)
			s[a] += d[a];
	}
	const float per = RATIO(1.0f, (float)n->k);
	for (int a = 0; a < 3; a++)
		s[a] *= per;
	float low = HUGE_VALF, high = -HUGE_VALF;
	LEAVE_ROLLED
	for (int r = 0; r < n->k; r++) {
		offset_to(n, neighbor_of(n, r), d);
		low = fminf(low, d[2]);
		high = fmaxf(high, d[2]);
		for (int a = 0; a < 3; a++)
			q[a] += (d[a] - s[a]) * (d[a] - s[a]);
	}
	const float radius = ROOT((q[0] + q[1] + q[2]) * per);
	n->scale = RATIO(1.0f, radius + RADIUS_EPSILON);
	LEAVE_ROLLED
	for (int h = 0; h < points; h++) {
		float v = 0;
		switch (channel[h].channel) {
		case CHANNEL_COLUMN: point[h] = row_of(n, n->self)[n->net->hidden + channel[h].column]; continue;
		case CHANNEL_RADIUS: v = fminf(radius, FARTHEST); break;
		case CHANNEL_CENTROID_OFFSET:
			v = fminf(ROOT(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) * n->scale, FARTHEST_MEAN);
			break;
		case CHANNEL_HEIGHT_RANGE: v = fminf(high - low, HIGHEST_EXTENT); break;
		}
		point[h] = fixed(v, n->net->point[h]);
	}
}

/* The relative channels of neighbour j (network.go), in pairs. */
DEVICE void relative_to(const neighborhood *n, uint32_t j, const int32_t *omega, int32_t *x)
{
	const struct network *net = n->net;
	const float unit = 1 << POSITION_EXPONENT;
	float d[3];
	offset_to(n, j, d);
	for (int a = 0; a < 3; a++)
		x[a] = fixed(d[a] * n->scale, unit);
	x[3] = x[4] = x[5] = 0;
	if (!omega)
		return;
	const int32_t a = x[0], b = x[1], half = 1 << (POSITION_EXPONENT - 1);
	x[0] = bounded((a * omega[0] + b * omega[2] + half) >> POSITION_EXPONENT, -32767, 32767);
	x[1] = bounded((a * omega[1] + b * omega[3] + half) >> POSITION_EXPONENT, -32767, 32767);
	if (net->normal >= 0) {
		const int place = net->hidden + net->normal;
		const int16_t *p = row_of(n, n->self) + place, *q = row_of(n, j) + place;
		const int32_t dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
		x[3] = bounded((1 << NORMAL_EXPONENT) - ((dot < 0 ? -dot : dot) >> NORMAL_EXPONENT), 0, 1 << NORMAL_EXPONENT);
	}
	if (net->rise)
		x[4] = fixed(clamped(d[2], HIGHEST_RISE), unit);
}

/* The first convolution at neighbour j, packed. start has the initial sums. If omega is not
 * 0, x and y are multiplied by it, and the terms of the neighbour's columns are added. */
DEVICE void first_convolution(const neighborhood *n, const struct layer *l, const uint8_t *numbers, uint32_t j,
	const int32_t *omega, const int32_t *start, int32_t *packed)
{
	const int32_t *w = NUMBERS(l->weight);
	int32_t x[6];
	relative_to(n, j, omega, x);
	LEAVE_ROLLED
	for (int o = 0; o < l->wide; o += 4) {
		int32_t four = 0;
		UNROLL
		for (int q = 0; q < 4; q++) {
			int32_t sum = add_pair(start[o + q], x[0], x[1], w[o + q]);
			if (omega) {
				sum += (int32_t)row_of(n, j)[o + q] * (1 << 16);
				sum = add_pair(sum, x[2], x[3], w[l->wide + o + q]);
				if (n->net->rise)
					sum = add_pair(sum, x[4], x[5], w[2 * l->wide + o + q]);
			}
			four |= bounded(sum >> NUMBERS(l->shift)[o + q], 0, l->most) << 8 * q;
		}
		packed[o / 4] = four;
	}
}

/* Adds the products of four inputs of every row to four outputs. */
DEVICE void add_fours(const int o, const int32_t *x, const int4 w, int32_t s[][8])
{
	UNROLL
	for (int r = 0; r < LPE_ROWS; r++) {
		s[r][o] = DOT4(x[r], w.x, s[r][o]);
		s[r][o + 1] = DOT4(x[r], w.y, s[r][o + 1]);
		s[r][o + 2] = DOT4(x[r], w.z, s[r][o + 2]);
		s[r][o + 3] = DOT4(x[r], w.w, s[r][o + 3]);
	}
}

/* Two convolutions and the maximum over the neighbours. */
DEVICE void convolve(const neighborhood *n, const int32_t *omega, const struct part *conv,
	const uint8_t *numbers, const int32_t *start, int32_t *packed, int32_t *high)
{
	const struct layer *last = conv->layer + 1;
	const int words = conv->layer[0].wide / 4, wide = last->wide;
	LEAVE_ROLLED
	for (int r = 0; r < n->k; r++)
		first_convolution(n, conv->layer, numbers, neighbor_of(n, r), omega, start, packed + r * words);
	LEAVE_ROLLED
	for (int o = 0; o < wide; o += 8) {
		int32_t most[8];
		UNROLL
		for (int q = 0; q < 8; q++)
			most[q] = INT32_MIN;
		LEAVE_ROLLED
		for (int from = 0; from < n->k; from += LPE_ROWS) {
			const int32_t *w = NUMBERS(last->weight) + o;
			int32_t s[LPE_ROWS][8] = { { 0 } };
			LEAVE_ROLLED
			for (int g = 0; g < words; g++, w += wide) {
				int32_t x[LPE_ROWS];
				UNROLL
				for (int r = 0; r < LPE_ROWS; r++)
					x[r] = packed[(from + r < n->k ? from + r : n->k - 1) * words + g];
				add_fours(0, x, LOAD4(w), s);
				add_fours(4, x, LOAD4(w + 4), s);
			}
			UNROLL
			for (int r = 0; r < LPE_ROWS; r++) {
				UNROLL
				for (int q = 0; q < 8; q++)
					most[q] = s[r][q] > most[q] ? s[r][q] : most[q];
			}
		}
		UNROLL
		for (int q = 0; q < 8; q++)
			high[o + q] = bounded((most[q] + NUMBERS(last->bias)[o + q]) >> NUMBERS(last->shift)[o + q], 0, last->most);
	}
}

/* One dense layer: 16 outputs at a time in registers. */
DEVICE void dense(const struct layer *l, const uint8_t *numbers, const int32_t *in, int32_t *out)
{
	const int inputs = l->in, wide = l->wide;
	LEAVE_ROLLED
	for (int o = 0; o < wide; o += 16) {
		const int32_t *w = NUMBERS(l->weight) + o;
		int32_t s[16];
		UNROLL
		for (int q = 0; q < 16; q++)
			s[q] = NUMBERS(l->bias)[o + q];
		LEAVE_ROLLED
		for (int i = 0; i < inputs; i += 2, w += wide) {
			const int32_t a = in[i], b = in[i + 1];
			UNROLL
			for (int q = 0; q < 16; q += 4) {
				const int4 v = LOAD4(w + q);
				s[q] = add_pair(s[q], a, b, v.x);
				s[q + 1] = add_pair(s[q + 1], a, b, v.y);
				s[q + 2] = add_pair(s[q + 2], a, b, v.z);
				s[q + 3] = add_pair(s[q + 3], a, b, v.w);
			}
		}
		UNROLL
		for (int q = 0; q < 16; q++) {
			s[q] >>= NUMBERS(l->shift)[o + q];
			out[o + q] = l->most ? bounded(s[q], 0, l->most) : s[q];
		}
	}
}

/* Applies dense layers, the first to a; returns where the result is. */
DEVICE int32_t *dense_layers(const struct part *fc, const uint8_t *numbers, int32_t *a, int32_t *b)
{
	for (int i = 0; i < fc->count; i++) {
		dense(fc->layer + i, numbers, a, b);
		int32_t *swap = a;
		a = b;
		b = swap;
	}
	return a;
}

DEVICE void normalise(const int32_t *x, int dim, float *out)
{
	double square = 0;
	for (int d = 0; d < dim; d++)
		square += (double)x[d] * x[d];
	const double scale = square > 0 ? 1 / sqrt(square) : 0;
	for (int d = 0; d < dim; d++)
		out[d] = square > 0 ? (float)(x[d] * scale) : (d == 0 ? 1.0f : 0.0f);
}

/* The initial sums of the embedder's first convolution: the bias and the terms of the
 * point's own columns. */
DEVICE void first_sums(const neighborhood *n, const uint8_t *numbers, int32_t *start)
{
	const struct network *net = n->net;
	const int16_t *own = row_of(n, n->self) + net->hidden;
	for (int o = 0; o < net->hidden; o++) {
		int32_t sum = NUMBERS(net->lpe_conv.layer[0].bias)[o];
		if (net->own >= 0)
			for (int c = 0; c < net->columns / 2; c++)
				sum = add_pair(sum, own[2 * c], own[2 * c + 1], NUMBERS(net->own)[c * net->hidden + o]);
		start[o] = sum;
	}
}

/* The rows of count points (struct network). */
KERNEL lpe_rows(const float *table, int32_t width, const struct network *net, const uint8_t *numbers, uint32_t count,
	int16_t *rows)
{
	const uint64_t i = thread_number();
	if (i >= count)
		return;
	const int hidden = net->hidden;
	int16_t *row = rows + i * net->stride, *column = row + hidden;
	for (int c = 0; c < net->columns; c++)
		column[c] = c < width ? fixed(table[i * width + c], net->scale[c]) : 0;
	for (int o = 0; o < hidden; o++) {
		int32_t sum = 1 << 15;
		for (int c = 0; c < net->columns / 2; c++)
			sum = add_pair(sum, column[2 * c], column[2 * c + 1], NUMBERS(net->near)[c * hidden + o]);
		row[o] = sum >> 16;
	}
}

/* Embeds the points first to first + count − 1. index holds their rows of
 * listed neighbours, the first of them at index[0]; size is that of all numbers in
 * bytes. */
KERNEL __launch_bounds__(LPE_THREADS) lpe_embed(const int32_t *xyz, float unit, const uint32_t *index,
	const int16_t *rows, const struct inputs *in, const struct network *net, const int32_t *all, uint32_t first,
	uint32_t count, int32_t size, float *out)
{
	DYNAMIC_SHARED(int32_t, shared);
	for (int i = threadIdx.x; i < size / 4; i += blockDim.x)
		shared[i] = all[i];
	__syncthreads();
	const uint64_t thread = thread_number();
	if (thread >= count)
		return;
	const uint8_t *numbers = (const uint8_t *)shared;
	const int points = in->point_channels;
	int32_t a[LPE_WIDEST + MOST_CHANNELS + 2], b[LPE_PACKED], point[MOST_CHANNELS], start[32];
	neighborhood n;
	n.xyz = xyz, n.near = index + thread * in->listed, n.rows = rows, n.net = net;
	n.self = first + thread, n.unit = unit, n.k = in->neighbors, n.listed = in->near;
	n.x = xyz[3 * n.self], n.y = xyz[3 * n.self + 1], n.z = xyz[3 * n.self + 2];
	measure(&n, in->point, points, point);

	int32_t omega[4] = { 1 << POSITION_EXPONENT, 0, 0, 1 << POSITION_EXPONENT };
	if (net->st_fc.count > 0) {
		convolve(&n, 0, &net->st_conv, numbers, NUMBERS(net->st_conv.layer[0].bias), b, a);
		const int32_t *o = dense_layers(&net->st_fc, numbers, a, b);
		for (int i = 0; i < 4; i++) {
			omega[i] = bounded(o[i], -32767, 32767);
			if (net->omega[i] >= 0)
				point[net->omega[i]] = omega[i];
		}
	}
	first_sums(&n, numbers, start);
	convolve(&n, omega, &net->lpe_conv, numbers, start, b, a);
	const int wide = net->lpe_conv.layer[1].wide;
	a[wide + points] = 0; /* pads a pair */
	for (int i = 0; i < points; i++)
		a[wide + i] = point[i];
	const int32_t *e = dense_layers(&net->lpe_fc, numbers, a, b);
	normalise(e, net->dim, out + thread * net->dim);
}
