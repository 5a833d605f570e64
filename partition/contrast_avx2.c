//go:build cgo && amd64

// The same as plainContrasts in contrast.go with AVX2: exponentials of eight edges at a time.
// Operations and their order are the same, also those of arithmetic.Exp, so the bits are, too.

#include "contrast.h"

#include <immintrin.h>
#include <math.h>

#define TARGET __attribute__((target("avx2,fma")))

static const double log2e = 1.44269504088896338700e+00, ln2_high = 6.93147180369123816490e-01,
                    ln2_low = 1.90821492927058770002e-10, whole = 6755399441055744; // 3 << 51

static const double series[] = {1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040,
                                1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1};

TARGET static inline __m256d all(double x) { return _mm256_set1_pd(x); }

// exponential returns eˣ for x ≤ 0.
TARGET static inline __m256d exponential(__m256d x) {
	const __m256d shifted = _mm256_fmadd_pd(x, all(log2e), all(whole)), n = _mm256_sub_pd(shifted, all(whole));
	const __m256d r = _mm256_fmadd_pd(n, all(-ln2_low), _mm256_fmadd_pd(n, all(-ln2_high), x));
	__m256d p = all(1. / 6227020800);
	for (unsigned k = 0; k < sizeof series / sizeof *series; k++)
		p = _mm256_fmadd_pd(p, r, all(series[k]));
	// The last bits of shifted are those of n.
	const __m256i exponent = _mm256_add_epi64(_mm256_castpd_si256(shifted), _mm256_set1_epi64x(1023));
	p = _mm256_mul_pd(p, _mm256_castsi256_pd(_mm256_slli_epi64(exponent, 52)));
	return _mm256_and_pd(p, _mm256_cmp_pd(x, all(-700), _CMP_GE_OQ));
}

// of_eight writes the contrasts of eight edges, as two independent halves.
TARGET static inline void of_eight(const float *square, const float *damping, double sigma, float *contrast) {
	const __m256 third = _mm256_div_ps(_mm256_loadu_ps(damping), _mm256_set1_ps(3));
	const __m256 x = _mm256_div_ps(_mm256_xor_ps(_mm256_loadu_ps(square), _mm256_set1_ps(-0.0f)),
	                               _mm256_add_ps(_mm256_set1_ps(1), third));
	const __m256d a = _mm256_div_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(x)), all(sigma));
	const __m256d b = _mm256_div_pd(_mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)), all(sigma));
	_mm_storeu_ps(contrast, _mm256_cvtpd_ps(exponential(a)));
	_mm_storeu_ps(contrast + 4, _mm256_cvtpd_ps(exponential(b)));
}

TARGET static inline __attribute__((always_inline)) void contrasts(const uint32_t *start, const uint32_t *head,
	const float *embedding, int64_t dim, const float *placed, double sigma, int64_t lo, int64_t hi, float *contrast) {
	float square[8] = {0}, damping[8] = {0}, last[8];
	uint32_t k = start[lo];
	int held = 0;
	for (int64_t u = lo; u < hi; u++) {
		const float *own = embedding + u * dim;
		for (const uint32_t end = start[u + 1]; k < end; k++) {
			const float *other = embedding + head[k] * dim;
			float sum = 0;
			for (int64_t c = 0; c < dim; c++) {
				const float d = own[c] - other[c];
				sum += d * d;
			}
			if (placed)
				damping[held] = placed[4 * u + 3] + placed[4 * (int64_t)head[k] + 3];
			square[held++] = sum;
			if (held == 8) {
				of_eight(square, damping, sigma, contrast + k - 7);
				held = 0;
			}
		}
	}
	of_eight(square, damping, sigma, last);
	for (int i = 0; i < held; i++)
		contrast[k - held + i] = last[i];
}

TARGET void partition_contrast(const uint32_t *start, const uint32_t *head, const float *embedding, int64_t dim,
                               const float *placed, double sigma, int64_t lo, int64_t hi, float *contrast) {
	if (dim == 4) // of the built-in models
		contrasts(start, head, embedding, 4, placed, sigma, lo, hi, contrast);
	else
		contrasts(start, head, embedding, dim, placed, sigma, lo, hi, contrast);
}

int partition_contrast_runs(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
