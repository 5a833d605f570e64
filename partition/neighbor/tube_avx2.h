// The twin of sideways.gapBehind with AVX2.
#ifndef SUPERPOINT_TUBE_AVX2_H
#define SUPERPOINT_TUBE_AVX2_H

#include "walk_avx2.h"

enum { DEPTHS = 8 }; // of behind.go

// tube is behind a point, on the line of an edge.
struct tube {
	double back[4], length, radius; // length is twice the edge's
	__m128i lo, hi;                 // of a box around it
};

// meets tells whether a node may reach into the tube, as behind.go does, after a
// look at its box.
INLINE int meets(const struct walk *w, const struct tube *t, const struct neighbor_node *n) {
	if (apart(n, t->lo, t->hi))
		return 0;
	const d4 l = three(_mm_sub_epi32(corner(n->lo), w->at)), h = three(_mm_sub_epi32(corner(n->hi), w->at));
	const d4 center = (l + h) / 2.0, half = (h - l) / 2.0, back = load(t->back);
	const double d = sum(center * back), extent = sum(half * magnitude(back)) + 2;
	if (!(d > -extent && d < t->length + extent))
		return 0;
	// Its ball: beyond <= 2 radius extent without the root, a little generous.
	const double square = sum(half * half) * 1.001 + 2000;
	const double beyond = sum(center * center) - d * d - t->radius * t->radius - square;
	return beyond <= 0 || beyond * beyond <= 4.01 * t->radius * t->radius * square;
}

// mark adds the parts of the tube that hold points of a leaf.
INLINE unsigned mark(const struct walk *w, const struct tube *t, const struct neighbor_node *leaf, unsigned taken) {
	const uint32_t end = leaf->start + places(leaf);
	const d4 ux = all(t->back[0]), uy = all(t->back[1]), uz = all(t->back[2]);
	for (uint32_t j = leaf->start; j < end; j += 4) {
		d4 x, y, z;
		int mask = quad(w, j, end, &x, &y, &z);
		const d4 d = x * ux + y * uy + z * uz, square = x * x + y * y + z * z;
		const d4 inside = _mm256_and_pd(_mm256_and_pd(d > all(0), d < all(t->length)),
		                                square - d * d <= all(t->radius * t->radius));
		mask &= lanes(inside);
		if (mask == 0)
			continue;
		int32_t part[4];
		_mm_storeu_si128((__m128i *)part, _mm256_cvttpd_epi32(d * (double)DEPTHS / all(t->length)));
		for (; mask; mask &= mask - 1)
			taken |= 1u << part[__builtin_ctz((unsigned)mask)];
	}
	return taken;
}

// box_around writes the box of the tube, a unit wider on all sides.
INLINE void box_around(const struct walk *w, struct tube *t) {
	const d4 end = load(t->back) * all(t->length), at = _mm256_cvtepi32_pd(w->at), more = all(t->radius + 1);
	const d4 lo = at + _mm256_min_pd(end, all(0)) - more, hi = at + _mm256_max_pd(end, all(0)) + more;
	const d4 bound = all(INT32_MAX);
	t->lo = _mm256_cvttpd_epi32(_mm256_max_pd(lo, -bound)), t->hi = _mm256_cvttpd_epi32(_mm256_min_pd(hi, bound));
}

INLINE int gap_behind(const struct walk *w, const double *edge, double kth) {
	const double length = sqrt(dot3(edge, edge)), f = -1 / length;
	struct tube t = {{edge[0] * f, edge[1] * f, edge[2] * f, 0}, 2 * length, length / 4 > kth ? length / 4 : kth,
	                 _mm_setzero_si128(), _mm_setzero_si128()};
	box_around(w, &t);
	uint32_t stack[DEEPEST];
	int depth = 0;
	unsigned taken = 0;
	stack[depth++] = begin(w, t.lo, t.hi);
	while (depth > 0) {
		const uint32_t at = stack[--depth];
		const struct neighbor_node *n = &w->nodes[at];
		if (!meets(w, &t, n))
			continue;
		if ((n->link & 1u << 31) == 0) {
			stack[depth++] = n->link;
			stack[depth++] = at + 1;
			continue;
		}
		taken = mark(w, &t, n, taken);
		const unsigned free = ~taken & ((1u << DEPTHS) - 1);
		if ((free & free >> 1) == 0)
			return 0;
	}
	return 1;
}

#endif
