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

#else // arm64
#include <arm_neon.h>

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

#endif

void lpe_forward(const struct network *net, const float *weights, LPE_SOURCE, int64_t lo, int64_t hi, int batch,
                 float *set, float *point, float *out, float *scratch, long widest) {
    for (int64_t i = lo; i < hi; i += batch) {
        const int n = hi - i < batch ? (int)(hi - i) : batch;
        gather(inputs, unit, xyz, points, index, table, i, i + n, set, point);
        forward(net, weights, n, set, point, out + (i - lo) * net->dim, scratch, widest);
    }
}
