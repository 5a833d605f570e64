// The twin of sideways.nearest with AVX2: a walk through the tree that looks at
// the points of a leaf four at a time, and passes over boxes beside the cone in
// which a point is looked for.
#ifndef SUPERPOINT_WALK_AVX2_H
#define SUPERPOINT_WALK_AVX2_H

#include "sides_avx2.h"

enum { NONE = UINT32_MAX, DEEPEST = 256 };

// path leads from the root down to where walks begin. Points are near the ones
// before them, and so are the nodes that hold all around them.
struct path {
	uint32_t node[DEEPEST];
	__m128i lo[DEEPEST], hi[DEEPEST]; // a box in which no other points are than the node's
	int depth;
};

// walk is at a point.
struct walk {
	const struct neighbor_node *nodes;
	const int32_t *xyz;
	struct path *path;
	__m128i at;
};

// what is looked for: points off a line, those of them on the other side than a
// first one, or points in a cone of 45 degrees.
enum sight { OFF_LINE, OTHER_SIDE, IN_CONE };

struct view {
	enum sight sight;
	double axis[3]; // of the line or the cone
	double first[3], first_square; // across the line
};

INLINE double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// seen returns the lanes of the offsets that are seen.
INLINE d4 seen(const struct view *v, d4 x, d4 y, d4 z, d4 square) {
	const d4 ux = all(v->axis[0]), uy = all(v->axis[1]), uz = all(v->axis[2]);
	const d4 d = x * ux + y * uy + z * uz;
	if (v->sight == IN_CONE)
		return _mm256_and_pd(d > all(0), 2.0 * d * d > square);
	const d4 off = 2.0 * d * d < square;
	if (v->sight == OFF_LINE)
		return off;
	const d4 px = x - d * ux, py = y - d * uy, pz = z - d * uz;
	const d4 e = px * all(v->first[0]) + py * all(v->first[1]) + pz * all(v->first[2]);
	const d4 far = 4.0 * e * e > (px * px + py * py + pz * pz) * all(v->first_square);
	return _mm256_and_pd(off, _mm256_and_pd(e < all(0), far));
}

INLINE __m128i corner(const int32_t *p) { return _mm_loadu_si128((const __m128i *)p); }

// three returns the first three of four whole numbers, and 0.
INLINE d4 three(__m128i v) { return _mm256_cvtepi32_pd(_mm_blend_epi32(v, _mm_setzero_si128(), 8)); }

// distance returns the squared distance to a node's box.
INLINE double distance(const struct walk *w, const struct neighbor_node *n) {
	__m128i e = _mm_max_epi32(_mm_sub_epi32(corner(n->lo), w->at), _mm_sub_epi32(w->at, corner(n->hi)));
	const d4 d = three(_mm_max_epi32(e, _mm_setzero_si128()));
	return sum(d * d);
}

// beside_cone tells whether a node's box, at a squared distance, is outside the
// cone for certain: its corner farthest along the axis is not far enough.
INLINE int beside_cone(const struct walk *w, const struct neighbor_node *n, d4 axis, __m128i up, double square) {
	const __m128i far = _mm_blendv_epi8(corner(n->lo), corner(n->hi), up);
	const double d = sum(three(_mm_sub_epi32(far, w->at)) * axis) + 1e-3;
	return d <= 0 || 2 * d * d < square * (1 - 1e-9);
}

INLINE int any_of_three(__m128i mask) { return (_mm_movemask_ps(_mm_castsi128_ps(mask)) & 7) != 0; }

// apart tells whether a node's box has nothing of a box.
INLINE int apart(const struct neighbor_node *n, __m128i lo, __m128i hi) {
	return any_of_three(_mm_or_si128(_mm_cmpgt_epi32(corner(n->lo), hi), _mm_cmpgt_epi32(lo, corner(n->hi))));
}

INLINE void at_root(struct path *p) {
	p->depth = 0;
	p->node[0] = 0;
	p->lo[0] = _mm_set1_epi32(INT32_MIN), p->hi[0] = _mm_set1_epi32(INT32_MAX);
}

// begin returns the lowest node of the path, which it changes, that holds all points
// of a box.
INLINE uint32_t begin(const struct walk *w, __m128i lo, __m128i hi) {
	struct path *p = w->path;
	while (any_of_three(_mm_or_si128(_mm_cmpgt_epi32(p->lo[p->depth], lo), _mm_cmpgt_epi32(hi, p->hi[p->depth]))))
		p->depth--;
	for (;;) {
		const int d = p->depth;
		const uint32_t at = p->node[d], right = w->nodes[at].link;
		if (right & 1u << 31)
			return at;
		const int no_left = apart(&w->nodes[at + 1], lo, hi), no_right = apart(&w->nodes[right], lo, hi);
		if (no_left == no_right)
			return at;
		const uint32_t to = no_left ? right : at + 1;
		const struct neighbor_node *here = &w->nodes[to], *other = &w->nodes[no_left ? at + 1 : right];
		const __m128i above = _mm_cmpgt_epi32(corner(other->lo), corner(here->hi));
		const __m128i below = _mm_cmpgt_epi32(corner(here->lo), corner(other->hi)), one = _mm_set1_epi32(1);
		if (!any_of_three(_mm_or_si128(above, below)))
			return at;
		const __m128i most = _mm_min_epi32(p->hi[d], _mm_sub_epi32(corner(other->lo), one));
		const __m128i least = _mm_max_epi32(p->lo[d], _mm_add_epi32(corner(other->hi), one));
		p->hi[d + 1] = _mm_blendv_epi8(p->hi[d], most, above);
		p->lo[d + 1] = _mm_blendv_epi8(p->lo[d], least, below);
		p->node[d + 1] = to;
		p->depth = d + 1;
	}
}

