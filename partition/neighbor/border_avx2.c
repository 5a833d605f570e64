// SPDX-License-Identifier: BSD-3-Clause
//go:build cgo && amd64

// The same as borderSearch.around with AVX2, bit for bit: most neighbours are ruled out four
// at a time by the first few, and the sides of four points are computed at once.

#include "sides_avx2.h"

// Number of first neighbours by which most others are ruled out.
enum { FIRST = 4 };

// unblocked returns the bits of the neighbours of ranks k to m - 1 for which no other neighbour
// is nearer to both ends. Lists are ascending, so only earlier ones can be.
INLINE uint32_t unblocked(const struct near *s, int k, int m)
{
    uint32_t open = (1u << m) - (1u << k);
    for (int r = 0; r < FIRST; r++) {
        const d4 x = all(s->x[r] * 2), y = all(s->y[r] * 2), z = all(s->z[r] * 2), square = all(s->square[r]);
        for (int g = (r > k ? r : k) / 4 * 4; g < m; g += 4) {
            const d4 twice = load(s->x + g) * x + load(s->y + g) * y + load(s->z + g) * z;
            open &= ~((uint32_t)lanes(_mm256_and_pd(twice > square, square < load(s->square + g))) << g);
        }
    }
    for (uint32_t left = open; left != 0; left &= left - 1) {
        const int j = __builtin_ctz(left);
        const d4 x = all(s->x[j] * 2), y = all(s->y[j] * 2), z = all(s->z[j] * 2), square = all(s->square[j]);
        for (int g = FIRST; g < j; g += 4) {
            const d4 twice = load(s->x + g) * x + load(s->y + g) * y + load(s->z + g) * z, other = load(s->square + g);
            if (lanes(_mm256_and_pd(twice > other, other < square)) != 0) {
                open &= ~(1u << j);
                break;
            }
        }
    }
    return open;
}

// write_side writes the rounded unit vector of a line or of the middle of free directions.
INLINE void write_side(int8_t *side, const double *v)
{
    for (int a = 0; a < 3; a++) side[a] = (int8_t)nearbyint(v[a] * SIDE_LENGTH);
}

// open_side reports whether a third of the directions of point q is free, and writes
// the middle of the largest free part.
INLINE int open_side(const struct four *f, int q, uint32_t taken, int8_t *side)
{
    const uint64_t twice = taken | (uint64_t)taken << SECTORS;
    int best = 0, at = 0;
    for (int s = 0; s < SECTORS;) {
        if (twice >> s & 1) {
            s++;
            continue;
        }
        const int run = twice >> s ? __builtin_ctzll(twice >> s) : 64;
        if (run > best)
            best = run, at = s;
        s += run;
    }
    if (best < OPEN_SECTORS)
        return 0;
    const double t = fmod(((double)at + (double)best / 2) / (SECTORS / 4), 4);
    const double x = t >= 2 ? t - 3 : 1 - t, y = copysign(1 - fabs(x), 2 - t);
    double m[3];
    for (int a = 0; a < 3; a++) m[a] = x * f->first[a][q] + y * f->second[a][q];
    const double square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
    if (square > 0) {
        const double by = 1 / sqrt(square);
        for (int a = 0; a < 3; a++) m[a] *= by;
    }
    write_side(side, m);
    return 1;
}

// finish writes the borders and sides of up to four points.
INLINE void finish(struct four *f, const uint32_t *points, int count, int m, uint8_t *border, int8_t *side)
{
    for (int q = 0; q < 4; q++) {
        if (q >= count) {
            f->near[q] = f->near[0];
            f->whole[q] = f->whole[0];
        }
        second_moments(f, q, m);
    }
    find_axes(f, m);
    for (int q = 0; q < count; q++) {
        int8_t *to = side + 3 * (size_t)points[q];
        if (f->line[q]) {
            const double first[3] = {f->first[0][q], f->first[1][q], f->first[2][q]};
            write_side(to, first);
            border[points[q]] = 2;
        } else if (f->may_open[q]) {
            border[points[q]] = (uint8_t)open_side(f, q, sectors_taken(f, q, m), to);
        }
    }
}

TARGET uint32_t neighbor_around(struct neighbor_lists l, uint32_t lo, uint32_t hi, uint32_t *ranks, uint8_t *border,
                                int8_t *side, uint32_t *left)
{
    struct four f;
    uint32_t held[4], skipped = 0;
    int count = 0;
    for (uint32_t i = lo; i < hi; i++) {
        struct near *s = &f.near[count];
        look(s, l.xyz, i, l.index + (size_t)i * l.k, l.around);
        const double farthest = s->square[l.around - 1];
        if (!(farthest < exact)) {
            left[skipped++] = i;
            continue;
        }
        ranks[i] = unblocked(s, l.joined, l.around);
        border[i] = 0;
        if (farthest == 0 || !may_have_sides(&f, count, l.around))
            continue;
        held[count++] = i;
        if (count == 4) {
            finish(&f, held, count, l.around, border, side);
            count = 0;
        }
    }
    if (count > 0)
        finish(&f, held, count, l.around, border, side);
    return skipped;
}

int neighbor_border_runs(void) { return __builtin_cpu_supports("avx2"); }
