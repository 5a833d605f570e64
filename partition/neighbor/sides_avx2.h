// SPDX-License-Identifier: BSD-3-Clause
// The same as sides.go with AVX2, bit for bit, for four points at a time. Operations and their
// order are the same, except for sums of integers below 2^53, which are exact in any order;
// nothing is fused, because FMA is not enabled.
#ifndef SUPERPOINT_SIDES_AVX2_H
#define SUPERPOINT_SIDES_AVX2_H

#include "border_avx2.h"

#include <immintrin.h>
#include <math.h>
#include <string.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline)) TARGET

// Constants of sides.go and candidates.go.
enum { AROUND = 20, SECTORS = 24, OPEN_SECTORS = 8, SIDE_LENGTH = 127 };
static const double thick = 0.93, one_sided = 0.09; // thick is 1 - thin

// exact is the squared distance of the farthest neighbour below which sums of products of
// offsets are exact: 20 terms below 2^48 are below 2^53. Other points are left to sides.go.
static const double exact = 0x1p48;

typedef __m256d d4;

// near holds the offsets to a point's neighbours, in units, nearest first.
struct near {
    double x[AROUND], y[AROUND], z[AROUND], square[AROUND];
};

// four has the intermediate values of four points.
struct four {
    struct near near[4];
    double moment[6][4]; // xx, yy, zz, xy, xz, yz
    double whole[4];     // sum of squared offsets
    double first[3][4], second[3][4];
    int may_line[4], may_open[4], line[4];
};

INLINE d4 all(double x) { return _mm256_set1_pd(x); }
INLINE d4 load(const double *p) { return _mm256_loadu_pd(p); }
INLINE int lanes(d4 mask) { return _mm256_movemask_pd(mask); }

