/* The Local Point Embedder, fused: gather, spatial transform, convolutions,
 * maximum over the neighbours, dense layers, normalisation. The twin of
 * embed/lpe/forward.go and embed.Inputs.Gather, to the bit: sums are of FMA, input
 * by input, and nothing else is fused (-fmad=false).
 *
 * One thread embeds one point. What it gathers never leaves its registers: two
 * passes over its neighbours measure the neighbourhood, and the two convolution
 * passes compute LPE_ROWS neighbours at a time, their first layer in registers,
 * so that a group of four weights read from shared memory (one broadcast for
 * the warp) serves 4 × LPE_ROWS multiplications a thread; 128 registers, none
 * spilled (ptxas 11.8, sm_70 to sm_90), so four blocks share a multiprocessor.
 * Weights come to shared memory layer by layer, 55 kB a block of 128 points for
 * the paper's network.
 * Channels and network lie as the CPU's kernels read them (embed/layout); two
 * convolutions a unit, the first at most 32 wide. Lengths in metres.
 */
#include "../../partition/device/device.h"
#include "../layout/layout.h"

#define LPE_THREADS 128
#define LPE_ROWS 4
#define LPE_WIDEST 128 /* of a layer */
#define LPE_POINTS MOST_CHANNELS

#ifndef __CUDACC__
typedef struct { float x, y, z, w; } float4;
#endif
#define LOAD4(p) (*(const float4 *)(p))

DEVICE float clamped(float v, float most) { return fminf(fmaxf(v, -most), most); }

typedef struct {
	const int32_t *xyz;
	const struct source *channel; /* of neighbours */
	const uint32_t *near;
	const float *table;
	int64_t self;
	float unit, scale;
	int k, listed, width;
	int32_t x, y, z;
} neighborhood;

DEVICE uint32_t neighbor_of(const neighborhood *n, int r)
{
	return n->listed ? n->near[r < n->listed ? r : r % n->listed] : (uint32_t)n->self;
}

DEVICE float rectified(float v) { return v > 0 ? v : 0; }

/* The value of a channel at neighbour j, whose offset is d in metres and p
 * normalised. */
DEVICE float channel_of(const neighborhood *n, int h, uint32_t j, const float *d, const float *p)
{
	if (h < 3)
		return p[h];
	const float *table = n->table + n->channel[h].column;
	const float *own = table + n->self * n->width, *other = table + (int64_t)j * n->width;
	switch (n->channel[h].channel) {
	case CHANNEL_COLUMN: return *other;
	case CHANNEL_D_COLUMN: return *other - *own;
	case CHANNEL_NORMAL_TURN: return fmaxf(1 - fabsf(own[0] * other[0] + own[1] * other[1] + own[2] * other[2]), 0);
	default: return clamped(d[2], HIGHEST_RISE); /* CHANNEL_RISE */
	}
}

DEVICE void offset_to(const neighborhood *n, uint32_t j, float *d)
{
	const int32_t *q = n->xyz + 3 * (uint64_t)j;
	d[0] = (float)(q[0] - n->x) * n->unit;
	d[1] = (float)(q[1] - n->y) * n->unit;
	d[2] = (float)(q[2] - n->z) * n->unit;
}

/* Measures the neighbourhood, sets its scale and fills in the point channels. */
DEVICE void measure(neighborhood *n, const struct source *channel, int points, float *point)
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
		case CHANNEL_COLUMN: v = n->table[n->self * n->width + channel[h].column]; break;
		case CHANNEL_RADIUS: v = fminf(radius, FARTHEST); break;
		case CHANNEL_CENTROID_OFFSET:
			v = fminf(ROOT(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) * n->scale, FARTHEST_MEAN);
			break;
		case CHANNEL_HEIGHT_RANGE: v = fminf(high - low, HIGHEST_EXTENT); break;
		}
		point[h] = v;
	}
}

/* Copies count numbers to shared memory; all threads of the block take part. */
DEVICE void stage(float *shared, const float *weights, int count)
{
	__syncthreads();
	for (int i = threadIdx.x; i < count; i += blockDim.x)
		shared[i] = weights[i];
	__syncthreads();
}

/* A weight of input c, x or y, multiplied by Ω: W (p Ω) = (W Ωᵀ) p. */
DEVICE float turned(const float *omega, int c, float x, float y) { return FMA(omega[2 * c], x, omega[2 * c + 1] * y); }

/* Adds an input of every row to four outputs. */
DEVICE void add(const int rows, const int o, const float *v, const float4 w, float h[][32])
{
	UNROLL
	for (int r = 0; r < rows; r++) {
		h[r][o] = FMA(v[r], w.x, h[r][o]);
		h[r][o + 1] = FMA(v[r], w.y, h[r][o + 1]);
		h[r][o + 2] = FMA(v[r], w.z, h[r][o + 2]);
		h[r][o + 3] = FMA(v[r], w.w, h[r][o + 3]);
	}
}

