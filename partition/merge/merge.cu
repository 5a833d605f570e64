/* Rounds of merging for the generalized minimal partition problem; what
 * merge.go does, with edges as an unordered list. A round: every edge offers its
 * gain to both ends, which keep the best (the smaller neighbour of equals); those
 * that chose each other become one; reduced/contract.cu does the rest. Weights
 * are whole multiples of 2⁻³² and choices a maximum over 64-bit numbers, so
 * nothing depends on the order in which threads come. Compiled without contraction to fused multiply-add.
 */
#include "../device/device.h"

#define WEIGHT_UNIT 2.3283064365386963e-10 /* 2⁻³² */

/* n_u n_v/(n_u+n_v) ‖ȳ_u − ȳ_v‖² */
DEVICE float loss(const float *mean, const float *size, uint32_t dim, uint32_t u, uint32_t v)
{
	const float *x = mean + (uint64_t)u * dim, *y = mean + (uint64_t)v * dim;
	float s = 0;
	for (uint32_t k = 0; k < dim; k++) {
		const float d = x[k] - y[k];
		s += d * d;
	}
	return size[u] * size[v] / (size[u] + size[v]) * s;
}

/* A positive gain's bits are ordered as the gains are. */
KERNEL merge_best(const uint32_t *a, const uint32_t *b, const uint64_t *weight, uint64_t edges, double lambda,
	const float *mean, const float *size, uint32_t dim, uint64_t *best)
{
	const uint64_t k = thread_number();
	if (k >= edges)
		return;
	const uint32_t u = a[k], v = b[k];
	const float gain = (float)(lambda * ((double)weight[k] * WEIGHT_UNIT)) - loss(mean, size, dim, u, v);
	if (!(gain > 0))
		return;
	const uint64_t bits = (uint64_t)__float_as_uint(gain) << 32;
	atomicMax64(&best[u], bits | (uint32_t)~v);
	atomicMax64(&best[v], bits | (uint32_t)~u);
}

/* The vertex that u chose, or u. */
DEVICE uint32_t chosen(const uint64_t *best, uint32_t u) { return best[u] ? (uint32_t)~best[u] : u; }

/* fresh[u] = 1 for the first vertex of every new component. */
KERNEL merge_pair(const uint64_t *best, uint32_t vertices, uint32_t *fresh)
{
	const uint64_t u = thread_number();
	if (u >= vertices)
		return;
	const uint32_t v = chosen(best, (uint32_t)u);
	fresh[u] = !(v < u && chosen(best, v) == u);
}

/* After the prefix sums of fresh: the new component of u, and its mean. */
KERNEL merge_join(const uint64_t *best, const uint32_t *before, uint32_t vertices, uint32_t dim, const float *mean,
	const float *size, uint32_t *label, float *new_mean, float *new_size)
{
	const uint64_t u = thread_number();
	if (u >= vertices)
		return;
	const uint32_t v = chosen(best, (uint32_t)u);
	const int pair = v != u && chosen(best, v) == u;
	if (pair && v < u) {
		label[u] = before[v];
		return;
	}
	const uint32_t id = before[u];
	label[u] = id;
	const float n = size[u], m = pair ? size[v] : 0;
	new_size[id] = n + m;
	for (uint32_t k = 0; k < dim; k++) {
		const float x = mean[u * dim + k];
		new_mean[(uint64_t)id * dim + k] = pair ? x + m / (n + m) * (mean[(uint64_t)v * dim + k] - x) : x;
	}
}
