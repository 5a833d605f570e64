// SPDX-License-Identifier: BSD-3-Clause
//go:build cgo && amd64

// The same as Inputs.plainShapes in shapes.go with AVX2, four points at a time, bit for bit.
//
// float64 is needed because ratios contain square roots of eigenvalues that may be 1e-6 of the
// largest. Sums add integer coordinates, so they are exact. Operations and their order are as
// in plainShapes, and ISO C fuses nothing except explicit fma, so the bits are the same. Points
// whose eigenvalues are nearly equal take another branch in package shape; they are listed, and
// plainShapes computes them.
//
// It takes a fifth of the time of plainShapes for 20 neighbours (go test -bench Shapes).

#include "shapes.h"

#include <immintrin.h>
#include <math.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef __m256d d4;

// Bounds for nearly equal eigenvalues, as in package shape.
static const double gap = 1e-5, tie = 1e-7;
static const double pi = 3.14159265358979323846;

// matrices holds four covariances in square units.
struct matrices {
    d4 xx, xy, xz, yy, yz, zz;
};

INLINE d4 all(double x) { return _mm256_set1_pd(x); }
INLINE d4 larger(d4 a, d4 b) { return _mm256_max_pd(a, b); }
INLINE d4 smaller(d4 a, d4 b) { return _mm256_min_pd(a, b); }

// position loads x, y, z of a point.
INLINE __m128i position(const int32_t *xyz, int64_t j)
{
    return _mm_maskload_epi32(xyz + 3 * j, _mm_setr_epi32(-1, -1, -1, 0));
}

// covariances returns the covariances of the neighbours of four points.
INLINE struct matrices covariances(const int32_t *xyz, const uint32_t *const *near, int count, const int64_t *i)
{
    d4 sum[3], square[3], product[3];
    __m128i at[4];
    for (int q = 0; q < 4; q++) at[q] = position(xyz, i[q]);
    for (int a = 0; a < 3; a++) sum[a] = square[a] = product[a] = all(0);
    for (int r = 0; r < count; r++) {
        __m128i v[4];
        for (int q = 0; q < 4; q++) v[q] = _mm_sub_epi32(position(xyz, near[q][r]), at[q]);
        const __m128i xy01 = _mm_unpacklo_epi32(v[0], v[1]), xy23 = _mm_unpacklo_epi32(v[2], v[3]);
        const __m128i z01 = _mm_unpackhi_epi32(v[0], v[1]), z23 = _mm_unpackhi_epi32(v[2], v[3]);
        const d4 d[3] = {_mm256_cvtepi32_pd(_mm_unpacklo_epi64(xy01, xy23)),
                         _mm256_cvtepi32_pd(_mm_unpackhi_epi64(xy01, xy23)),
                         _mm256_cvtepi32_pd(_mm_unpacklo_epi64(z01, z23))};
        for (int a = 0; a < 3; a++) {
            sum[a] += d[a];
            square[a] += d[a] * d[a];
            product[a] += d[a] * d[(a + 1) % 3];
        }
    }
    const double n = count;
    d4 mean[3], variance[3], mixed[3];
    for (int a = 0; a < 3; a++) mean[a] = sum[a] / n;
    for (int a = 0; a < 3; a++) {
        variance[a] = larger(square[a] / n - mean[a] * mean[a], all(0));
        mixed[a] = product[a] / n - mean[a] * mean[(a + 1) % 3];
    }
    return (struct matrices){variance[0], mixed[0], mixed[2], variance[1], mixed[1], variance[2]};
}

