/* Passes of label moves with fixed sizes and means of components, as in refine.go and
 * preferred.go, with the same bits. A row has all neighbours of a point, in any order:
 * weights are multiples of 1/65536, so their sums are exact, and of moves with equal
 * energies that to the smaller component is chosen; priorities are by decrease of the
 * energy, then by the order of points. Compiled without contraction to fused
 * multiply-add.
 */
#include "../device/device.h"

#define STAY 0xffffffffu
#define HEAVY 8     /* as in refine.go */
#define WORTH 1e-6  /* as in preferred.go */

/* The number of neighbours of each point, from rows of the smaller point of each edge. */
KERNEL refine_degree(const uint32_t *start, const uint32_t *head, uint32_t points, uint32_t *degree)
{
	const uint64_t u = thread_number();
	if (u >= points)
		return;
	atomicAdd32(&degree[u], start[u + 1] - start[u]);
	for (uint32_t k = start[u]; k < start[u + 1]; k++)
		atomicAdd32(&degree[head[k]], 1);
}

/* Fills the rows; used must be 0. Sets refused if a row is longer than limit. */
KERNEL refine_rows(const uint32_t *start, const uint32_t *head, const float *weight, uint32_t points,
	const uint32_t *begin, uint32_t *used, uint32_t limit, uint32_t *near, float *near_weight, uint32_t *refused)
{
	const uint64_t u = thread_number();
	if (u >= points)
		return;
	if (begin[u + 1] - begin[u] > limit)
		*refused = 1;
	for (uint32_t k = start[u]; k < start[u + 1]; k++) {
		const uint32_t v = head[k], i = begin[u] + atomicAdd32(&used[u], 1), j = begin[v] + atomicAdd32(&used[v], 1);
		near[i] = v;
		near[j] = (uint32_t)u;
		near_weight[i] = near_weight[j] = weight[k];
	}
}

DEVICE void exchange(uint32_t *near, float *weight, uint32_t i, uint32_t j)
{
	const uint32_t v = near[i];
	const float w = weight[i];
	near[i] = near[j];
	weight[i] = weight[j];
	near[j] = v;
	weight[j] = w;
}

/* Sorts every row by neighbor, in place (heap sort). */
KERNEL refine_sort(const uint32_t *begin, uint32_t points, uint32_t *near, float *weight)
{
	const uint64_t u = thread_number();
	if (u >= points)
		return;
	const uint32_t from = begin[u], count = begin[u + 1] - from;
	for (uint32_t grow = count / 2, end = count; end > 1;) {
		if (grow > 0)
			grow--;
		else
			exchange(near, weight, from, from + --end);
		for (uint32_t i = grow, child = 2 * i + 1; child < end; i = child, child = 2 * i + 1) {
			if (child + 1 < end && near[from + child] < near[from + child + 1])
				child++;
			if (near[from + i] >= near[from + child])
				break;
			exchange(near, weight, from + i, from + child);
		}
	}
}

/* Sets border and active for points at a boundary. */
KERNEL refine_border(const uint32_t *begin, const uint32_t *near, const uint32_t *label, uint32_t points,
	uint32_t *border, uint32_t *active)
{
	const uint64_t u = thread_number();
	if (u >= points)
		return;
	uint32_t outside = 0;
	for (uint32_t k = begin[u]; k < begin[u + 1]; k++)
		outside |= label[near[k]] != label[u];
	border[u] = active[u] = outside;
}

/* ‖y − mean‖², y widened */
DEVICE double distance_to(const float *y, const float *mean, uint32_t dim)
{
	double s = 0;
	for (uint32_t k = 0; k < dim; k++) {
		const double d = (double)y[k] - (double)mean[k];
		s += d * d;
	}
	return s;
}

/* The index of v between from and end in sorted rows, or end. */
DEVICE uint32_t place_of(const uint32_t *near, uint32_t from, uint32_t end, uint32_t v)
{
	uint32_t low = from, high = end;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (near[middle] < v)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && near[low] == v ? low : end;
}

