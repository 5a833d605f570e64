//go:build cgo && amd64

// The same as borderSearch.beyondGapGo and gapBehindGo with AVX2: four points at a time. Operations
// that decide, and their order, are the same; nothing is fused. The order in which nodes are
// visited, and tests that only exclude nodes, do not change a result.

#include "sides_avx2.h"

#define NONE UINT32_MAX

enum { STACK = 64, DEPTHS = 8 }; // a path in the tree has at most 32 nodes, since nodes are split at their middle

// places is node.places.
static inline uint32_t places(const struct neighbor_node *n) {
	return memcmp(n->lo, n->hi, sizeof n->lo) ? n->link & ~LEAF_FLAG : 1;
}

// points has the offsets to four points, in units.
struct points { d4 x, y, z, square; };

INLINE d4 offset(__m128i position, d4 at) { return _mm256_cvtepi32_pd(position) - at; }

// four_points loads those from j on; end is the last one, which is repeated.
INLINE struct points four_points(const int32_t *xyz, const d4 *at, uint32_t j, uint32_t end) {
	__m128 v[4];
	for (uint32_t q = 0; q < 4; q++) v[q] = _mm_castsi128_ps(position(xyz, j + q < end ? j + q : end));
	_MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
	struct points p = {offset(_mm_castps_si128(v[0]), at[0]), offset(_mm_castps_si128(v[1]), at[1]),
	                   offset(_mm_castps_si128(v[2]), at[2]), at[0]};
	p.square = p.x * p.x + p.y * p.y + p.z * p.z;
	return p;
}

// vector returns x, y, z and 0.
INLINE d4 vector(const double *v) { return _mm256_setr_pd(v[0], v[1], v[2], 0); }
INLINE d4 lowest(const struct neighbor_node *n) { return _mm256_cvtepi32_pd(_mm_loadu_si128((const void *)n->lo)); }
INLINE d4 highest(const struct neighbor_node *n) { return _mm256_cvtepi32_pd(_mm_loadu_si128((const void *)n->hi)); }
INLINE d4 without_last(d4 v) { return _mm256_blend_pd(v, all(0), 8); }

// distance returns the squared distance of a node's box from x, y, z of at; it is exact below 2^52.
INLINE double distance(const struct neighbor_node *n, d4 at) {
	const d4 e = without_last(_mm256_max_pd(_mm256_max_pd(lowest(n) - at, at - highest(n)), all(0)));
	return sum(e * e);
}

// beside is borderSearch.beside; the last number of axis is 0.
INLINE int beside(const struct neighbor_node *n, d4 at, d4 axis, double square) {
	const double along = 1e-3 + sum(axis * (choose(highest(n), lowest(n), axis) - at));
	return along <= 0 || 2 * along * along < square * (1 - 1e-9);
}

// before is Cloud.before.
static int before(const int32_t *xyz, uint32_t i, uint32_t j) {
	const int32_t *p = xyz + 3 * (size_t)i, *q = xyz + 3 * (size_t)j;
	for (int a = 0; a < 3; a++)
		if (p[a] != q[a]) return p[a] < q[a];
	return i < j;
}

// nearest has the nearest point in a cone of 45 degrees that was found.
struct nearest { double worst; uint32_t found; };

// scan updates the nearest point by the points from first to last.
INLINE void scan(const int32_t *xyz, const d4 *at, const d4 *axis, uint32_t first, uint32_t last, struct nearest *n) {
	for (uint32_t j = first; j <= last; j += 4) {
		const struct points p = four_points(xyz, at, j, last);
		const d4 along = p.x * axis[0] + p.y * axis[1] + p.z * axis[2];
		const d4 in = _mm256_and_pd(along > all(0), 2.0 * along * along > p.square);
		const d4 near = _mm256_and_pd(in, p.square <= all(n->worst));
		for (unsigned left = (unsigned)lanes(near); left != 0; left &= left - 1) {
			const uint32_t q = (uint32_t)__builtin_ctz(left), i = j + q < last ? j + q : last;
			const double d = p.square[q];
			if (d < n->worst || (d == n->worst && (n->found == NONE || before(xyz, i, n->found))))
				n->worst = d, n->found = i;
		}
	}
}

TARGET uint32_t neighbor_beyond_gap(const struct neighbor_node *nodes, const int32_t *xyz, const int32_t *at,
                                    const double *middle, double limit, uint32_t guess) {
	struct { double distance; uint32_t node; } stack[STACK];
	const d4 from[3] = {all(at[0]), all(at[1]), all(at[2])}, axis[3] = {all(middle[0]), all(middle[1]), all(middle[2])};
	const d4 own = _mm256_setr_pd(at[0], at[1], at[2], 0), cone = vector(middle);
	struct nearest n = {limit, NONE};
	if (guess != NONE) scan(xyz, from, axis, guess, guess, &n);
	int depth = 1;
	stack[0].distance = 0, stack[0].node = 0;
	while (depth > 0) {
		double d = stack[--depth].distance;
		uint32_t i = stack[depth].node;
		while (d <= n.worst && !beside(nodes + i, own, cone, d)) {
			const struct neighbor_node *nd = nodes + i;
			if (nd->link & LEAF_FLAG) {
				scan(xyz, from, axis, nd->start, nd->start + places(nd) - 1, &n);
				break;
			}
			uint32_t near = i + 1, far = nd->link;
			double close = distance(nodes + near, own), away = distance(nodes + far, own);
			if (away < close) {
				const double swapped = close;
				close = away, away = swapped;
				near = nd->link, far = i + 1;
			}
			if (away <= n.worst) stack[depth].distance = away, stack[depth++].node = far;
			d = close, i = near;
		}
	}
	return n.found;
}