// angle computes the cosine and the sine of φ = acos(r)/3: a first value of φ by Abramowitz
// and Stegun 4.4.45, whose error is below 7e-5 √(1-|r|), its sine and cosine by Taylor series,
// then two Newton steps for cos 3φ = r.
INLINE void angle(d4 r, d4 *cosine, d4 *sine)
{
    const d4 size = _mm256_andnot_pd(all(-0.0), r);
    d4 arc = _mm256_sqrt_pd(1.0 - size) * (1.5707288 + size * (-0.2121144 + size * (0.0742610 + size * -0.0187293)));
    const d4 x = _mm256_blendv_pd(arc, pi - arc, r) / 3.0, u = x * x;
    d4 c = all(-1 / 6402373705728000.0), s = all(-1 / 121645100408832000.0);
    c = c * u + 1 / 20922789888000.0, s = s * u + 1 / 355687428096000.0;
    c = c * u - 1 / 87178291200.0, s = s * u - 1 / 1307674368000.0;
    c = c * u + 1 / 479001600.0, s = s * u + 1 / 6227020800.0;
    c = c * u - 1 / 3628800.0, s = s * u - 1 / 39916800.0;
    c = c * u + 1 / 40320.0, s = s * u + 1 / 362880.0;
    c = c * u - 1 / 720.0, s = s * u - 1 / 5040.0;
    c = c * u + 1 / 24.0, s = s * u + 1 / 120.0;
    c = c * u - 1 / 2.0, s = s * u - 1 / 6.0;
    c = c * u + 1.0, s = (s * u + 1.0) * x;
    const d4 C = c * (4.0 * c * c - 3.0), S = s * (3.0 - 4.0 * s * s), most = S * 1e-4;
    const d4 a = larger(smaller((C - r) / S, most), -most), a2 = a * a;
    const d4 nearer = C - S * a - C * a2 * 0.5 + S * a * a2 * (1 / 6.0);
    const d4 b = larger(smaller((nearer - r) / (S + C * a), most), -most);
    const d4 h = (a + b) / 3.0, ch = 1.0 - h * h * 0.5, sh = h - h * h * h * (1 / 6.0);
    *cosine = c * ch - s * sh;
    *sine = s * ch + c * sh;
}

// eigenvalues computes l, descending, by the trigonometric solution of the characteristic
// polynomial. It returns a mask of the lanes whose matrix is not a multiple of the identity.
INLINE d4 eigenvalues(const struct matrices *m, d4 *l)
{
    const d4 mean = (m->xx + m->yy + m->zz) / 3.0;
    const d4 a = m->xx - mean, b = m->yy - mean, d = m->zz - mean;
    const d4 off = m->xy * m->xy + m->xz * m->xz + m->yz * m->yz;
    const d4 p = _mm256_sqrt_pd((a * a + b * b + d * d + 2.0 * off) / 6.0);
    const d4 det =
        a * (b * d - m->yz * m->yz) - m->xy * (m->xy * d - m->yz * m->xz) + m->xz * (m->xy * m->yz - b * m->xz);
    d4 c, s;
    angle(larger(smaller(det / (2.0 * p * p * p), all(1)), all(-1)), &c, &s);
    l[0] = mean + 2.0 * p * c;
    l[2] = larger(mean - p * (c + sqrt(3) * s), all(0));
    l[1] = smaller(larger(3.0 * mean - l[0] - l[2], l[2]), l[0]);
    return _mm256_cmp_pd(p, 1e-15 * mean, _CMP_GT_OQ);
}

// part returns σ_j |v_ja|, one term of Covariance.Verticality of package shape.
INLINE d4 part(d4 scale, d4 l, d4 trace, d4 minor)
{
    return _mm256_sqrt_pd(larger(scale * (l * (l - trace) + minor), all(0)));
}

