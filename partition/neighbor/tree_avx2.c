//go:build cgo && amd64

// The same as splitter.split with AVX2: a selection by buckets. The range of coordinates is
// divided into buckets, and the search continues in the one that has the item of rank k.

#include "tree_avx2.h"

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx2")))

enum { FEW = 16, BUCKET_BITS = 6, BUCKETS = 1 << BUCKET_BITS };

// precedes is that of order.go.
static int precedes(const int32_t *p, const int32_t *q, int axis) {
	for (int i = 0; i < 3; i++) {
		const int a = (axis + i) % 3;
		if (p[a] != q[a])
			return p[a] < q[a];
	}
	return p[3] < q[3];
}

TARGET static inline __m128i load(const int32_t *item) { return _mm_loadu_si128((const __m128i *)item); }
TARGET static inline void store(int32_t *item, __m128i v) { _mm_storeu_si128((__m128i *)item, v); }

// sort is an insertion sort of a few items.
TARGET static void sort(int32_t (*items)[4], uint32_t count, int axis) {
	for (uint32_t i = 1; i < count; i++) {
		int32_t own[4];
		uint32_t j = i;
		for (store(own, load(items[i])); j > 0 && precedes(own, items[j - 1], axis); j--)
			store(items[j], load(items[j - 1]));
		store(items[j], load(own));
	}
}

// divide moves the items whose number by is less than a limit to the front and returns their
// number. Whether an item is less is hard to predict, so there is no branch on it.
TARGET static uint32_t divide(int32_t (*items)[4], int32_t (*spare)[4], uint32_t count, int by, int32_t limit) {
	uint32_t less = 0;
	for (uint32_t i = 0; i < count; i++) {
		const __m128i p = load(items[i]);
		const int32_t own = items[i][by];
		store(items[less], p);
		store(spare[i - less], p);
		less += own < limit;
	}
	memcpy(items[less], spare[0], (count - less) * sizeof *items);
	return less;
}

// box writes the least and the greatest numbers of items.
TARGET static void box(int32_t (*items)[4], uint32_t count, int32_t (*bounds)[4]) {
	__m128i low = load(items[0]), high = low;
	for (uint32_t i = 1; i < count; i++) {
		const __m128i p = load(items[i]);
		low = _mm_min_epi32(low, p);
		high = _mm_max_epi32(high, p);
	}
	store(bounds[0], low);
	store(bounds[1], high);
}

// select_item moves the item of rank k to items[k], smaller ones before it and larger ones after.
TARGET static void select_item(int32_t (*items)[4], int32_t (*spare)[4], uint32_t count, uint32_t k, int axis,
                               int32_t low, int32_t high) {
	int by = axis, agree = 0; // the items are equal in the first agree numbers that precedes compares
	while (count > FEW) {
		if (low == high) {
			int32_t bounds[2][4];
			by = ++agree == 3 ? 3 : (axis + agree) % 3;
			box(items, count, bounds);
			low = bounds[0][by], high = bounds[1][by];
			continue;
		}
		const int bits = 32 - __builtin_clz((uint32_t)high - (uint32_t)low);
		const int shift = bits > BUCKET_BITS ? bits - BUCKET_BITS : 0;
		uint32_t counts[BUCKETS] = {0}, bucket = 0, before = 0;
		for (uint32_t i = 0; i < count; i++)
			counts[((uint32_t)items[i][by] - (uint32_t)low) >> shift]++;
		for (; before + counts[bucket] <= k; bucket++)
			before += counts[bucket];
		const int64_t first = low + ((int64_t)bucket << shift), last = first + ((int64_t)1 << shift) - 1;
		const uint32_t rest = divide(items, spare, count, by, (int32_t)first);
		if (last < high) {
			divide(items + rest, spare, count - rest, by, (int32_t)last + 1);
			high = (int32_t)last;
		}
		low = (int32_t)first;
		items += before, k -= before, count = counts[bucket];
	}
	sort(items, count, axis);
}

TARGET int neighbor_split(int32_t (*items)[4], int32_t (*spare)[4], uint32_t count, uint32_t middle, int axis,
                          int32_t low, int32_t high, int32_t (*boxes)[4]) {
	select_item(items, spare, count, middle, axis, low, high);
	int same = 0;
	const __m128i place = load(items[middle]);
	for (uint32_t i = 0; i < middle; i++)
		same |= (_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(load(items[i]), place))) & 7) == 7;
	box(items, middle, boxes);
	box(items + middle, count - middle, boxes + 2);
	return !same;
}

int neighbor_split_runs(void) { return __builtin_cpu_supports("avx2"); }
