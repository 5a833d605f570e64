/* Rounds of coarsening on points, as in pair.go and follow.go, with the same bits. In a
 * round every edge updates the best gain of both ends; ties are broken by the larger
 * tie-break hash, then by the component that comes first. Components that chose each other
 * are merged, then those that chose one of a pair, in the order of their gains;
 * reduced/contract.cu computes the new edges. Choices are maxima of integers, and weights
 * are integers, so nothing depends on the order of threads. Compiled without contraction to
 * fused multiply-add.
 */
#include "../device/device.h"

#define WEIGHT_UNIT 2.3283064365386963e-10 /* 2⁻³² */
#define NOBODY 0xffffffffu
#define TOO_HEAVY 1u /* a weight beyond the range of exact sums in float32 */
#define TOO_MANY 2u  /* a pair with so many followers that one thread would take long */

/* A bijective hash, as in best.go. */
DEVICE uint32_t mix(uint32_t x)
{
	x = (x ^ x >> 16) * 0x7feb352du;
	x = (x ^ x >> 15) * 0x846ca68bu;
	return x ^ x >> 16;
}

/* ‖x − y‖²; for 7 columns in the order of squaredDistance in energy.go. */
DEVICE float squared_distance(const float *x, const float *y, uint32_t dim)
{
	if (dim == 7) {
		const float d0 = x[0] - y[0], d1 = x[1] - y[1], d2 = x[2] - y[2], d3 = x[3] - y[3];
		const float d4 = x[4] - y[4], d5 = x[5] - y[5], d6 = x[6] - y[6];
		return ((d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)) + ((d4 * d4 + d5 * d5) + d6 * d6);
	}
	float s = 0;
	for (uint32_t k = 0; k < dim; k++) {
		const float d = x[k] - y[k];
		s += d * d;
	}
	return s;
}

/* n_u n_v/(n_u+n_v) ‖ȳ_u − ȳ_v‖² */
DEVICE float union_loss(const float *x, float a, const float *y, float b, uint32_t dim)
{
	return RATIO(a * b, a + b) * squared_distance(x, y, dim);
}

/* A choice is ~rank of the chosen component's first point, then its number; 0: none. */
DEVICE uint32_t choice_of(const uint64_t *choice, uint32_t u) { return choice[u] ? (uint32_t)choice[u] : NOBODY; }

DEVICE int mutual(const uint64_t *choice, uint32_t u, uint32_t v) { return v != NOBODY && choice_of(choice, v) == u; }

/* Every point is a component of its own. */
KERNEL coarsen_points(const uint32_t *rank, const uint32_t *tie, uint32_t points, uint64_t *first, float *size,
	uint32_t *component)
{
	const uint64_t u = thread_number();
	if (u >= points)
		return;
	first[u] = (uint64_t)~rank[u] << 32 | tie[u];
	size[u] = 1;
	component[u] = (uint32_t)u;
}

/* first has for each component ~rank of its first point and that point's hash. A gain is
 * that of the union divided by n_u n_v/(n_u+n_v), 0 if the union is not allowed. best has
 * the bits of a gain, which for positive floats have the order of their values, then the
 * tie-break hash of the edge.
 */
KERNEL coarsen_gains(const uint32_t *a, const uint32_t *b, const uint64_t *weight, uint64_t edges, float scale,
	float most, const float *mean, const float *size, uint32_t dim, const uint64_t *first, float *gain, uint64_t *best,
	uint32_t *refused)
{
	const uint64_t k = thread_number();
	if (k >= edges)
		return;
	const uint32_t u = a[k], v = b[k];
	const float n = size[u], m = size[v], w = (float)((double)weight[k] * WEIGHT_UNIT);
	const float *x = mean + (uint64_t)u * dim, *y = mean + (uint64_t)v * dim;
	float g;
	if (weight[k] >> 40)
		*refused = TOO_HEAVY;
	if (dim == 7)
		g = scale * w * RATIO(n + m, n * m) - squared_distance(x, y, dim);
	else
		g = (scale * w - union_loss(x, n, y, m, dim)) * RATIO(n + m, n * m);
	if (!(g > 0) || n + m > most) {
		gain[k] = 0;
		return;
	}
	gain[k] = g;
	const uint64_t key = (uint64_t)__float_as_uint(g) << 32 | mix((uint32_t)first[u] ^ (uint32_t)first[v]);
	atomicMax64(&best[u], key);
	atomicMax64(&best[v], key);
}

