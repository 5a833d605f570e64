/* Training of the layers on every neighbour: two layers with batch
 * normalisation and the maximum over the neighbours, forward and backward; the
 * twins of setMoments, setMax, setSparse, setBack and omegaGradient in
 * embed/train/backprop (kernels.go), which says what they compute. No activation
 * of a neighbour is written to memory: every kernel computes the hidden layer
 * a = relu(w1 x + t1) anew from the channels, a group of points at a time in
 * shared memory.
 *
 * Every sum over points is taken in one order: a thread owns an entry and adds
 * the rows of its block's points one after the other, each block writes its own
 * sums to partial, and sum_blocks adds those. So a gradient is the same from run
 * to run. 128 threads a block.
 */
#include "../../../partition/device/device.h"
#include "../../layout/layout.h"

#define SET_THREADS 128

/* Of the rows that struct set describes, with omega (4 numbers a point) the first
 * two channels are an offset that is multiplied by the point's 2 × 2 matrix. */

DEVICE void set_copy(float *to, const float *from, int count)
{
	for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
		to[i] = from[i];
}

DEVICE void set_zero(float *to, int count)
{
	for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
		to[i] = 0;
}

/* The rows of count points from first on, the offsets turned. */
DEVICE void set_rows(const struct set *f, const float *x, const float *omega, uint64_t first, int count, float *to)
{
	for (int i = (int)threadIdx.x; i < count * f->k * f->s; i += (int)blockDim.x) {
		const int r = i / f->s, c = i % f->s;
		const float *row = x + (first * f->k + r) * f->stride;
		float v = row[c];
		if (omega && c < 2) {
			const float *o = omega + 4 * (first + r / f->k);
			v = row[0] * o[c] + row[1] * o[2 + c];
		}
		to[i] = v;
	}
}

/* The hidden layer of rows in shared memory; w1 is s × c1. */
DEVICE void set_hidden(const struct set *f, int rows, const float *x, const float *w1, const float *t1, float *a)
{
	for (int i = (int)threadIdx.x; i < rows * f->c1; i += (int)blockDim.x) {
		const int r = i / f->c1, h = i % f->c1;
		float v = t1[h];
		for (int d = 0; d < f->s; d++)
			v += x[r * f->s + d] * w1[d * f->c1 + h];
		a[i] = fmaxf(v, 0);
	}
}

/* The gradient at the second layer's output of count points, 0 where the ReLU
 * is off, and the neighbour of each maximum. g and out have rows of ldg and ldo. */
DEVICE void set_gradient(const struct set *f, const float *g, uint32_t ldg, const float *out, uint32_t ldo,
	const uint8_t *arg, uint64_t first, int count, float *to, int32_t *from)
{
	for (int i = (int)threadIdx.x; i < count * f->c2; i += (int)blockDim.x) {
		const uint64_t p = first + i / f->c2;
		const int c = i % f->c2;
		to[i] = out[p * ldo + c] > 0 ? g[p * ldg + c] : 0;
		from[i] = arg[p * f->c2 + c];
	}
}

DEVICE uint64_t set_end(const struct set *f, uint32_t points)
{
	const uint64_t end = ((uint64_t)blockIdx.x + 1) * f->each;
	return end < points ? end : points;
}

/* Σa and Σaaᵀ of the hidden layer; without w1 those of x. */
KERNEL __launch_bounds__(SET_THREADS) set_moments(const float *x, const float *omega, uint32_t points,
	const struct set *shape, const float *w1, const float *t1, float *partial)
{
	DYNAMIC_SHARED(float, shared);
	const struct set f = *shape;
	const int width = w1 ? f.c1 : f.s, entries = width + width * width;
	float *sum = shared, *row = sum + entries, *weight = row + f.group * f.k * f.s;
	float *shift = weight + (w1 ? f.s * f.c1 : 0);
	float *a = w1 ? shift + f.c1 : row;
	set_zero(sum, entries);
	if (w1) {
		set_copy(weight, w1, f.s * f.c1);
		set_copy(shift, t1, f.c1);
	}
	const uint64_t end = set_end(&f, points);
	for (uint64_t at = (uint64_t)blockIdx.x * f.each; at < end; at += f.group) {
		const int count = end - at < (uint64_t)f.group ? (int)(end - at) : f.group, rows = count * f.k;
		__syncthreads();
		set_rows(&f, x, omega, at, count, row);
		__syncthreads();
		if (w1) {
			set_hidden(&f, rows, row, weight, shift, a);
			__syncthreads();
		}
		for (int e = (int)threadIdx.x; e < entries; e += (int)blockDim.x) {
			const int i = e < width ? e : (e - width) / width, j = e < width ? 0 : (e - width) % width;
			float s = sum[e];
			for (int r = 0; r < rows; r++)
				s += a[r * width + i] * (e < width ? 1 : a[r * width + j]);
			sum[e] = s;
		}
	}
	__syncthreads();
	set_copy(partial + (uint64_t)blockIdx.x * entries, sum, entries);
}