// verticality returns a mask of the lanes whose eigenvalues are distinct; the others are invalid.
INLINE d4 verticality(const struct matrices *m, const d4 *l, d4 *out)
{
    const d4 d12 = l[0] - l[1], d13 = l[0] - l[2], d23 = l[1] - l[2];
    const d4 inverse = 1.0 / (d12 * d13 * d23);
    const d4 s1 = l[0] * d23 * inverse, s2 = -l[1] * d13 * inverse, s3 = l[2] * d12 * inverse;
    const d4 tx = m->yy + m->zz, ty = m->xx + m->zz, tz = m->xx + m->yy;
    const d4 mx = m->yy * m->zz - m->yz * m->yz, my = m->xx * m->zz - m->xz * m->xz, mz = m->xx * m->yy - m->xy * m->xy;
    const d4 x = part(s1, l[0], tx, mx) + part(s2, l[1], tx, mx) + part(s3, l[2], tx, mx);
    const d4 y = part(s1, l[0], ty, my) + part(s2, l[1], ty, my) + part(s3, l[2], ty, my);
    const d4 z = part(s1, l[0], tz, mz) + part(s2, l[1], tz, mz) + part(s3, l[2], tz, mz);
    *out = z / _mm256_sqrt_pd(x * x + y * y + z * z);
    return _mm256_cmp_pd(smaller(d12, d23), gap * l[0], _CMP_GT_OQ);
}

// normal computes v, the longest cross product of two rows of M − l·I for the least eigenvalue
// l, as a unit vector. It returns a mask of the lanes whose least eigenvalue is distinct.
INLINE d4 normal(const struct matrices *m, d4 l, d4 *v)
{
    const d4 x = m->xx - l, y = m->yy - l, z = m->zz - l, xy = m->xy, xz = m->xz, yz = m->yz;
    const d4 by[3][3] = {
        {xy * yz - xz * y, xz * xy - x * yz, x * y - xy * xy},
        {y * z - yz * yz, yz * xz - xy * z, xy * yz - y * xz},
        {yz * xz - z * xy, z * x - xz * xz, xz * xy - yz * x},
    };
    d4 best = all(0);
    v[0] = v[1] = v[2] = best;
    for (int i = 0; i < 3; i++) {
        const d4 square = by[i][0] * by[i][0] + by[i][1] * by[i][1] + by[i][2] * by[i][2];
        const d4 longer = _mm256_cmp_pd(square, best, _CMP_GT_OQ);
        best = _mm256_blendv_pd(best, square, longer);
        for (int a = 0; a < 3; a++) v[a] = _mm256_blendv_pd(v[a], by[i][a], longer);
    }
    const d4 scale = 1.0 / _mm256_sqrt_pd(best), trace = m->xx + m->yy + m->zz, bound = tie * trace * trace;
    for (int a = 0; a < 3; a++) v[a] *= scale;
    return _mm256_cmp_pd(best, bound * bound, _CMP_GT_OQ);
}

INLINE d4 fused(d4 a, d4 b, d4 c) { return _mm256_fmadd_pd(a, b, c); }

// logarithm is Log of package arithmetic, for normal numbers above 0.
INLINE d4 logarithm(d4 x)
{
    const __m256i half = _mm256_set1_epi64x(0x3fe6a09e667f3bcd), part = _mm256_set1_epi64x((1ll << 52) - 1);
    const __m256i b =
        _mm256_add_epi64(_mm256_sub_epi64(_mm256_castpd_si256(x), half), _mm256_set1_epi64x(1023ll << 52));
    const __m256i number = _mm256_or_si256(_mm256_srli_epi64(b, 52), _mm256_castpd_si256(all(0x1p52)));
    const d4 n = _mm256_castsi256_pd(number) - (0x1p52 + 1023);
    const d4 m = _mm256_castsi256_pd(_mm256_add_epi64(_mm256_and_si256(b, part), half));
    const d4 f = m - 1.0, s = f / (m + 1.0), z = s * s;
    d4 p = fused(all(2. / 21), z, all(2. / 19));
    p = fused(p, z, all(2. / 17));
    p = fused(p, z, all(2. / 15));
    p = fused(p, z, all(2. / 13));
    p = fused(p, z, all(2. / 11));
    p = fused(p, z, all(2. / 9));
    p = fused(p, z, all(2. / 7));
    p = fused(p, z, all(2. / 5));
    p = fused(p, z, all(2. / 3));
    const d4 h = f * f * 0.5, rest = fused(-s, fused(p, z, h), h);
    return fused(n, all(6.93147180369123816490e-01), f + fused(n, all(1.90821492927058770002e-10), -rest));
}

