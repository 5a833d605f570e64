// What points wish for, as in wishes.go.
#ifndef SUPERPOINT_WISHES_AVX2_H
#define SUPERPOINT_WISHES_AVX2_H

#include "sides_avx2.h"

enum { RANKS = (1 << AROUND) - 1, FEW_WISHES = 6 };

// agree is sameDirection, the least mean squared cosine.
static const double agree = 0.9;

#define COUNTS __attribute__((target("avx2,popcnt")))

// count_wishes returns the number of wishes of a point and its neighbours, 0 if too
// few of them have one.
static inline __attribute__((always_inline)) COUNTS int count_wishes(const uint32_t *which, uint32_t i,
                                                                     const uint32_t *row, int m) {
	int points = 1, wishes = __builtin_popcount(which[i]);
	for (int r = 0; r < m; r++) {
		const uint32_t of = which[row[r]];
		points += of != 0;
		wishes += __builtin_popcount(of);
	}
	return points < FEW_WISHES ? 0 : wishes;
}

#endif
