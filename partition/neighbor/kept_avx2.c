//go:build cgo && amd64

// The twin of kept.go with AVX2: a point's wishes are compared with a neighbour's in
// lanes, and the planes at both ends of an edge are found at once. What has no part
// in the rest is dropped all at once, not one by one, which changes no result.

#include "sides_avx2.h"
#include "tube_avx2.h"

// Constants of wishes.go and level.go, and of kept.go, squared.
static const double same_direction = 0.9, level_direction = 0.8, level_cosine = 0.9;
static const double uneven = 4, steepest = 0.09, unsure = 16;

enum { FEW_WISHES = 6, MOST = AROUND + 2 }; // MOST: wishes of a point

#define COUNTS __attribute__((target("avx2,popcnt")))

// keeper is what the wishes of one point after the other are weighed with.
struct keeper {
	struct neighbor_lists l;
	struct neighbor_wishes w;
	struct walk walk;
	double x[MOST + 2], y[MOST + 2], z[MOST + 2], sum[MOST + 2]; // directions and squared cosines
	double least[MOST];                                          // mean squared cosines
	uint32_t bit[MOST];
	int count, left; // left: the twin has to do this one
};

INLINE uint32_t end_of(const struct keeper *k, uint32_t i, int bit) {
	return bit >= AROUND ? k->w.beside[2 * (size_t)k->w.place[i] + (size_t)(bit - AROUND)]
	                     : k->l.index[(size_t)i * k->l.k + (size_t)bit];
}

INLINE void between(const struct keeper *k, uint32_t i, uint32_t j, double *o) {
	const int32_t *p = k->l.xyz + 3 * (size_t)i, *q = k->l.xyz + 3 * (size_t)j;
	for (int a = 0; a < 3; a++)
		o[a] = (double)q[a] - (double)p[a];
}

// squared is the exact squared distance of two points, rounded once.
INLINE double squared(const struct keeper *k, uint32_t i, uint32_t j) {
	const int32_t *p = k->l.xyz + 3 * (size_t)i, *q = k->l.xyz + 3 * (size_t)j;
	const int64_t x = (int64_t)q[0] - p[0], y = (int64_t)q[1] - p[1], z = (int64_t)q[2] - p[2];
	return (double)((uint64_t)(x * x) + (uint64_t)(y * y) + (uint64_t)(z * z));
}

// direction writes the unit vector along a wish.
INLINE void direction(const struct keeper *k, uint32_t i, int bit, double *o) {
	between(k, i, end_of(k, i, bit), o);
	const double square = dot3(o, o);
	if (square > 0) {
		const double f = 1 / sqrt(square);
		for (int a = 0; a < 3; a++)
			o[a] *= f;
	}
}

// shortest returns the squared length of a point's first wish, or to its k-th
// neighbour.
INLINE double shortest(const struct keeper *k, uint32_t i) {
	const uint32_t which = k->w.which[i];
	const uint32_t j = end_of(k, i, which ? __builtin_ctz(which) : k->l.joined - 1);
	double o[3];
	between(k, i, j, o);
	return dot3(o, o);
}

INLINE d4 moment_along(const d4 *m, struct vectors v) { return dot(v, times(m, v)); }

// in_planes tells whether the edge between two points lies in the planes of both, as
// far as they are known, and whether it lies level beside the line of the first.
INLINE int in_planes(const struct four *f, int m, const double *edge, int *level) {
	d4 moment[6];
	for (int k = 0; k < 6; k++)
		moment[k] = load(f->moment[k]);
	const struct near *a = &f->near[0], *b = &f->near[1];
	const int last = m - 1;
	struct vectors axes[3], e = {all(edge[0]), all(edge[1]), all(edge[2])};
	axes[0] = unit((struct vectors){_mm256_setr_pd(a->x[last], b->x[last], a->x[last], b->x[last]),
	                                _mm256_setr_pd(a->y[last], b->y[last], a->y[last], b->y[last]),
	                                _mm256_setr_pd(a->z[last], b->z[last], a->z[last], b->z[last])});
	for (int round = 0; round < 6; round++)
		axes[0] = unit(times(moment, axes[0]));
	axes[1] = second_axis(moment, axes[0]);
	axes[2] = cross(axes[0], axes[1]);
	const double f0 = 1 / sqrt(dot3(edge, edge));
	*level = fabs(axes[0].x[0] * (edge[1] * f0) - axes[0].y[0] * (edge[0] * f0)) >= level_cosine;
	const d4 out = dot(e, axes[2]);
	d4 variance = all(1);
	for (int k = 0; k < 2; k++) {
		const d4 along = dot(e, axes[k]);
		variance += along * along / moment_along(moment, axes[k]);
	}
	variance *= moment_along(moment, axes[2]) / all(m > 3 ? m - 2 : 1);
	const d4 flat = out * out <= all(steepest) * dot(e, e), maybe = out * out <= all(unsure) * variance;
	return (lanes(_mm256_or_pd(flat, maybe)) & 3) == 3;
}