INLINE double sum(d4 v)
{
    __m128d s = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

INLINE __m128i position(const int32_t *xyz, uint32_t i)
{
    return _mm_loadu_si128((const __m128i *)(xyz + 3 * (size_t)i));
}

// offsets writes the offsets from a position to four points.
INLINE void offsets(const int32_t *xyz, __m128i at, const uint32_t *to, d4 *x, d4 *y, d4 *z)
{
    __m128 a = _mm_castsi128_ps(_mm_sub_epi32(position(xyz, to[0]), at));
    __m128 b = _mm_castsi128_ps(_mm_sub_epi32(position(xyz, to[1]), at));
    __m128 c = _mm_castsi128_ps(_mm_sub_epi32(position(xyz, to[2]), at));
    __m128 d = _mm_castsi128_ps(_mm_sub_epi32(position(xyz, to[3]), at));
    _MM_TRANSPOSE4_PS(a, b, c, d);
    *x = _mm256_cvtepi32_pd(_mm_castps_si128(a));
    *y = _mm256_cvtepi32_pd(_mm_castps_si128(b));
    *z = _mm256_cvtepi32_pd(_mm_castps_si128(c));
}

// look loads the offsets to the m neighbours of a point; further entries are 0.
INLINE void look(struct near *s, const int32_t *xyz, uint32_t i, const uint32_t *row, int m)
{
    const __m128i at = position(xyz, i);
    for (int r = 0; r < m; r += 4) {
        uint32_t to[4] = {row[r], r + 1 < m ? row[r + 1] : i, r + 2 < m ? row[r + 2] : i, r + 3 < m ? row[r + 3] : i};
        d4 x, y, z;
        offsets(xyz, at, to, &x, &y, &z);
        _mm256_storeu_pd(s->x + r, x);
        _mm256_storeu_pd(s->y + r, y);
        _mm256_storeu_pd(s->z + r, z);
        _mm256_storeu_pd(s->square + r, x * x + y * y + z * z);
    }
}

// may_have_sides computes by the mean and the farthest offsets whether all neighbours of point q
// may be on a line, and whether a third of the directions may be free. It returns whether
// either is possible.
INLINE int may_have_sides(struct four *f, int q, int m)
{
    const struct near *s = &f->near[q];
    d4 x = all(0), y = x, z = x, w = x;
    for (int r = 0; r < m; r += 4)
        x += load(s->x + r), y += load(s->y + r), z += load(s->z + r), w += load(s->square + r);
    const double sx = sum(x), sy = sum(y), sz = sum(z);
    f->whole[q] = sum(w);
    f->may_open[q] = sx * sx + sy * sy + sz * sz >= one_sided * (double)m * f->whole[q];
    f->may_line[q] = 1;
    const int a = m - 1;
    for (int r = m > 3 ? m - 3 : 0; r < m; r++) {
        const double d = s->x[a] * s->x[r] + s->y[a] * s->y[r] + s->z[a] * s->z[r];
        if (4 * d * d < 3 * s->square[a] * s->square[r])
            f->may_line[q] = 0;
    }
    return f->may_line[q] || f->may_open[q];
}

INLINE void second_moments(struct four *f, int q, int m)
{
    const struct near *s = &f->near[q];
    d4 xx = all(0), yy = xx, zz = xx, xy = xx, xz = xx, yz = xx;
    for (int r = 0; r < m; r += 4) {
        const d4 x = load(s->x + r), y = load(s->y + r), z = load(s->z + r);
        xx += x * x, yy += y * y, zz += z * z, xy += x * y, xz += x * z, yz += y * z;
    }
    const double moment[6] = {sum(xx), sum(yy), sum(zz), sum(xy), sum(xz), sum(yz)};
    for (int k = 0; k < 6; k++) f->moment[k][q] = moment[k];
}

struct vectors {
    d4 x, y, z;
};

INLINE d4 dot(struct vectors a, struct vectors b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE d4 magnitude(d4 x) { return _mm256_andnot_pd(all(-0.0), x); }
INLINE d4 choose(d4 no, d4 yes, d4 mask) { return _mm256_blendv_pd(no, yes, mask); }

INLINE struct vectors unit(struct vectors a)
{
    const d4 square = dot(a, a), f = 1.0 / _mm256_sqrt_pd(square), some = square > all(0);
    return (struct vectors){choose(a.x, a.x * f, some), choose(a.y, a.y * f, some), choose(a.z, a.z * f, some)};
}

INLINE struct vectors cross(struct vectors a, struct vectors b)
{
    return (struct vectors){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

INLINE struct vectors times(const d4 *m, struct vectors v)
{
    return (struct vectors){m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
                            m[4] * v.x + m[5] * v.y + m[2] * v.z};
}

// second_axis is moments.second of sides.go.
INLINE struct vectors second_axis(const d4 *m, struct vectors first)
{
    const d4 x = magnitude(first.x), y = magnitude(first.y), z = magnitude(first.z);
    const d4 along_y = _mm256_and_pd(y < x, y <= z), along_z = _mm256_andnot_pd(along_y, z < x);
    const d4 none = all(0), one = all(1);
    struct vectors a = {_mm256_andnot_pd(_mm256_or_pd(along_y, along_z), one), choose(none, one, along_y),
                        choose(none, one, along_z)};
    a = unit(cross(first, a));
    const struct vectors b = cross(first, a), ma = times(m, a), mb = times(m, b);
    const d4 difference = dot(ma, a) - dot(mb, b), mixed = 2.0 * dot(ma, b);
    const d4 root = _mm256_sqrt_pd(difference * difference + mixed * mixed), some = root != none, sign = all(-0.0);
    const d4 cosine = _mm256_sqrt_pd(_mm256_max_pd((1.0 + difference / root) / 2.0, none));
    d4 sine = _mm256_sqrt_pd(_mm256_max_pd((1.0 - difference / root) / 2.0, none));
    sine = _mm256_or_pd(_mm256_andnot_pd(sign, sine), _mm256_and_pd(sign, mixed));
    return (struct vectors){choose(a.x, cosine * a.x + sine * b.x, some), choose(a.y, cosine * a.y + sine * b.y, some),
                            choose(a.z, cosine * a.z + sine * b.z, some)};
}

INLINE void keep(double (*to)[4], struct vectors v)
{
    _mm256_storeu_pd(to[0], v.x);
    _mm256_storeu_pd(to[1], v.y);
    _mm256_storeu_pd(to[2], v.z);
}

// find_axes writes the axes of the second moments and which points are on a line.
INLINE void find_axes(struct four *f, int m)
{
    d4 moment[6];
    for (int k = 0; k < 6; k++) moment[k] = load(f->moment[k]);
    const struct near *s = f->near;
    const int last = m - 1;
    struct vectors first = {_mm256_setr_pd(s[0].x[last], s[1].x[last], s[2].x[last], s[3].x[last]),
                            _mm256_setr_pd(s[0].y[last], s[1].y[last], s[2].y[last], s[3].y[last]),
                            _mm256_setr_pd(s[0].z[last], s[1].z[last], s[2].z[last], s[3].z[last])};
    first = unit(first);
    d4 along = all(0);
    for (int round = 0; round < 3; round++) {
        const struct vectors next = times(moment, first);
        along = dot(first, next);
        first = unit(next);
    }
    const int on_line = lanes(along >= thick * load(f->whole));
    for (int q = 0; q < 4; q++) f->line[q] = f->may_line[q] && on_line >> q & 1;
    keep(f->first, first);
    keep(f->second, second_axis(moment, first));
}

// sectors_taken returns a bit for each sector of the plane in which point q has a neighbour.
INLINE uint32_t sectors_taken(const struct four *f, int q, int m)
{
    const struct near *s = &f->near[q];
    const d4 ux = all(f->first[0][q]), uy = all(f->first[1][q]), uz = all(f->first[2][q]);
    const d4 vx = all(f->second[0][q]), vy = all(f->second[1][q]), vz = all(f->second[2][q]);
    __m128i taken = _mm_setzero_si128();
    for (int r = 0; r < m; r += 4) {
        const d4 a = load(s->x + r), b = load(s->y + r), c = load(s->z + r);
        const d4 x = a * ux + b * uy + c * uz, y = a * vx + b * vy + c * vz;
        const d4 whole = magnitude(x) + magnitude(y);
        d4 t = y / whole;
        t = choose(choose(t, t + 4.0, t < all(0)), 2.0 - t, x < all(0));
        const __m128i at = _mm_min_epi32(_mm256_cvttpd_epi32(t * (SECTORS / 4.0)), _mm_set1_epi32(SECTORS - 1));
        // For a duplicate, t is NaN and at is negative, so no bit is set.
        taken = _mm_or_si128(taken, _mm_sllv_epi32(_mm_set1_epi32(1), at));
    }
    taken = _mm_or_si128(taken, _mm_shuffle_epi32(taken, _MM_SHUFFLE(1, 0, 3, 2)));
    taken = _mm_or_si128(taken, _mm_shuffle_epi32(taken, _MM_SHUFFLE(2, 3, 0, 1)));
    return (uint32_t)_mm_cvtsi128_si32(taken);
}

#endif