/* relu(max over the neighbours of w2 a + t2), rows of ldo in out, and which
 * neighbour, the first of equals, gave it. w2 is c1 × c2. */
KERNEL __launch_bounds__(SET_THREADS) set_max(const float *x, const float *omega, uint32_t points,
	const struct set *shape, const float *w1, const float *t1, const float *w2, const float *t2, float *out, uint32_t ldo,
	uint8_t *arg)
{
	DYNAMIC_SHARED(float, shared);
	const struct set f = *shape;
	float *weight = shared, *shift = weight + f.s * f.c1, *weight2 = shift + f.c1, *row = weight2 + f.c1 * f.c2;
	float *a = row + f.group * f.k * f.s;
	set_copy(weight, w1, f.s * f.c1);
	set_copy(shift, t1, f.c1);
	set_copy(weight2, w2, f.c1 * f.c2);
	const uint64_t end = set_end(&f, points);
	for (uint64_t at = (uint64_t)blockIdx.x * f.each; at < end; at += f.group) {
		const int count = end - at < (uint64_t)f.group ? (int)(end - at) : f.group;
		__syncthreads();
		set_rows(&f, x, omega, at, count, row);
		__syncthreads();
		set_hidden(&f, count * f.k, row, weight, shift, a);
		__syncthreads();
		for (int i = (int)threadIdx.x; i < count * f.c2; i += (int)blockDim.x) {
			const int c = i % f.c2, last = f.k - 1;
			const float *own = a + i / f.c2 * f.k * f.c1;
			float best = -HUGE_VALF;
			int from = 0;
			for (int j = 0; j < f.k; j += 4) { /* four neighbours a weight read; behind the last it is itself again */
				const float *a0 = own + j * f.c1, *a1 = own + (j + 1 < last ? j + 1 : last) * f.c1;
				const float *a2 = own + (j + 2 < last ? j + 2 : last) * f.c1, *a3 = own + (j + 3 < last ? j + 3 : last) * f.c1;
				float z[4] = { 0, 0, 0, 0 };
				for (int h = 0; h < f.c1; h++) {
					const float w = weight2[h * f.c2 + c];
					z[0] += a0[h] * w;
					z[1] += a1[h] * w;
					z[2] += a2[h] * w;
					z[3] += a3[h] * w;
				}
				UNROLL
				for (int r = 0; r < 4; r++)
					if (z[r] > best) {
						best = z[r];
						from = j + r;
					}
			}
			const uint64_t p = at + i / f.c2;
			out[p * ldo + c] = fmaxf(best + t2[c], 0);
			arg[p * f.c2 + c] = (uint8_t)from;
		}
	}
}

/* Σ g and Σ g aᵀ (c2 × c1), a taken at the neighbour of the maximum. */
KERNEL __launch_bounds__(SET_THREADS) set_sparse(const float *x, const float *omega, uint32_t points,
	const struct set *shape, const float *w1, const float *t1, const float *g, uint32_t ldg, const float *out,
	uint32_t ldo, const uint8_t *arg, float *partial)
{
	DYNAMIC_SHARED(float, shared);
	const struct set f = *shape;
	const int entries = f.c2 + f.c2 * f.c1, wide = f.group * f.c2;
	float *sum = shared, *weight = sum + entries, *shift = weight + f.s * f.c1, *row = shift + f.c1;
	float *a = row + f.group * f.k * f.s, *slope = a + f.group * f.k * f.c1;
	int32_t *from = (int32_t *)(slope + wide);
	set_zero(sum, entries);
	set_copy(weight, w1, f.s * f.c1);
	set_copy(shift, t1, f.c1);
	const uint64_t end = set_end(&f, points);
	for (uint64_t at = (uint64_t)blockIdx.x * f.each; at < end; at += f.group) {
		const int count = end - at < (uint64_t)f.group ? (int)(end - at) : f.group;
		__syncthreads();
		set_rows(&f, x, omega, at, count, row);
		set_gradient(&f, g, ldg, out, ldo, arg, at, count, slope, from);
		__syncthreads();
		set_hidden(&f, count * f.k, row, weight, shift, a);
		__syncthreads();
		for (int e = (int)threadIdx.x; e < entries; e += (int)blockDim.x) {
			const int c = e < f.c2 ? e : (e - f.c2) / f.c1, h = e < f.c2 ? 0 : (e - f.c2) % f.c1;
			float s = sum[e];
			for (int p = 0; p < count; p++)
				s += slope[p * f.c2 + c] * (e < f.c2 ? 1 : a[(p * f.k + from[p * f.c2 + c]) * f.c1 + h]);
			sum[e] = s;
		}
	}
	__syncthreads();
	set_copy(partial + (uint64_t)blockIdx.x * entries, sum, entries);
}

/* The gradient at the hidden layer before its ReLU,
 * y = [a > 0] (offset + q a + Σ_c g_c w2t_c [c's maximum is here]), of which it
 * writes Σy, Σ x yᵀ (s × c1) and, for every point, Σ_j p_j y_jᵀ (2 × c1) if
 * pouter is given; p are the offsets before omega. q is c1 × c1, w2t c2 × c1. */