// regular tells whether an edge across a gap lies in the plane of the lines on both
// sides and has a gap behind its other end, and whether it lies level.
INLINE int regular(struct keeper *k, uint32_t i, uint32_t j, int *level) {
	struct four f;
	const uint32_t ends[2] = {i, j};
	double edge[3];
	for (int q = 0; q < 2; q++) {
		look(&f.near[q], k->l.xyz, ends[q], k->l.index + (size_t)ends[q] * k->l.k, k->l.around);
		if (!(f.near[q].square[k->l.around - 1] < exact)) {
			k->left = 1;
			return 0;
		}
		second_moments(&f, q, k->l.around);
	}
	for (int q = 0; q < 6; q++)
		f.moment[q][2] = f.moment[q][0], f.moment[q][3] = f.moment[q][1];
	between(k, i, j, edge);
	if (!in_planes(&f, k->l.around, edge, level))
		return 0;
	k->walk.at = position(k->l.xyz, j);
	between(k, j, i, edge);
	return gap_behind(&k->walk, edge, sqrt(f.near[1].square[k->l.joined - 1]));
}

// propose lists the wishes of a point that may be kept.
INLINE void propose(struct keeper *k, uint32_t i) {
	k->count = 0;
	for (uint32_t of = k->w.which[i]; of; of &= of - 1) {
		const int bit = __builtin_ctz(of);
		const uint32_t j = end_of(k, i, bit);
		int level = 0;
		if (bit >= AROUND && k->w.border[i] == 1 && !regular(k, i, j, &level))
			continue;
		if (!level && squared(k, i, j) > uneven * shortest(k, j))
			continue;
		double o[3];
		direction(k, i, bit, o);
		const int c = k->count++;
		k->x[c] = o[0], k->y[c] = o[1], k->z[c] = o[2], k->sum[c] = 0;
		k->bit[c] = 1u << bit, k->least[c] = level ? level_direction : same_direction;
	}
}

// compare adds the squared cosines between the listed wishes and those of a point,
// and tells whether one may still agree well enough. Of all wishes it has seen so many.
INLINE int compare(struct keeper *k, uint32_t j, int *seen, int wishes) {
	if (k->w.which[j] == 0)
		return 1;
	for (uint32_t of = k->w.which[j]; of; of &= of - 1) {
		double o[3];
		direction(k, j, __builtin_ctz(of), o);
		const d4 x = all(o[0]), y = all(o[1]), z = all(o[2]);
		for (int c = 0; c < k->count; c += 4) {
			const d4 cosine = load(k->x + c) * x + load(k->y + c) * y + load(k->z + c) * z;
			_mm256_storeu_pd(k->sum + c, load(k->sum + c) + cosine * cosine);
		}
		++*seen;
	}
	const double most = (double)(wishes - *seen) * 1.000000001 + 1e-9; // of what is to come
	for (int c = 0; c < k->count; c++)
		if (k->sum[c] + most >= k->least[c] * (double)wishes)
			return 1;
	return 0;
}

// count_wishes returns the number of wishes of a point and its neighbours, 0 if too
// few of them have one.
COUNTS static int count_wishes(const uint32_t *which, uint32_t i, const uint32_t *row, int m) {
	int points = 1, wishes = __builtin_popcount(which[i]);
	for (int r = 0; r < m; r++) {
		const uint32_t of = which[row[r]];
		points += of != 0;
		wishes += __builtin_popcount(of);
	}
	return points < FEW_WISHES ? 0 : wishes;
}

COUNTS static uint32_t kept_of(struct keeper *k, uint32_t i) {
	const uint32_t *row = k->l.index + (size_t)i * k->l.k;
	const int wishes = count_wishes(k->w.which, i, row, k->l.around);
	if (wishes == 0)
		return 0;
	propose(k, i);
	int seen = 0;
	if (k->count == 0 || !compare(k, i, &seen, wishes))
		return 0;
	for (int r = 0; r < k->l.around; r++)
		if (!compare(k, row[r], &seen, wishes))
			return 0;
	uint32_t kept = 0;
	for (int c = 0; c < k->count; c++)
		if (k->sum[c] >= k->least[c] * (double)wishes)
			kept |= k->bit[c];
	return kept;
}

COUNTS uint32_t neighbor_kept(struct neighbor_lists l, const struct neighbor_node *nodes, struct neighbor_wishes w,
                              uint32_t lo, uint32_t hi, uint32_t *keep, uint32_t *left) {
	struct path path;
	struct keeper k = {.l = l, .w = w, .walk = {nodes, l.xyz, &path, _mm_setzero_si128()}};
	uint32_t skipped = 0;
	at_root(&path);
	for (uint32_t i = lo; i < hi; i++) {
		keep[i] = 0;
		if (w.which[i] == 0)
			continue;
		k.left = 0;
		keep[i] = kept_of(&k, i);
		if (k.left)
			left[skipped++] = i;
	}
	return skipped;
}
