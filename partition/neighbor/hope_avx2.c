//go:build cgo && amd64

// The twin of hope.go with AVX2: the six sums of squares are in the lanes of two
// vectors.

#include "wishes_avx2.h"

// agreement is that of the twin: sums of xx, yy, zz and of xy, xz, yz.
struct agreement {
	d4 same, mixed;
	double seen, most;
};

// add adds the wishes of a point among its neighbours, and tells whether directions
// may still agree well enough.
INLINE int add(struct agreement *a, struct neighbor_lists l, uint32_t i, uint32_t which) {
	const __m128i at = position(l.xyz, i);
	for (uint32_t of = which & RANKS; of; of &= of - 1) {
		const uint32_t j = l.index[(size_t)i * l.k + (size_t)__builtin_ctz(of)];
		const d4 o = _mm256_cvtepi32_pd(_mm_sub_epi32(position(l.xyz, j), at)), square = o * o;
		const __m128d xy = _mm256_castpd256_pd128(square), z = _mm256_extractf128_pd(square, 1);
		const double f = 1 / (_mm_cvtsd_f64(_mm_add_sd(_mm_add_sd(xy, _mm_unpackhi_pd(xy, xy)), z)));
		const d4 part = o * all(f);
		a->same += part * o;
		a->mixed += _mm256_permute4x64_pd(part, _MM_SHUFFLE(1, 1, 0, 0)) * _mm256_permute4x64_pd(o, _MM_SHUFFLE(2, 2, 2, 1));
		a->seen++;
	}
	const double least = a->seen - a->most;
	if (least <= 0)
		return 1;
	double s[4], m[4];
	_mm256_storeu_pd(s, a->same);
	_mm256_storeu_pd(m, a->mixed);
	return s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + 2 * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) >= least * least;
}

// may_keep is mayKeep of the twin.
COUNTS static int may_keep(struct neighbor_lists l, const uint32_t *which, uint32_t i, const uint32_t *row) {
	const int wishes = count_wishes(which, i, row, l.around);
	if (wishes == 0)
		return 0;
	struct agreement a = {all(0), all(0), 0, 0.1 * (double)wishes + 1e-6};
	if (!add(&a, l, i, which[i]))
		return 0;
	for (int r = 0; r < l.around; r++)
		if (which[row[r]] != 0 && !add(&a, l, row[r], which[row[r]]))
			return 0;
	return 1;
}

static void mark(uint32_t *marks, uint32_t i) {
	const uint32_t bit = 1u << i % 32;
	if ((__atomic_load_n(marks + i / 32, __ATOMIC_RELAXED) & bit) == 0)
		__atomic_fetch_or(marks + i / 32, bit, __ATOMIC_RELAXED);
}

COUNTS void neighbor_weigh(struct neighbor_lists l, const uint32_t *which, uint32_t lo, uint32_t hi, uint32_t *hope,
                           uint32_t *need) {
	for (uint32_t i = lo; i < hi; i++) {
		const uint32_t *row = l.index + (size_t)i * l.k;
		if (which[i] == 0 || !may_keep(l, which, i, row))
			continue;
		hope[i / 32] |= 1u << i % 32;
		if (which[i] > RANKS)
			mark(need, i);
		for (int r = 0; r < l.around; r++)
			if (which[row[r]] > RANKS)
				mark(need, row[r]);
	}
}