/* The root of entry i in a disjoint-set forest, with path halving. */
DEVICE uint32_t root_of(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

/* Whether the neighbors of a point in its component are connected by edges among
 * themselves. group has the components of the row, and then a disjoint-set forest. Of two
 * rows the shorter is iterated over and the longer is searched, so all threads of e edges
 * together take at most e^1.5 log e steps.
 */
DEVICE int spared(const uint32_t *begin, const uint32_t *near, uint32_t from, uint32_t end, uint32_t own,
	uint32_t *group)
{
	uint32_t groups = 0;
	for (uint32_t k = from; k < end; k++) {
		groups += group[k] == own;
		group[k] = group[k] == own ? k : STAY;
	}
	for (uint32_t i = from; i < end && groups > 1; i++) {
		if (group[i] == STAY)
			continue;
		const uint32_t v = near[i], low = begin[v], high = begin[v + 1];
		const int theirs = high - low < end - from;
		for (uint32_t k = theirs ? low : i + 1; k < (theirs ? high : end) && groups > 1; k++) {
			const uint32_t j = theirs ? place_of(near, from, end, near[k]) : k;
			if (j == end || group[j] == STAY || (!theirs && place_of(near, low, high, near[j]) == high))
				continue;
			const uint32_t a = root_of(group, i), b = root_of(group, j);
			group[a] = b;
			groups -= a != b;
		}
	}
	return groups < 2;
}

/* The preferred label of each active point, and the decrease of the energy by the move. */
KERNEL refine_wish(const uint32_t *begin, const uint32_t *near, const float *near_weight, const uint32_t *label,
	uint32_t points, const float *values, uint32_t dim, const float *size, const float *mean, double scale, int64_t least,
	uint32_t *active, uint32_t *group, uint32_t *to, float *fall)
{
	const uint64_t u = thread_number();
	if (u >= points)
		return;
	const uint32_t looked = active[u], own = label[u], from = begin[u], end = begin[u + 1];
	active[u] = 0;
	to[u] = STAY;
	const int64_t all = (int64_t)size[own];
	if (!looked || (all > 1 && all - 1 < least) || HEAVY > all)
		return;
	double inside = 0;
	for (uint32_t k = from; k < end; k++) {
		group[k] = label[near[k]];
		if (group[k] == own)
			inside += near_weight[k];
	}
	const float *y = values + u * dim;
	const double count = (double)all;
	double stay = scale * inside;
	const double limit = -WORTH * (stay + WORTH);
	stay -= all <= 1 ? 0 : count / (count - 1) * distance_to(y, mean + (uint64_t)own * dim, dim);
	double best = limit;
	uint32_t goal = STAY;
	for (uint32_t k = from; k < end; k++) {
		const uint32_t id = group[k];
		uint32_t i = from;
		while (group[i] != id)
			i++;
		if (i < k || id == own || HEAVY > (int64_t)size[id])
			continue;
		double there = 0;
		for (i = k; i < end; i++)
			if (group[i] == id)
				there += near_weight[i];
		const double other = (double)size[id];
		const double change = stay - scale * there +
			other / (other + 1) * distance_to(y, mean + (uint64_t)id * dim, dim);
		if (change < best || (change == best && id < goal && change < limit)) {
			best = change;
			goal = id;
		}
	}
	if (goal == STAY || (all > 1 && !spared(begin, near, from, end, own, group)))
		return;
	to[u] = goal;
	fall[u] = (float)fabs(best);
}

/* A move is granted unless a neighbour of higher priority leaves the component that the
 * point enters, enters the one that it leaves, or leaves the same one.
 */
KERNEL refine_grant(const uint32_t *begin, const uint32_t *near, const uint32_t *label, uint32_t points,
	const uint32_t *rank, const uint32_t *to, const float *fall, uint32_t *granted)
{
	const uint64_t u = thread_number();
	if (u >= points || to[u] == STAY)
		return;
	uint32_t may = 1;
	for (uint32_t k = begin[u]; k < begin[u + 1]; k++) {
		const uint32_t v = near[k];
		if (to[v] == STAY || !(label[v] == to[u] || to[v] == label[u] || label[v] == label[u]))
			continue;
		if (fall[v] > fall[u] || (fall[v] == fall[u] && rank[v] < rank[u]))
			may = 0;
	}
	granted[u] = may;
}

/* Makes granted moves. Points whose move was denied, or with a neighbour that moved, become active. */
KERNEL refine_move(const uint32_t *begin, const uint32_t *near, uint32_t points, const uint32_t *border,
	const uint32_t *to, const uint32_t *granted, uint32_t *label, uint32_t *active, uint32_t *moved)
{
	const uint64_t u = thread_number();
	if (u >= points || to[u] == STAY)
		return;
	active[u] = 1;
	if (!granted[u])
		return;
	label[u] = to[u];
	atomicAdd32(moved, 1);
	for (uint32_t k = begin[u]; k < begin[u + 1]; k++)
		if (border[near[k]])
			active[near[k]] = 1;
}
