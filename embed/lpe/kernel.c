// SPDX-License-Identifier: BSD-3-Clause
//go:build cgo && (amd64 || arm64)

#include "lpe.h"

#include <math.h>
#include <string.h>

#ifdef __clang__ // else it fuses products and sums where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

static inline int32_t load32(const void *p)
{
    int32_t v;
    memcpy(&v, p, 4);
    return v;
}

#if defined(__x86_64__)
#include "lanes_x86.h"
#else
#include "lanes_arm.h"
#endif
#include "gather.h"

enum { BATCH = 32, MOST_WIDE = 1024 }; // points at a time, width of a layer

// scratch is a worker's memory for a batch.
struct scratch {
    uint64_t *at;   // offsets of rows
    int32_t *x;     // pairs of channels of the neighbours of eight points
    int16_t *point; // point channels
    int16_t *cat;   // inputs of the layers after a maximum
    int32_t *own, *sums;
    uint8_t *a, *b; // activations
};

// divide assigns memory to the arrays of s and returns the number of bytes.
static long divide(const struct network *net, uint8_t *memory, long widest, struct scratch *s)
{
    const long rows = BATCH * ROWS, points = (net->points + 1) / 2 * 2;
    long at = 0;
#define PART(field, count) s->field = (void *)(memory + at), at += ((count) * sizeof *s->field + 63) / 64 * 64
    PART(a, rows * widest);
    PART(b, rows * widest);
    PART(cat, BATCH * widest);
    PART(sums, BATCH * widest);
    PART(own, widest);
    PART(x, rows * net->pairs);
    PART(at, rows + BATCH);
    PART(point, BATCH * points);
#undef PART
    return at;
}

long lpe_scratch(const struct network *net, long widest)
{
    struct scratch s;
    uint8_t none;
    return divide(net, &none, widest, &s);
}

static void normalise(const int32_t *x, int dim, float *out)
{
    double square = 0;
    for (int d = 0; d < dim; d++) square += (double)x[d] * x[d];
    if (!(square > 0)) {
        memset(out, 0, sizeof(float) * dim);
        out[0] = 1;
        return;
    }
    const double scale = 1 / sqrt(square);
    for (int d = 0; d < dim; d++) out[d] = (float)(x[d] * scale);
}

static int16_t narrowed(int32_t v) { return (int16_t)(v > 32767 ? 32767 : v < -32767 ? -32767 : v); }

#if defined(__x86_64__)
#include "kernel_avx2.h"
#include "kernel_avx512.h"

static const struct {
    const char *name;
    __typeof__(rows_avx2) *rows;
    __typeof__(embed_avx2) *embed;
} kernels[] = {{"avx2", rows_avx2, embed_avx2}, {"avx512", rows_avx512, embed_avx512}};

int lpe_runs(int kernel)
{
#ifdef LPE_SIMDE
    return kernel < 2;
#endif
    __builtin_cpu_init();
    return kernel == 0 ? __builtin_cpu_supports("avx2") : __builtin_cpu_supports("avx512vnni");
}
#else
#include "kernel_arm.h"
#endif

const char *lpe_kernel_name(int kernel)
{
    return kernel < (int)(sizeof kernels / sizeof *kernels) ? kernels[kernel].name : 0;
}

void lpe_fill_rows(int kernel, const struct network *net, const uint8_t *numbers, const float *columns, int kept,
                   int64_t count, int64_t stride, int16_t *rows)
{
    kernels[kernel].rows(net, numbers, columns, kept, count, stride, rows);
}

void lpe_forward(int kernel, const struct network *net, const uint8_t *numbers, const struct inputs *in, float unit,
                 const uint32_t *index, const int16_t *rows, int64_t stride, int kept, uint32_t begin, uint32_t own,
                 const uint32_t *around, int64_t count, const float *context, int64_t lo, int64_t hi, float *out,
                 uint8_t *memory, long widest)
{
    const struct gathering from = {in, unit, index, rows, stride, kept, begin, own, around, count, lo, context};
    struct scratch s;
    divide(net, memory, widest, &s);
    for (int64_t i = lo; i < hi; i += BATCH) {
        const int n = hi - i < BATCH ? (int)(hi - i) : BATCH;
        kernels[kernel].embed(net, numbers, &from, i, n, out + (i - lo) * net->dim, &s);
    }
}
