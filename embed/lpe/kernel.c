//go:build cgo && (amd64 || arm64)

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lpe.h"

// normalise scales x to length 1; a vector without a direction becomes the
// first axis.
static void normalise(const float *x, int dim, float *out) {
    double square = 0;
    for (int d = 0; d < dim; d++) square += (double)x[d] * x[d];
    if (!(square > 0) || isinf(square)) {
        memset(out, 0, sizeof(float) * dim);
        out[0] = 1;
        return;
    }
    const double scale = 1 / sqrt(square);
    for (int d = 0; d < dim; d++) out[d] = (float)(x[d] * scale);
}

#if defined(__x86_64__)
#include <immintrin.h>

// odd returns p + c, rounded to odd before it is rounded to float; Odd of package
// arithmetic says why.
static float odd(double p, double c) {
    const double s = p + c, back = s - p, lost = (p - (s - back)) + (c - back);
    int64_t bits;
    memcpy(&bits, &s, 8);
    if (!(bits & 1) && (lost > 0 || lost < 0)) bits += (lost > 0) == (s > 0) ? 1 : -1;
    double rounded;
    memcpy(&rounded, &bits, 8);
    return (float)rounded;
}

static __attribute__((noinline, target("sse2"))) __m128 odds(__m128d p0, __m128d p1, __m128d c0, __m128d c1) {
    double p[4], c[4];
    _mm_storeu_pd(p, p0), _mm_storeu_pd(p + 2, p1), _mm_storeu_pd(c, c0), _mm_storeu_pd(c + 2, c1);
    return _mm_setr_ps(odd(p[0], c[0]), odd(p[1], c[1]), odd(p[2], c[2]), odd(p[3], c[3]));
}

// fma_sse2 is FMA on processors that have none, as package arithmetic does it:
// in double, and those few sums that would then be rounded wrong, one by one. It
// is ten times slower than a product and a sum; such processors are from before 2013.
static inline __attribute__((always_inline, target("sse2"))) __m128 fma_sse2(__m128 a, __m128 b, __m128 c) {
    const __m128d p0 = _mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b));
    const __m128d p1 = _mm_mul_pd(_mm_cvtps_pd(_mm_movehl_ps(a, a)), _mm_cvtps_pd(_mm_movehl_ps(b, b)));
    const __m128d c0 = _mm_cvtps_pd(c), c1 = _mm_cvtps_pd(_mm_movehl_ps(c, c));
    const __m128d s0 = _mm_add_pd(p0, c0), s1 = _mm_add_pd(p1, c1);
    const __m128 sum = _mm_movelh_ps(_mm_cvtpd_ps(s0), _mm_cvtpd_ps(s1));
    const __m128i low = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(s0), _mm_castpd_ps(s1), 0x88));
    const __m128i high = _mm_and_si128(_mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(s0), _mm_castpd_ps(s1), 0xdd)),
                                       _mm_set1_epi32(0x7fffffff));
    const __m128i half = _mm_cmpeq_epi32(_mm_and_si128(low, _mm_set1_epi32((1 << 29) - 1)), _mm_set1_epi32(1 << 28));
    const __m128i tiny = _mm_and_si128(_mm_cmpgt_epi32(_mm_set1_epi32((1023 - 126) << 20), high),
                                       _mm_cmpgt_epi32(high, _mm_setzero_si128()));
    if (__builtin_expect(_mm_movemask_epi8(_mm_or_si128(half, tiny)) == 0, 1)) return sum;
    return odds(p0, p1, c0, c1);
}

#define ISA sse2
#define TARGET __attribute__((target("sse2")))
#define VL 4
#define ROWS 5
#define COLS 2
#define VEC __m128
#define ZERO _mm_setzero_ps
#define SET1 _mm_set1_ps
#define LOAD _mm_loadu_ps
#define STORE _mm_storeu_ps
#define ADD _mm_add_ps
#define MUL _mm_mul_ps
#define MAX _mm_max_ps
#define FMA fma_sse2
#include "kernel.h"
#include "kernel_undef.h"

#define ISA avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VL 8
#define ROWS 5
#define COLS 2
#define VEC __m256
#define ZERO _mm256_setzero_ps
#define SET1 _mm256_set1_ps
#define LOAD _mm256_loadu_ps
#define STORE _mm256_storeu_ps
#define ADD _mm256_add_ps
#define MUL _mm256_mul_ps
#define MAX _mm256_max_ps
#define FMA _mm256_fmadd_ps
#include "kernel.h"
#include "kernel_undef.h"

#define ISA avx512
#define TARGET __attribute__((target("avx512f,avx2,fma")))
#define VL 16
#define ROWS 5
#define COLS 4
#define VEC __m512
#define ZERO _mm512_setzero_ps
#define SET1 _mm512_set1_ps
#define LOAD _mm512_loadu_ps
#define STORE _mm512_storeu_ps
#define ADD _mm512_add_ps
#define MUL _mm512_mul_ps
#define MAX _mm512_max_ps
#define FMA _mm512_fmadd_ps
#include "kernel.h"
#include "kernel_undef.h"

int lpe_best(void) {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
    return __builtin_cpu_supports("avx512f") ? 2 : 1;
}

static void forward(int level, const struct network *net, const float *weights, int n, const float *set,
                    const float *point, float *out, float *scratch, long widest) {
    switch (level) {
    case 2: forward_avx512(net, weights, n, set, point, out, scratch, widest); return;
    case 1: forward_avx2(net, weights, n, set, point, out, scratch, widest); return;
    default: forward_sse2(net, weights, n, set, point, out, scratch, widest);
    }
}

#else // arm64
#include <arm_neon.h>

#define ISA neon
#define TARGET
#define VL 4
#define ROWS 5
#define COLS 4
#define VEC float32x4_t
#define ZERO() vdupq_n_f32(0)
#define SET1 vdupq_n_f32
#define LOAD vld1q_f32
#define STORE vst1q_f32
#define ADD vaddq_f32
#define MUL vmulq_f32
#define MAX(a, b) vbslq_f32(vcgtq_f32(a, b), a, b) // vmaxq_f32 has rules of its own for 0 and what is not a number
#define FMA(a, b, c) vfmaq_f32(c, a, b)
#include "kernel.h"
#include "kernel_undef.h"

int lpe_best(void) { return 0; }

static void forward(int level, const struct network *net, const float *weights, int n, const float *set,
                    const float *point, float *out, float *scratch, long widest) {
    (void)level;
    forward_neon(net, weights, n, set, point, out, scratch, widest);
}
#endif

void lpe_forward(int level, const struct network *net, const float *weights, LPE_SOURCE, int64_t lo, int64_t hi,
                 int batch, float *set, float *point, float *out, float *scratch, long widest) {
    for (int64_t i = lo; i < hi; i += batch) {
        const int n = hi - i < batch ? (int)(hi - i) : batch;
        gather(inputs, unit, xyz, points, index, table, i, i + n, set, point);
        forward(level, net, weights, n, set, point, out + (i - lo) * net->dim, scratch, widest);
    }
}