/* Of neighbours with the best gain and hash, the component that comes first is chosen. */
KERNEL coarsen_choose(const uint32_t *a, const uint32_t *b, const float *gain, uint64_t edges, const uint64_t *first,
	const uint64_t *best, uint64_t *choice)
{
	const uint64_t k = thread_number();
	if (k >= edges || !(gain[k] > 0))
		return;
	const uint32_t u = a[k], v = b[k];
	const uint64_t key = (uint64_t)__float_as_uint(gain[k]) << 32 | mix((uint32_t)first[u] ^ (uint32_t)first[v]);
	if (best[u] == key)
		atomicMax64(&choice[u], (first[v] >> 32 << 32) | v);
	if (best[v] == key)
		atomicMax64(&choice[v], (first[u] >> 32 << 32) | u);
}

/* Sets x, the mean of n points, to that of the union with m points of mean y; symmetric to the bit. */
DEVICE void unite(float *x, float n, const float *y, float m, uint32_t dim)
{
	const float inverse = RATIO(1.f, n + m);
	for (uint32_t k = 0; k < dim; k++)
		x[k] = (n * x[k] + m * y[k]) * inverse;
}

/* The root of a pair is its smaller index, which has the size and mean of the union. Clears lists of followers. */
KERNEL coarsen_pair(const uint64_t *choice, uint32_t vertices, const float *mean, const float *size, uint32_t dim,
	uint32_t *root, float *union_mean, float *union_size, uint32_t *last, uint32_t *followers)
{
	const uint32_t u = (uint32_t)thread_number();
	if (thread_number() >= vertices)
		return;
	const uint32_t v = choice_of(choice, u);
	root[u] = u;
	union_size[u] = 0;
	last[u] = NOBODY;
	followers[u] = 0;
	if (!mutual(choice, u, v))
		return;
	root[u] = u < v ? u : v;
	if (v < u)
		return;
	float *x = union_mean + (uint64_t)u * dim;
	for (uint32_t k = 0; k < dim; k++)
		x[k] = mean[(uint64_t)u * dim + k];
	unite(x, size[u], mean + (uint64_t)v * dim, size[v], dim);
	union_size[u] = size[u] + size[v];
}

/* Lists the followers of every pair: the components that chose one of it. */
KERNEL coarsen_follow(const uint64_t *choice, uint32_t vertices, const uint32_t *root, uint32_t *last, uint32_t *next,
	uint32_t *followers, uint32_t limit, uint32_t *refused)
{
	const uint32_t u = (uint32_t)thread_number();
	if (thread_number() >= vertices)
		return;
	const uint32_t v = choice_of(choice, u);
	if (v == NOBODY || mutual(choice, u, v) || !mutual(choice, v, choice_of(choice, v)))
		return;
	next[u] = atomicExch32(&last[root[v]], u);
	if (atomicAdd32(&followers[root[v]], 1) == limit)
		*refused = TOO_MANY;
}

/* The order of followers: by gain, then by the order of components. */
DEVICE uint64_t follower_key(const uint64_t *best, const uint64_t *first, uint32_t u)
{
	return best[u] >> 32 << 32 | first[u] >> 32;
}

/* Sorts a list of followers, the greatest key first, and returns its first: merges runs
 * of 1, 2, 4, … of the list itself, so that f followers take f log f steps and no memory.
 */
DEVICE uint32_t sorted_followers(const uint64_t *best, const uint64_t *first, uint32_t *next, uint32_t begin)
{
	for (uint32_t width = 1, merges = 2; merges > 1; width *= 2) {
		uint32_t left = begin, tail = NOBODY;
		for (merges = 0; left != NOBODY; merges++) {
			uint32_t right = left, in_left = 0, in_right = width;
			for (; in_left < width && right != NOBODY; in_left++)
				right = next[right];
			while (in_left > 0 || (in_right > 0 && right != NOBODY)) {
				const int from_left = in_left > 0 && (in_right == 0 || right == NOBODY ||
					follower_key(best, first, left) > follower_key(best, first, right));
				const uint32_t u = from_left ? left : right;
				if (from_left) {
					left = next[left];
					in_left--;
				} else {
					right = next[right];
					in_right--;
				}
				if (tail == NOBODY)
					begin = u;
				else
					next[tail] = u;
				tail = u;
			}
			left = right;
		}
		next[tail] = NOBODY;
	}
	return begin;
}

