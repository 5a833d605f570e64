// SPDX-License-Identifier: BSD-3-Clause
/* Exact nearest neighbours with a hashed grid of cubic cells. The results equal those of the
 * search on the CPU: neighbours are ordered by
 *
 *     (‖q − p‖², x_q, y_q, z_q, index of q)
 *
 * after those coincident with p. Squared distances are integers, so the order is total and
 * does not depend on the order of points in a cell.
 *
 * A thread searches the 27 cells around its point p. Claim: if k neighbours are found whose
 * squared distances are less than that of p from the nearest side of these cells, they are
 * the nearest: every other point is outside the cells, and so at least that far away. For
 * all other points the search is repeated with cells of twice the edge, and finally in the
 * CPU's tree; so it is for points with more than KNN_LOOKED others in these cells, which
 * bounds the work of a thread. Memory: 4 bytes a bucket, 2 to 4 buckets a point, and 4
 * bytes a point.
 */
#include "../gpu/device.h"

#define KNN_MOST 32
#define KNN_LOOKED 8192

DEVICE uint32_t cell_bucket(int32_t x, int32_t y, int32_t z, uint32_t mask)
{
	uint64_t h = (uint64_t)(uint32_t)x * 0x9E3779B97F4A7C15ull;
	h = (h ^ (h >> 29)) + (uint32_t)y;
	h *= 0xBF58476D1CE4E5B9ull; /* the finaliser of SplitMix64 */
	h = (h ^ (h >> 27)) + (uint32_t)z;
	h *= 0x94D049BB133111EBull;
	return (uint32_t)(h ^ (h >> 31)) & mask;
}

