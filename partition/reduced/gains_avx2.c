//go:build cgo && amd64

// The same as plainGains in gains.go with AVX2, four edges of a row at a time. Operations and
// their order are the same, except that 0 is added to the last square, which changes no bit.

#include "gains.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

enum { COLUMNS = 7 };

// squares returns the squared differences between own and the mean of vertex v, and a 0.
TARGET static inline __m256 squares(const float *mean, uint32_t v, __m256 own) {
	const __m256i columns = _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, -1, 0);
	const __m256 d = _mm256_sub_ps(own, _mm256_maskload_ps(mean + COLUMNS * (uint64_t)v, columns));
	return _mm256_mul_ps(d, d);
}

TARGET void reduced_gains(struct reduced_graph g, uint32_t lo, uint32_t hi, int even, float *out) {
	const __m256i columns = _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, -1, 0);
	const __m128i lane = _mm_setr_epi32(0, 1, 2, 3);
	const __m128 scale = _mm_set1_ps(g.scale);
	for (uint32_t u = lo; u < hi; u++) {
		const __m256 own = _mm256_maskload_ps(g.mean + COLUMNS * (uint64_t)u, columns);
		const __m128 a = _mm_set1_ps(g.size[u]);
		for (uint32_t k = g.start[u], left = g.end[u] - k; left > 0;) {
			const uint32_t n = left < 4 ? left : 4, *head = g.head + k;
			const uint32_t p = head[0], q = head[n > 1], r = head[n > 2 ? 2 : 0], s = head[n > 3 ? 3 : 0];
			const __m256 pq = _mm256_hadd_ps(squares(g.mean, p, own), squares(g.mean, q, own));
			const __m256 rs = _mm256_hadd_ps(squares(g.mean, r, own), squares(g.mean, s, own));
			const __m256 sums = _mm256_hadd_ps(pq, rs);
			const __m128 distance = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
			const __m128 b = _mm_setr_ps(g.size[p], g.size[q], g.size[r], g.size[s]);
			const __m128 both = _mm_add_ps(a, b), product = _mm_mul_ps(a, b);
			const __m128i there = _mm_cmpgt_epi32(_mm_set1_epi32((int)n), lane);
			const __m128 price = _mm_mul_ps(scale, _mm_maskload_ps(g.weight + k, there));
			if (even)
				_mm_storeu_ps(out, _mm_sub_ps(_mm_mul_ps(price, _mm_div_ps(both, product)), distance));
			else
				_mm_storeu_ps(out, _mm_sub_ps(price, _mm_mul_ps(_mm_div_ps(product, both), distance)));
			out += n, k += n, left -= n;
		}
	}
}

int reduced_gains_runs(void) { return __builtin_cpu_supports("avx2"); }