/* Merges a pair with those followers for which the gain is still positive, up to most
 * points. Meanwhile the root of accepted followers is r, afterwards the smallest index.
 */
KERNEL coarsen_accept(const uint64_t *choice, uint32_t vertices, const float *mean, const float *size, uint32_t dim,
	float most, const uint64_t *best, const uint64_t *first, const uint32_t *last, uint32_t *next, uint32_t *root,
	float *union_mean, float *union_size)
{
	const uint32_t r = (uint32_t)thread_number();
	if (thread_number() >= vertices || last[r] == NOBODY)
		return;
	const uint32_t other = choice_of(choice, r), begin = sorted_followers(best, first, next, last[r]);
	float *x = union_mean + (uint64_t)r * dim, n = union_size[r];
	uint32_t least = r;
	for (uint32_t u = begin; u != NOBODY && n + 1 <= most; u = next[u]) {
		const uint32_t v = choice_of(choice, u);
		const float own = size[u], its = size[v], *y = mean + (uint64_t)u * dim;
		const float gain = __uint_as_float((uint32_t)(best[u] >> 32));
		const float weight = gain * RATIO(own * its, own + its) +
			union_loss(y, own, mean + (uint64_t)v * dim, its, dim);
		if (n + own > most || weight - union_loss(x, n, y, own, dim) <= 0)
			continue;
		unite(x, n, y, own, dim);
		n += own;
		root[u] = r;
		least = u < least ? u : least;
	}
	union_size[r] = n;
	if (least == r)
		return;
	union_size[least] = n;
	for (uint32_t k = 0; k < dim; k++)
		union_mean[(uint64_t)least * dim + k] = x[k];
	for (uint32_t u = begin; u != NOBODY; u = next[u])
		if (root[u] == r)
			root[u] = least;
	root[r] = root[other] = least;
}

/* fresh[u] = 1 for the smallest vertex of every new component. */
KERNEL coarsen_fresh(const uint32_t *root, uint32_t vertices, uint32_t *fresh)
{
	const uint64_t u = thread_number();
	if (u < vertices)
		fresh[u] = root[u] == u;
}

/* After the prefix sums of fresh: the new component of each vertex, and its mean, size and first point. */
KERNEL coarsen_take(const uint32_t *root, const uint32_t *before, uint32_t vertices, uint32_t dim, const float *mean,
	const float *size, const uint64_t *first, const float *union_mean, const float *union_size, uint32_t *label,
	float *new_mean, float *new_size, uint64_t *new_first)
{
	const uint64_t u = thread_number();
	if (u >= vertices)
		return;
	const uint32_t id = before[root[u]];
	label[u] = id;
	atomicMax64(&new_first[id], first[u]);
	if (root[u] != u)
		return;
	const int alone = union_size[u] == 0;
	new_size[id] = alone ? size[u] : union_size[u];
	for (uint32_t k = 0; k < dim; k++)
		new_mean[(uint64_t)id * dim + k] = alone ? mean[u * dim + k] : union_mean[u * dim + k];
}

/* mark[rank] = 1 for the rank of every component's first point. */
KERNEL coarsen_mark(const uint64_t *first, uint32_t vertices, uint32_t *mark)
{
	const uint64_t u = thread_number();
	if (u < vertices)
		mark[(uint32_t)~(first[u] >> 32)] = 1;
}

/* After the prefix sums of mark: components in the order of their first points. */
KERNEL coarsen_order(const uint64_t *first, const uint32_t *before, uint32_t vertices, uint32_t dim, const float *mean,
	const float *size, uint32_t *label, uint32_t *new_rank, float *new_mean, float *new_size)
{
	const uint64_t u = thread_number();
	if (u >= vertices)
		return;
	const uint32_t rank = (uint32_t)~(first[u] >> 32), id = before[rank];
	label[u] = id;
	new_rank[id] = rank;
	new_size[id] = size[u];
	for (uint32_t k = 0; k < dim; k++)
		new_mean[(uint64_t)id * dim + k] = mean[u * dim + k];
}