DEVICE int coincident(const int32_t *xyz, uint64_t i, uint64_t j)
{
	const int32_t *p = xyz + 3 * i, *q = xyz + 3 * j;
	return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* Whether point i may be a neighbour of a point that it does not coincide with: only the
 * first k of coincident points may, and coincident points are consecutive. */
DEVICE int in_grid(const int32_t *xyz, uint64_t i, uint32_t k)
{
	return i < k || !coincident(xyz, i, i - k);
}

KERNEL knn_count(const int32_t *xyz, uint32_t points, int32_t shift, uint32_t k, uint32_t *start, uint32_t mask)
{
	const uint64_t i = thread_number();
	if (i >= points || !in_grid(xyz, i, k))
		return;
	const int32_t *p = xyz + 3 * i;
	atomicAdd32(&start[cell_bucket(p[0] >> shift, p[1] >> shift, p[2] >> shift, mask)], 1);
}

/* After the prefix sums start[b] is the offset of bucket b; filling advances it to the end
 * of the bucket, so that bucket b is from start[b − 1] to start[b]. */
KERNEL knn_fill(const int32_t *xyz, uint32_t points, int32_t shift, uint32_t k, uint32_t *start, uint32_t mask,
	uint32_t *member)
{
	const uint64_t i = thread_number();
	if (i >= points || !in_grid(xyz, i, k))
		return;
	const int32_t *p = xyz + 3 * i;
	const uint32_t b = cell_bucket(p[0] >> shift, p[1] >> shift, p[2] >> shift, mask);
	member[atomicAdd32(&start[b], 1)] = (uint32_t)i;
}

DEVICE int before(const int32_t *xyz, uint32_t i, uint32_t j)
{
	const int32_t *p = xyz + 3 * (uint64_t)i, *q = xyz + 3 * (uint64_t)j;
	for (int a = 0; a < 3; a++)
		if (p[a] != q[a])
			return p[a] < q[a];
	return i < j;
}

/* The distance from coordinate v to the nearest integer coordinate outside the cells c − 1 to c + 1. */
DEVICE int64_t wall(int32_t v, int32_t c, int32_t shift)
{
	const int64_t edge = (int64_t)1 << shift;
	const int64_t low = v - ((int64_t)c - 1) * edge + 1, high = ((int64_t)c + 2) * edge - v;
	return low < high ? low : high;
}

/* Lists at most k points coincident with self, those nearest in the order of indices first,
 * and returns their number. */
DEVICE uint32_t coincident_points(const int32_t *xyz, uint32_t points, uint32_t self, uint32_t k, uint32_t *list)
{
	uint32_t found = 0;
	int back = 1, on = 1;
	for (uint32_t d = 1; back || on; d++) {
		back = back && found < k && d <= self && coincident(xyz, self, self - d);
		if (back)
			list[found++] = self - d;
		on = on && found < k && d < points - self && coincident(xyz, self, self + d);
		if (on)
			list[found++] = self + d;
	}
	return found;
}

/* Finds the k neighbours of point first + row, where row is query[thread], or thread without
 * a list, and writes them to that row of index. Rows that cannot be settled with these cells
 * are appended to unsettled. */
KERNEL __launch_bounds__(128, 12) knn_search(const int32_t *xyz, uint32_t points, int32_t shift, const uint32_t *start,
	uint32_t mask, const uint32_t *member, const uint32_t *query, uint32_t first, uint32_t queries, uint32_t k,
	uint32_t *index, uint32_t *unsettled, uint32_t *unsettled_count)
{
	const uint64_t thread = thread_number();
	if (thread >= queries)
		return;
	const uint32_t row = query ? query[thread] : (uint32_t)thread;
	const uint32_t self = first + row;
	const int32_t *p = xyz + 3 * (uint64_t)self;
	const int32_t x = p[0], y = p[1], z = p[2];
	const int32_t cx = x >> shift, cy = y >> shift, cz = z >> shift;
	uint64_t dist[KNN_MOST];
	uint32_t list[KNN_MOST];
	uint32_t found = coincident_points(xyz, points, self, k, list);
	for (uint32_t i = 0; i < found; i++)
		dist[i] = 0;
	uint64_t worst = found == k ? 0 : ~0ull;
	uint32_t looked = 0;
	for (int n = 0; n < 27 && worst > 0; n++) {
		const int32_t nx = cx + n % 3 - 1, ny = cy + n / 3 % 3 - 1, nz = cz + n / 9 - 1;
		const uint32_t b = cell_bucket(nx, ny, nz, mask);
		const uint32_t begin = b ? start[b - 1] : 0, end = start[b];
		looked += end - begin;
		if (looked > KNN_LOOKED) {
			found = 0; /* not settled */
			break;
		}
		for (uint32_t s = begin; s < end; s++) {
			const uint32_t j = member[s];
			const int32_t *q = xyz + 3 * (uint64_t)j;
			const int32_t qx = q[0], qy = q[1], qz = q[2];
			if (qx >> shift != nx || qy >> shift != ny || qz >> shift != nz)
				continue; /* another cell of this bucket */
			const int64_t dx = (int64_t)qx - x, dy = (int64_t)qy - y, dz = (int64_t)qz - z;
			const uint64_t d = (uint64_t)(dx * dx) + (uint64_t)(dy * dy) + (uint64_t)(dz * dz);
			if (d > worst || d == 0) /* coincident points are in the list */
				continue;
			uint32_t i = found < k ? found : k;
			while (i > 0 && (d < dist[i - 1] || (d == dist[i - 1] && before(xyz, j, list[i - 1])))) {
				if (i < k) {
					dist[i] = dist[i - 1];
					list[i] = list[i - 1];
				}
				i--;
			}
			if (i < k) {
				dist[i] = d;
				list[i] = j;
				if (found < k)
					found++;
			}
			if (found == k)
				worst = dist[k - 1];
		}
	}
	int64_t out = wall(x, cx, shift);
	int64_t other = wall(y, cy, shift);
	if (other < out)
		out = other;
	other = wall(z, cz, shift);
	if (other < out)
		out = other;
	if (found < k || worst >= (uint64_t)(out * out)) {
		unsettled[atomicAdd32(unsettled_count, 1)] = row;
		return;
	}
	for (uint32_t i = 0; i < k; i++)
		index[(uint64_t)row * k + i] = list[i];
}

/* Copies the rows of the points in list to consecutive rows. */
KERNEL knn_rows(const uint32_t *index, const uint32_t *list, uint64_t count, uint32_t k, uint32_t *packed)
{
	const uint64_t i = thread_number();
	if (i < count)
		packed[i] = index[(uint64_t)list[i / k] * k + i % k];
}