// block has the intermediate values of 4 * FOURS points, four in each vector. Operations of
// long latency, such as square roots, are issued for all of them before their results are used,
// so that their latencies overlap.
enum { FOURS = 8 };
struct block {
    struct matrices m[FOURS];
    d4 l[FOURS][3], fine[FOURS]; // eigenvalues, and mask of the lanes that are valid
    float *row[FOURS][4];
};

// put writes four values to a column.
INLINE void put(d4 v, int place, float *const *row)
{
    typedef float f4 __attribute__((vector_size(16)));
    const f4 f = _mm256_cvtpd_ps(v);
    for (int q = 0; q < 4; q++) row[q][place] = f[q];
}

// columns fills in the rows of a block.
TARGET static void columns(const struct shapes *place, double unit, struct block *b)
{
    for (int g = 0; g < FOURS; g++) b->fine[g] = eigenvalues(&b->m[g], b->l[g]);
    for (int g = 0; g < FOURS; g++) {
        const d4 s1 = _mm256_sqrt_pd(b->l[g][0]), s2 = _mm256_sqrt_pd(b->l[g][1]), s3 = _mm256_sqrt_pd(b->l[g][2]);
        const d4 inverse = 1.0 / s1;
        if (place->linearity >= 0)
            put((s1 - s2) * inverse, place->linearity, b->row[g]);
        if (place->planarity >= 0)
            put((s2 - s3) * inverse, place->planarity, b->row[g]);
        if (place->scattering >= 0)
            put(s3 * inverse, place->scattering, b->row[g]);
    }
    for (int g = 0; g < FOURS && place->verticality >= 0; g++) {
        d4 v;
        b->fine[g] = _mm256_and_pd(b->fine[g], verticality(&b->m[g], b->l[g], &v));
        put(v, place->verticality, b->row[g]);
    }
    for (int g = 0; g < FOURS && place->normal >= 0; g++) {
        d4 v[3];
        b->fine[g] = _mm256_and_pd(b->fine[g], normal(&b->m[g], b->l[g][2], v));
        for (int a = 0; a < 3; a++) put(v[a], place->normal + a, b->row[g]);
    }
    for (int g = 0; g < FOURS && place->log_radius >= 0; g++) {
        const d4 radius = _mm256_sqrt_pd(b->m[g].xx + b->m[g].yy + b->m[g].zz) * unit;
        put(logarithm(smaller(larger(radius, all(SMALLEST_RADIUS)), all(FARTHEST))), place->log_radius, b->row[g]);
    }
}

TARGET int64_t embed_shapes(const struct shapes *place, double unit, const int32_t *xyz, const uint32_t *index,
                            int64_t listed, int near, const uint32_t *points, int64_t count, float *rows,
                            int64_t stride, uint32_t *left)
{
    struct block b;
    int64_t skipped = 0;
    for (int64_t k = 0; k < count; k += 4 * FOURS) {
        for (int g = 0; g < FOURS; g++) {
            const uint32_t *list[4];
            int64_t point[4];
            for (int q = 0; q < 4; q++) {
                const int64_t at = k + 4 * g + q < count ? k + 4 * g + q : count - 1;
                point[q] = points[at], list[q] = index + point[q] * listed, b.row[g][q] = rows + at * stride;
            }
            b.m[g] = covariances(xyz, list, near, point);
        }
        columns(place, unit, &b);
        for (int g = 0; g < FOURS; g++) {
            const int fine = _mm256_movemask_pd(b.fine[g]);
            for (int q = 0; q < 4; q++)
                if (!(fine >> q & 1) && k + 4 * g + q < count)
                    left[skipped++] = (uint32_t)(k + 4 * g + q);
        }
    }
    return skipped;
}

int embed_shapes_runs(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