/* Two convolutions, the first hidden wide, and the maximum over the neighbours,
 * rows of them at a time; omega is 0 where nothing is turned. */
DEVICE void convolve(const neighborhood *n, const int hidden, const int rows, int channels, const float *omega,
	const struct part *conv, const float *weights, float *shared, float *high)
{
	const int wide = conv->layer[1].wide, inner = (channels + 1) * hidden;
	stage(shared, weights + conv->layer[0].at, inner + (hidden + 1) * wide); /* the layers follow each other */
	const float *bias = shared + channels * hidden, *weight2 = shared + inner, *bias2 = weight2 + hidden * wide;
	for (int o = 0; o < wide; o++)
		high[o] = -HUGE_VALF;
	LEAVE_ROLLED
	for (int start = 0; start < n->k; start += rows) {
		float h[LPE_ROWS][32], d[LPE_ROWS][3], p[LPE_ROWS][3];
		uint32_t j[LPE_ROWS];
		UNROLL
		for (int r = 0; r < rows; r++) {
			j[r] = neighbor_of(n, start + r < n->k ? start + r : n->k - 1);
			offset_to(n, j[r], d[r]);
			const float x = clamped(d[r][0] * n->scale, FARTHEST), y = clamped(d[r][1] * n->scale, FARTHEST);
			p[r][0] = x;
			p[r][1] = y;
			p[r][2] = clamped(d[r][2] * n->scale, FARTHEST);
			UNROLL
			for (int o = 0; o < hidden; o++)
				h[r][o] = bias[o];
		}
		LEAVE_ROLLED
		for (int c = 0; c < channels; c++) {
			const float *weight = shared + c * hidden;
			float v[LPE_ROWS];
			UNROLL
			for (int r = 0; r < rows; r++)
				v[r] = channel_of(n, c, j[r], d[r], p[r]);
			UNROLL
			for (int o = 0; o < hidden; o += 4) {
				float4 w = LOAD4(weight + o);
				if (omega && c < 2) {
					const float4 x = LOAD4(shared + o), y = LOAD4(shared + hidden + o);
					w.x = turned(omega, c, x.x, y.x);
					w.y = turned(omega, c, x.y, y.y);
					w.z = turned(omega, c, x.z, y.z);
					w.w = turned(omega, c, x.w, y.w);
				}
				add(rows, o, v, w, h);
			}
		}
		UNROLL
		for (int r = 0; r < rows; r++) {
			UNROLL
			for (int o = 0; o < hidden; o++)
				h[r][o] = rectified(h[r][o]);
		}
		LEAVE_ROLLED
		for (int o = 0; o < wide; o += 4) {
			float s[LPE_ROWS][4];
			UNROLL
			for (int r = 0; r < rows; r++)
				s[r][0] = s[r][1] = s[r][2] = s[r][3] = 0;
			UNROLL
			for (int i = 0; i < hidden; i++) {
				const float4 w = LOAD4(weight2 + i * wide + o);
				UNROLL
				for (int r = 0; r < rows; r++) {
					s[r][0] = FMA(h[r][i], w.x, s[r][0]);
					s[r][1] = FMA(h[r][i], w.y, s[r][1]);
					s[r][2] = FMA(h[r][i], w.z, s[r][2]);
					s[r][3] = FMA(h[r][i], w.w, s[r][3]);
				}
			}
			UNROLL
			for (int q = 0; q < 4; q++) {
				float m = high[o + q];
				UNROLL
				for (int r = 0; r < rows; r++)
					m = s[r][q] > m ? s[r][q] : m;
				high[o + q] = m;
			}
		}
	}
	for (int o = 0; o < wide; o++) {
		const float v = high[o] + bias2[o];
		high[o] = conv->layer[1].relu ? rectified(v) : v;
	}
}

DEVICE void convolve_unit(const neighborhood *n, const int most, int channels, const float *omega,
	const struct part *conv, const float *weights, float *shared, float *high)
{
	if (most == 16 || conv->layer[0].wide == 16)
		convolve(n, 16, LPE_ROWS, channels, omega, conv, weights, shared, high);
	else
		convolve(n, 32, 2, channels, omega, conv, weights, shared, high);
}

/* One dense layer: 16 outputs at a time in registers, as many columns of the
 * weights in shared memory as it holds. */
