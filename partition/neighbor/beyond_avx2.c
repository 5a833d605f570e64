//go:build cgo && amd64

// The twin of sideways.beyond with AVX2.

#include "walk_avx2.h"

// Constants of sideways.go and behind.go, squared where they are used so.
enum { LINE_REACH = 25 * 25, GAP_REACH = 4 * 4, UNEVEN = 2 * 2, DEPTHS = 8 };

// tube is behind a point, on the line of an edge.
struct tube {
	double back[3], length, radius; // length is twice the edge's
	__m128i lo, hi;                 // of a box around it
};

// meets tells whether a node may reach into the tube, as behind.go does, after a
// look at its box.
INLINE int meets(const struct walk *w, const struct tube *t, const struct neighbor_node *n) {
	const __m128i lo = corner(n->lo), hi = corner(n->hi);
	const __m128i out = _mm_or_si128(_mm_cmpgt_epi32(lo, t->hi), _mm_cmpgt_epi32(t->lo, hi));
	if (_mm_movemask_ps(_mm_castsi128_ps(out)) & 7)
		return 0;
	const d4 l = three(_mm_sub_epi32(lo, w->at)), h = three(_mm_sub_epi32(hi, w->at));
	const d4 center = (l + h) / 2.0, half = (h - l) / 2.0;
	const double extent = sqrt(sum(half * half)) + 1;
	const double d = sum(center * _mm256_setr_pd(t->back[0], t->back[1], t->back[2], 0)), far = t->radius + extent;
	return d > -extent - 1 && d < t->length + extent + 1 && sum(center * center) - d * d <= far * far * (1 + 1e-9);
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

// box_around returns the box of the tube, a unit wider on all sides.
INLINE void box_around(const struct walk *w, struct tube *t) {
	int32_t at[4], lo[4] = {0}, hi[4] = {0};
	_mm_storeu_si128((__m128i *)at, w->at);
	for (int a = 0; a < 3; a++) {
		const double end = t->back[a] * t->length, bound = 2147483647;
		lo[a] = (int32_t)fmax(at[a] + fmin(end, 0) - t->radius - 1, -bound);
		hi[a] = (int32_t)fmin(at[a] + fmax(end, 0) + t->radius + 1, bound);
	}
	t->lo = _mm_loadu_si128((const __m128i *)lo), t->hi = _mm_loadu_si128((const __m128i *)hi);
}

INLINE int gap_behind(const struct walk *w, const double *edge, double kth) {
	const double length = sqrt(dot3(edge, edge)), f = -1 / length;
	struct tube t = {{edge[0] * f, edge[1] * f, edge[2] * f}, 2 * length, fmax(length / 4, kth),
	                 _mm_setzero_si128(), _mm_setzero_si128()};
	box_around(w, &t);
	uint32_t stack[DEEPEST];
	int depth = 0;
	unsigned taken = 0;
	stack[depth++] = 0;
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

// beside_line writes the nearest points on both sides of a line.
TARGET static void beside_line(const struct walk *w, const struct four *f, int q, double kth, uint32_t *beside) {
	struct view v = {OFF_LINE, {f->first[0][q], f->first[1][q], f->first[2][q]}, {0}, 0};
	double d, o[3], limit;
	if ((beside[0] = nearest(w, &v, LINE_REACH * kth, &d)) == NONE)
		return;
	to(w, beside[0], o);
	const double along = dot3(o, v.axis);
	for (int a = 0; a < 3; a++)
		v.first[a] = o[a] - along * v.axis[a];
	v.first_square = dot3(v.first, v.first);
	v.sight = OTHER_SIDE;
	limit = UNEVEN * d;
	beside[1] = nearest(w, &v, limit, &d);
}

// middle writes the unit vector to the middle of the directions that are free.
INLINE void middle(const struct four *f, int q, uint32_t taken, double *m) {
	const uint64_t twice = taken | (uint64_t)taken << SECTORS;
	int best = 0, at = 0;
	for (int s = 0; s < SECTORS;) {
		if (twice >> s & 1) {
			s++;
			continue;
		}
		const int run = twice >> s ? __builtin_ctzll(twice >> s) : 64;
		if (run > best)
			best = run, at = s;
		s += run;
	}
	const double t = fmod(((double)at + (double)best / 2) / (SECTORS / 4), 4);
	const double x = t >= 2 ? t - 3 : 1 - t, y = copysign(1 - fabs(x), 2 - t);
	for (int a = 0; a < 3; a++)
		m[a] = x * f->first[a][q] + y * f->second[a][q];
	const double square = dot3(m, m);
	if (square > 0) {
		const double by = 1 / sqrt(square);
		for (int a = 0; a < 3; a++)
			m[a] *= by;
	}
}

TARGET static void beyond_gap(const struct walk *w, const struct four *f, int q, int m, double kth, double farthest,
                              uint32_t *beside) {
	struct view v = {IN_CONE, {0}, {0}, 0};
	double d, edge[3];
	middle(f, q, sectors_taken(f, q, m), v.axis);
	const uint32_t j = nearest(w, &v, GAP_REACH * farthest, &d);
	if (j == NONE)
		return;
	to(w, j, edge);
	if (gap_behind(w, edge, sqrt(kth)))
		beside[0] = j;
}

TARGET uint32_t neighbor_beyond(struct neighbor_lists l, const struct neighbor_node *nodes,
                                const uint32_t *points, uint32_t count, uint32_t *beside, uint32_t *left) {
	struct four f;
	uint32_t held[4], skipped = 0;
	int many = 0;
	for (uint32_t p = 0; p < count || many > 0; p++) {
		if (p < count) {
			struct near *s = &f.near[many];
			look(s, l.xyz, points[p], l.index + (size_t)points[p] * l.k, l.around);
			beside[2 * p] = beside[2 * p + 1] = NONE;
			// Distances within reach are exact, too.
			if (!(s->square[l.around - 1] < exact && LINE_REACH * s->square[l.joined - 1] < 0x1p52)) {
				left[skipped++] = p;
				continue;
			}
			may_have_sides(&f, many, l.around);
			held[many++] = p;
			if (many < 4)
				continue;
		}
		for (int q = 0; q < 4; q++) {
			if (q >= many)
				f.near[q] = f.near[0], f.whole[q] = f.whole[0];
			second_moments(&f, q, l.around);
		}
		find_axes(&f, l.around);
		for (int q = 0; q < many; q++) {
			const struct walk w = {nodes, l.xyz, position(l.xyz, points[held[q]])};
			const double kth = f.near[q].square[l.joined - 1];
			if (f.line[q])
				beside_line(&w, &f, q, kth, beside + 2 * held[q]);
			else
				beyond_gap(&w, &f, q, l.around, kth, f.near[q].square[l.around - 1], beside + 2 * held[q]);
		}
		many = 0;
	}
	return skipped;
}
