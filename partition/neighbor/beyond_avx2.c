//go:build cgo && amd64

// The twin of sideways.beyond with AVX2.

#include "tube_avx2.h"

// Constants of sideways.go, squared where they are used so.
enum { LINE_REACH = 25 * 25, GAP_REACH = 4 * 4, UNEVEN = 2 * 2 };

// beside_line writes the nearest points on both sides of a line.
TARGET static void beside_line(const struct walk *w, const struct four *f, int q, double kth, uint32_t *beside) {
	struct view v = {OFF_LINE, {f->first[0][q], f->first[1][q], f->first[2][q]}, {0}, 0};
	double d, o[3], limit;
	if ((beside[0] = nearest(w, &v, NONE, LINE_REACH * kth, &d)) == NONE)
		return;
	to(w, beside[0], o);
	const double along = dot3(o, v.axis);
	for (int a = 0; a < 3; a++)
		v.first[a] = o[a] - along * v.axis[a];
	v.first_square = dot3(v.first, v.first);
	v.sight = OTHER_SIDE;
	limit = UNEVEN * d;
	beside[1] = nearest(w, &v, NONE, limit, &d);
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

// beyond_gap writes the nearest point beyond a gap, and that behind is one, too. A
// guess is where the last one was.
TARGET static void beyond_gap(const struct walk *w, const struct four *f, int q, int m, double kth, double farthest,
                              uint32_t *guess, uint32_t *beside) {
	struct view v = {IN_CONE, {0}, {0}, 0};
	double d, edge[3];
	middle(f, q, sectors_taken(f, q, m), v.axis);
	const uint32_t j = nearest(w, &v, *guess, GAP_REACH * farthest, &d);
	if (j == NONE)
		return;
	*guess = j;
	to(w, j, edge);
	if (gap_behind(w, edge, sqrt(kth)))
		beside[0] = j;
}

TARGET uint32_t neighbor_beyond(struct neighbor_lists l, const struct neighbor_node *nodes,
                                const uint32_t *points, uint32_t count, uint32_t *beside, uint32_t *left) {
	struct four f;
	struct path path;
	uint32_t held[4], skipped = 0, guess = NONE;
	int many = 0;
	at_root(&path);
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
			const struct walk w = {nodes, l.xyz, &path, position(l.xyz, points[held[q]])};
			const double kth = f.near[q].square[l.joined - 1];
			if (f.line[q])
				beside_line(&w, &f, q, kth, beside + 2 * held[q]);
			else
				beyond_gap(&w, &f, q, l.around, kth, f.near[q].square[l.around - 1], &guess, beside + 2 * held[q]);
		}
		many = 0;
	}
	return skipped;
}
