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
    if (level == 2)
        forward_avx512(net, weights, n, set, point, out, scratch, widest);
    else
        forward_avx2(net, weights, n, set, point, out, scratch, widest);
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

int lpe_best(void) { return 1; }

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
