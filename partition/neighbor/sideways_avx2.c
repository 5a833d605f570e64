//go:build cgo && amd64

// The twin of sideways.around with AVX2: most neighbours are ruled out four at a
// time by the first few, and the sides of four points are found at once.

#include "sides_avx2.h"

// unblocked returns which of the m neighbours from rank k on have no other
// neighbour that is nearer to both. Lists ascend, so a nearer one comes before.
INLINE uint32_t unblocked(const struct near *s, int k, int m) {
	uint32_t open = (1u << m) - (1u << k);
	for (int r = 0; open != 0 && r < m - 1; r++) {
		const d4 x = all(s->x[r] * 2), y = all(s->y[r] * 2), z = all(s->z[r] * 2), square = all(s->square[r]);
		for (int g = (r > k ? r : k) / 4 * 4; g < m; g += 4) {
			if ((open >> g & 15) == 0)
				continue;
			const d4 twice = load(s->x + g) * x + load(s->y + g) * y + load(s->z + g) * z;
			open &= ~((uint32_t)lanes(_mm256_and_pd(twice > square, square < load(s->square + g))) << g);
		}
	}
	return open;
}

// open tells whether a third of the directions in a row is free.
INLINE int open(uint32_t taken) {
	uint64_t free = ~(uint64_t)taken & ((1u << SECTORS) - 1);
	free |= free << SECTORS;
	for (int k = 1; k < OPEN_SECTORS; k *= 2)
		free &= free >> k;
	return free != 0;
}

// finish writes how many points may be beyond some that are at a border.
INLINE void finish(struct four *f, const uint32_t *points, int count, int m, uint8_t *border) {
	for (int q = 0; q < 4; q++) {
		if (q >= count) {
			f->near[q] = f->near[0];
			f->whole[q] = f->whole[0];
		}
		second_moments(f, q, m);
	}
	find_axes(f, m);
	for (int q = 0; q < count; q++)
		border[points[q]] = f->line[q] ? 2 : f->may_open[q] && open(sectors_taken(f, q, m));
}

TARGET uint32_t neighbor_around(struct neighbor_lists l, uint32_t lo, uint32_t hi, uint32_t *ranks,
                                uint8_t *border, uint32_t *left) {
	struct four f;
	uint32_t held[4], skipped = 0;
	int count = 0;
	for (uint32_t i = lo; i < hi; i++) {
		struct near *s = &f.near[count];
		look(s, l.xyz, i, l.index + (size_t)i * l.k, l.around);
		const double farthest = s->square[l.around - 1];
		if (!(farthest < exact)) {
			left[skipped++] = i;
			continue;
		}
		ranks[i] = unblocked(s, l.joined, l.around);
		border[i] = 0;
		if (farthest == 0 || !may_have_sides(&f, count, l.around))
			continue;
		held[count++] = i;
		if (count == 4) {
			finish(&f, held, count, l.around, border);
			count = 0;
		}
	}
	if (count > 0)
		finish(&f, held, count, l.around, border);
	return skipped;
}

int neighbor_sideways_runs(void) { return __builtin_cpu_supports("avx2"); }