DEVICE void dense(const struct layer *l, const float *weights, float *shared, int room, const float *in, float *out)
{
	const int inputs = l->in, wide = l->wide;
	const float *weight = weights + l->at;
	int fits = room / (inputs + 1) & ~15;
	if (fits > wide)
		fits = wide;
	for (int at = 0; at < wide; at += fits) {
		const int columns = wide - at < fits ? wide - at : fits;
		__syncthreads();
		for (int i = threadIdx.x; i < (inputs + 1) * columns; i += blockDim.x)
			shared[i] = weight[i / columns * wide + at + i % columns];
		__syncthreads();
		LEAVE_ROLLED
		for (int o = 0; o < columns; o += 16) {
			const float *w = shared + o;
			float s[16];
			UNROLL
			for (int q = 0; q < 16; q++)
				s[q] = w[inputs * columns + q];
			LEAVE_ROLLED
			for (int i = 0; i < inputs; i++) {
				const float x = in[i];
				UNROLL
				for (int q = 0; q < 16; q += 4) {
					const float4 v = LOAD4(w + i * columns + q);
					s[q] = FMA(x, v.x, s[q]);
					s[q + 1] = FMA(x, v.y, s[q + 1]);
					s[q + 2] = FMA(x, v.z, s[q + 2]);
					s[q + 3] = FMA(x, v.w, s[q + 3]);
				}
			}
			UNROLL
			for (int q = 0; q < 16; q++)
				out[at + o + q] = l->relu ? rectified(s[q]) : s[q];
		}
	}
}

/* Applies dense layers, the first to a; returns where the result is. */
DEVICE float *dense_layers(const struct part *fc, const float *weights, float *shared, int room, float *a, float *b)
{
	for (int i = 0; i < fc->count; i++) {
		dense(fc->layer + i, weights, shared, room, a, b);
		float *swap = a;
		a = b;
		b = swap;
	}
	return a;
}

DEVICE void normalise(const float *x, int dim, float *out)
{
	double square = 0;
	for (int d = 0; d < dim; d++)
		square += (double)x[d] * x[d];
	const int direction = square > 0 && square < HUGE_VAL;
	const double scale = direction ? 1 / sqrt(square) : 0;
	for (int d = 0; d < dim; d++)
		out[d] = direction ? (float)(x[d] * scale) : (d == 0 ? 1.0f : 0.0f);
}

/* Embeds the points first to first + count − 1. index holds their rows of
 * listed neighbours, the first of them at index[0]; room is the shared memory
 * in floats; most is the width of a unit's first convolution. */
DEVICE void embed_points(const int most, const int32_t *xyz, float unit, const uint32_t *index, const float *table,
	const struct inputs *in, const struct network *net, const float *weights, uint32_t first, uint32_t count,
	int32_t room, float *out)
{
	DYNAMIC_SHARED(float, shared);
	const uint64_t thread = thread_number();
	const uint32_t at = thread < count ? (uint32_t)thread : count - 1; /* all threads meet at the barriers */
	const int channels = in->neighbor_channels, points = in->point_channels, transforms = net->st_fc.count > 0;
	float a[LPE_WIDEST + LPE_POINTS], b[LPE_WIDEST + LPE_POINTS], point[LPE_POINTS];
	neighborhood n;
	n.xyz = xyz, n.channel = in->neighbor, n.near = index + (uint64_t)at * in->listed, n.table = table;
	n.self = first + at, n.unit = unit, n.k = in->neighbors, n.listed = in->near, n.width = in->width;
	n.x = xyz[3 * n.self], n.y = xyz[3 * n.self + 1], n.z = xyz[3 * n.self + 2];
	measure(&n, in->point, points, point);

	float omega[4] = { 1, 0, 0, 1 };
	if (transforms) {
		convolve_unit(&n, most, 2, 0, &net->st_conv, weights, shared, a);
		const float *o = dense_layers(&net->st_fc, weights, shared, room, a, b);
		for (int i = 0; i < 4; i++) {
			omega[i] += o[i];
			if (net->omega[i] >= 0)
				point[net->omega[i]] = omega[i];
		}
	}
	convolve_unit(&n, most, channels, transforms ? omega : 0, &net->lpe_conv, weights, shared, a);
	for (int i = 0; i < points; i++)
		a[net->lpe_conv.layer[1].wide + i] = point[i];
	const float *e = dense_layers(&net->lpe_fc, weights, shared, room, a, b);
	if (thread < count)
		normalise(e, net->dim, out + (uint64_t)at * net->dim);
}

#define LPE_KERNEL(name, most) \
	KERNEL __launch_bounds__(LPE_THREADS) name(const int32_t *xyz, float unit, const uint32_t *index, \
		const float *table, const struct inputs *in, const struct network *net, const float *weights, \
		uint32_t first, uint32_t count, int32_t room, float *out) \
	{ \
		embed_points(most, xyz, unit, index, table, in, net, weights, first, count, room, out); \
	}
LPE_KERNEL(lpe_embed, 16)
LPE_KERNEL(lpe_embed_wide, 32)