KERNEL __launch_bounds__(SET_THREADS) set_back(const float *x, const float *omega, uint32_t points,
	const struct set *shape, const float *w1, const float *t1, const float *w2t, const float *offset, const float *q,
	const float *g, uint32_t ldg, const float *out, uint32_t ldo, const uint8_t *arg, float *partial, float *pouter)
{
	DYNAMIC_SHARED(float, shared);
	const struct set f = *shape;
	const int entries = f.c1 + f.s * f.c1, wide = f.group * f.c2;
	float *sum = shared, *weight = sum + entries, *shift = weight + f.s * f.c1, *square = shift + f.c1;
	float *base = square + f.c1 * f.c1, *back = base + f.c1, *row = back + f.c2 * f.c1, *a = row + f.group * f.k * f.s;
	float *y = a + f.group * f.k * f.c1, *slope = y + f.group * f.k * f.c1;
	int32_t *from = (int32_t *)(slope + wide);
	set_zero(sum, entries);
	set_copy(weight, w1, f.s * f.c1);
	set_copy(shift, t1, f.c1);
	set_copy(square, q, f.c1 * f.c1);
	set_copy(base, offset, f.c1);
	set_copy(back, w2t, f.c2 * f.c1);
	const uint64_t end = set_end(&f, points);
	for (uint64_t at = (uint64_t)blockIdx.x * f.each; at < end; at += f.group) {
		const int count = end - at < (uint64_t)f.group ? (int)(end - at) : f.group, rows = count * f.k;
		__syncthreads();
		set_rows(&f, x, omega, at, count, row);
		set_gradient(&f, g, ldg, out, ldo, arg, at, count, slope, from);
		__syncthreads();
		set_hidden(&f, rows, row, weight, shift, a);
		__syncthreads();
		for (int i = (int)threadIdx.x; i < rows * f.c1; i += (int)blockDim.x) {
			const int r = i / f.c1, b = i % f.c1;
			float v = base[b];
			for (int h = 0; h < f.c1; h++)
				v += a[r * f.c1 + h] * square[h * f.c1 + b];
			y[i] = v;
		}
		__syncthreads();
		for (int i = (int)threadIdx.x; i < count * f.c1; i += (int)blockDim.x) { /* a thread owns column b of a point */
			const int p = i / f.c1, b = i % f.c1;
			for (int c = 0; c < f.c2; c++)
				y[(p * f.k + from[p * f.c2 + c]) * f.c1 + b] += slope[p * f.c2 + c] * back[c * f.c1 + b];
			for (int r = p * f.k; r < (p + 1) * f.k; r++)
				if (!(a[r * f.c1 + b] > 0))
					y[r * f.c1 + b] = 0;
		}
		__syncthreads();
		for (int e = (int)threadIdx.x; e < entries; e += (int)blockDim.x) {
			const int d = e / f.c1 - 1, b = e % f.c1;
			float s = sum[e];
			for (int r = 0; r < rows; r++)
				s += y[r * f.c1 + b] * (d < 0 ? 1 : row[r * f.s + d]);
			sum[e] = s;
		}
		for (int i = (int)threadIdx.x; pouter && i < count * 2 * f.c1; i += (int)blockDim.x) {
			const int p = i / (2 * f.c1), e = i / f.c1 % 2, b = i % f.c1;
			float s = 0;
			for (int j = 0; j < f.k; j++)
				s += x[((at + p) * f.k + j) * f.stride + e] * y[(p * f.k + j) * f.c1 + b];
			pouter[at * 2 * f.c1 + i] = s;
		}
	}
	__syncthreads();
	set_copy(partial + (uint64_t)blockIdx.x * entries, sum, entries);
}

/* The gradient at Ω of every point, Σ_j p_j dx_jᵀ, where dx = w1 y + all + slope x
 * for the first two channels of x; two threads a point, one a column of Ω. */
KERNEL set_omega(const float *x, const float *omega, uint32_t points, const struct set *shape, const float *w1,
	const float *pouter, const float *all, const float *slope, float *result)
{
	const uint64_t i = thread_number() / 2;
	const int b = (int)(thread_number() % 2);
	if (i >= points)
		return;
	const struct set f = *shape;
	const float *first = pouter + 2 * i * f.c1, *second = first + f.c1, *o = omega + 4 * i;
	float r0 = 0, r1 = 0;
	for (int h = 0; h < f.c1; h++) {
		r0 += first[h] * w1[b * f.c1 + h];
		r1 += second[h] * w1[b * f.c1 + h];
	}
	for (int j = 0; j < f.k; j++) {
		const float *row = x + (i * f.k + j) * f.stride;
		float d = all[b] + (row[0] * o[0] + row[1] * o[2]) * slope[b * f.s] +
			(row[0] * o[1] + row[1] * o[3]) * slope[b * f.s + 1];
		for (int e = 2; e < f.s; e++)
			d += row[e] * slope[b * f.s + e];
		r0 += row[0] * d;
		r1 += row[1] * d;
	}
	result[4 * i + b] = r0;
	result[4 * i + 2 + b] = r1;
}