INLINE int is_point(const struct neighbor_node *n) {
	return n->lo[0] == n->hi[0] && n->lo[1] == n->hi[1] && n->lo[2] == n->hi[2];
}

// places is the number of points of a leaf to look at: the first of exact
// duplicates stands for all.
INLINE uint32_t places(const struct neighbor_node *leaf) { return is_point(leaf) ? 1 : leaf->link & ~(1u << 31); }

// quad writes the offsets to four points, the last point again after the end, and
// returns the lanes before the end.
INLINE int quad(const struct walk *w, uint32_t j, uint32_t end, d4 *x, d4 *y, d4 *z) {
	const uint32_t last = end - 1;
	const uint32_t to[4] = {j, j + 1 < end ? j + 1 : last, j + 2 < end ? j + 2 : last, j + 3 < end ? j + 3 : last};
	offsets(w->xyz, w->at, to, x, y, z);
	return end - j >= 4 ? 15 : (1 << (end - j)) - 1;
}

// before breaks the tie between two points at equal distance.
INLINE int before(const int32_t *xyz, uint32_t i, uint32_t j) {
	const int32_t *p = xyz + 3 * (size_t)i, *q = xyz + 3 * (size_t)j;
	for (int a = 0; a < 3; a++)
		if (p[a] != q[a])
			return p[a] < q[a];
	return i < j;
}

INLINE double scan(const struct walk *w, const struct neighbor_node *leaf, const struct view *v, double worst,
                   uint32_t *found) {
	const uint32_t end = leaf->start + places(leaf);
	for (uint32_t j = leaf->start; j < end; j += 4) {
		d4 x, y, z;
		int mask = quad(w, j, end, &x, &y, &z);
		const d4 square = x * x + y * y + z * z;
		mask &= lanes(square <= all(worst));
		if (mask == 0 || (mask &= lanes(seen(v, x, y, z, square))) == 0)
			continue;
		double each[4];
		_mm256_storeu_pd(each, square);
		for (; mask; mask &= mask - 1) {
			const int q = __builtin_ctz((unsigned)mask);
			const uint32_t i = j + (uint32_t)q;
			if (each[q] < worst || (each[q] == worst && (*found == NONE || before(w->xyz, i, *found))))
				worst = each[q], *found = i;
		}
	}
	return worst;
}

struct visit { double square; uint32_t node; };

// nearest returns the nearest point that is seen, at most at the squared distance
// limit, a whole number below 2^53. A guess, or NONE, makes it quick if it is near.
INLINE uint32_t nearest(const struct walk *w, const struct view *v, uint32_t guess, double limit, double *squared) {
	struct visit stack[DEEPEST];
	int depth = 0;
	double worst = limit;
	uint32_t found = NONE;
	if (guess != NONE) {
		const struct neighbor_node only = {.start = guess, .link = 1u << 31 | 1};
		worst = scan(w, &only, v, worst, &found);
	}
	const __m128i reach = _mm_set1_epi32((int32_t)sqrt(worst) + 2);
	const d4 axis = _mm256_setr_pd(v->axis[0], v->axis[1], v->axis[2], 0);
	const __m128i up = _mm_setr_epi32(-(v->axis[0] > 0), -(v->axis[1] > 0), -(v->axis[2] > 0), 0);
	stack[depth++] = (struct visit){0, begin(w, _mm_sub_epi32(w->at, reach), _mm_add_epi32(w->at, reach))};
	while (depth > 0) {
		struct visit at = stack[--depth];
		while (at.square <= worst) {
			const struct neighbor_node *n = &w->nodes[at.node];
			if (v->sight == IN_CONE && beside_cone(w, n, axis, up, at.square))
				break;
			if (n->link & 1u << 31) {
				worst = scan(w, n, v, worst, &found);
				break;
			}
			struct visit near = {distance(w, n + 1), at.node + 1}, far = {distance(w, &w->nodes[n->link]), n->link};
			if (far.square < near.square) {
				const struct visit t = near;
				near = far, far = t;
			}
			if (far.square <= worst)
				stack[depth++] = far;
			at = near;
		}
	}
	*squared = worst;
	return found;
}

INLINE void to(const struct walk *w, uint32_t j, double *o) {
	int32_t at[4];
	_mm_storeu_si128((__m128i *)at, w->at);
	for (int a = 0; a < 3; a++)
		o[a] = (double)w->xyz[3 * (size_t)j + a] - (double)at[a];
}

#endif