// tube is that of gap.go.
struct tube {
	d4 back; // and 0
	double length, radius, per;
	__m128i lo, hi; // bounding box, in units
};

static inline unsigned parts(const struct tube *t, double from, double to) {
	if (to < 0 || from > t->length) return 0;
	const double most = to * t->per;
	const unsigned last = most < DEPTHS - 1 ? (unsigned)most : DEPTHS - 1;
	const unsigned first = from > 0 ? (unsigned)(from * t->per) : 0;
	return (2u << last) - (1u << (first < last ? first : last));
}

// reaches returns a superset of the parts of the tube in which a node has points.
INLINE unsigned reaches(const struct neighbor_node *n, d4 at, const struct tube *t) {
	const __m128i lo = _mm_loadu_si128((const __m128i *)n->lo), hi = _mm_loadu_si128((const __m128i *)n->hi);
	const __m128i out = _mm_or_si128(_mm_cmpgt_epi32(lo, t->hi), _mm_cmpgt_epi32(t->lo, hi));
	if (_mm_movemask_ps(_mm_castsi128_ps(out)) & 7) return 0;
	const d4 low = lowest(n), high = highest(n);
	const d4 center = without_last((low + high) * 0.5 - at), side = without_last((high - low) * 0.5);
	const double d = sum(center * t->back), extent = 1 + sum(side * magnitude(t->back));
	const double reach = t->radius + sqrt(sum(side * side)) + 1;
	return sum(center * center) - d * d > reach * reach ? 0 : parts(t, d - extent, d + extent);
}

TARGET int neighbor_gap_behind(const struct neighbor_node *nodes, const int32_t *xyz, const int32_t *at,
                               const double *edge, double kth) {
	struct { uint32_t node; unsigned parts; } stack[STACK];
	const double length = sqrt(edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2]), by = -1 / length;
	const d4 own = _mm256_setr_pd(at[0], at[1], at[2], 0);
	struct tube t = {vector(edge) * by, 2 * length, length / 4 > kth ? length / 4 : kth, DEPTHS / (2 * length)};
	int32_t lo[4] = {0}, hi[4] = {0};
	for (int a = 0; a < 3; a++) {
		const double end = (double)at[a] + t.back[a] * t.length, low = fmin(at[a], end) - t.radius - 1;
		const double high = fmax(at[a], end) + t.radius + 1;
		lo[a] = low > INT32_MIN ? (int32_t)low : INT32_MIN, hi[a] = high < INT32_MAX ? (int32_t)high : INT32_MAX;
	}
	t.lo = _mm_loadu_si128((const __m128i *)lo), t.hi = _mm_loadu_si128((const __m128i *)hi);
	const d4 from[3] = {all(at[0]), all(at[1]), all(at[2])};
	const d4 back[3] = {all(t.back[0]), all(t.back[1]), all(t.back[2])}, wide = all(t.radius * t.radius);
	unsigned taken = 0;
	int depth = 1;
	stack[0].node = 0, stack[0].parts = parts(&t, 0, t.length);
	while (depth > 0) {
		const uint32_t i = stack[--depth].node;
		if ((stack[depth].parts & ~taken) == 0) continue; // all parts that it may reach have points
		const struct neighbor_node *nd = nodes + i;
		if (!(nd->link & LEAF_FLAG)) {
			const uint32_t child[2] = {nd->link, i + 1};
			for (int c = 0; c < 2; c++) {
				const unsigned left = reaches(nodes + child[c], own, &t) & ~taken;
				if (left) stack[depth].node = child[c], stack[depth++].parts = left;
			}
			continue;
		}
		for (uint32_t j = nd->start, last = j + places(nd) - 1; j <= last; j += 4) {
			const struct points p = four_points(xyz, from, j, last);
			const d4 d = p.x * back[0] + p.y * back[1] + p.z * back[2];
			const d4 in = _mm256_and_pd(_mm256_and_pd(d > all(0), d < all(t.length)), p.square - d * d <= wide);
			const __m128i part = _mm256_cvttpd_epi32(d * (double)DEPTHS / all(t.length));
			int at_part[4];
			_mm_storeu_si128((__m128i *)at_part, part);
			for (unsigned left = (unsigned)lanes(in); left != 0; left &= left - 1)
				taken |= 1u << at_part[__builtin_ctz(left)];
		}
		const unsigned free = ~taken & ((1u << DEPTHS) - 1);
		if ((free & free >> 1) == 0) return 0;
	}
	return 1;
}
