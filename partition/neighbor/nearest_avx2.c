// SPDX-License-Identifier: BSD-3-Clause
//go:build cgo && amd64

// Nearest neighbours of the points of a leaf at a time, with AVX2. The lists equal those of
// nearestGo.
//
// One traversal of the tree serves all points of a leaf: it gathers the points of all leaves
// within a distance estimated from the last leaf. The neighbours of each point are then
// searched among these, within a radius estimated from the last point, eight points at a time,
// and ranked by counting for each the nearer ones. If there are fewer than k points within
// the radius, it is increased; if there are more than can be ranked, it is reduced.
//
// Exactness: distances are float32, of integer offsets of at most 24 bits, so their relative
// error is a few units in the last place. Two distances whose difference may be due to
// rounding are ambiguous, and are compared again in 64-bit integers.

#include "nearest_rank.h"

static void fill_compress(struct scratch *s)
{
    for (int m = 0; m < 256; m++) {
        int n = 0;
        for (int i = 0; i < 8; i++)
            if (m >> i & 1)
                s->compress[m][n++] = i;
        while (n < 8) s->compress[m][n++] = 0;
    }
}

// first_distance estimates the distance of neighbours from a leaf: half of the diagonal of a box that has k + 1 points
// as close together as the leaf's. do_leaf widens it.
static double first_distance(const struct neighbor_node *leaf, uint32_t size, uint32_t k)
{
    double square = 1;
    for (int a = 0; a < 3; a++) {
        const double side = (double)leaf->hi[a] - leaf->lo[a];
        square += side * side;
    }
    return sqrt(square * (k + 1) / size) / 2;
}

// add_leaf appends the points of a leaf, as offsets from the origin.
TARGET static int add_leaf(struct scratch *s, const struct neighbor_node *leaf, const int32_t *xyz, uint32_t k)
{
    uint32_t size = leaf->link & ~LEAF_FLAG;
    if (size > LEAF_SIZE && size > k + 1)
        size = k + 1; // coincident points: others cannot be neighbours, and do_leaf fills their own rows
    uint32_t at = s->points, padded = (size + 7) & ~7u;
    if (at + padded > MAX_POINTS || s->leaves + 8 > MAX_LEAVES)
        return 0;
    const __m128i origin = _mm_setr_epi32(s->origin[0], s->origin[1], s->origin[2], 0);
    const int32_t *p = xyz + 3 * (size_t)leaf->start;
    uint32_t i = 0;
    for (; i + 4 <= size; i += 4, p += 12) {
        __m128 a = _mm_cvtepi32_ps(_mm_sub_epi32(_mm_loadu_si128((const __m128i *)p), origin));
        __m128 b = _mm_cvtepi32_ps(_mm_sub_epi32(_mm_loadu_si128((const __m128i *)(p + 3)), origin));
        __m128 c = _mm_cvtepi32_ps(_mm_sub_epi32(_mm_loadu_si128((const __m128i *)(p + 6)), origin));
        __m128 d = _mm_cvtepi32_ps(_mm_sub_epi32(_mm_loadu_si128((const __m128i *)(p + 9)), origin));
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(s->x + at + i, a);
        _mm_storeu_ps(s->y + at + i, b);
        _mm_storeu_ps(s->z + at + i, c);
    }
    for (; i < size; i++, p += 3) {
        s->x[at + i] = (float)(p[0] - s->origin[0]);
        s->y[at + i] = (float)(p[1] - s->origin[1]);
        s->z[at + i] = (float)(p[2] - s->origin[2]);
    }
    for (; i < padded; i++) s->x[at + i] = s->y[at + i] = s->z[at + i] = AWAY;
    for (i = 0; i < padded; i++) s->id[at + i] = leaf->start + i;
    for (int a = 0; a < 3; a++) {
        s->lo[a][s->leaves] = (float)(leaf->lo[a] - s->origin[a]);
        s->hi[a][s->leaves] = (float)(leaf->hi[a] - s->origin[a]);
    }
    s->leaf[s->leaves++] = (struct leafbox){at, padded};
    s->points = at + padded;
    return 1;
}

// apart reports whether a node's box is outside the box from lo to hi.
TARGET static inline int apart(const struct neighbor_node *nd, __m128i lo, __m128i hi)
{
    __m128i l = _mm_loadu_si128((const __m128i *)nd->lo), h = _mm_loadu_si128((const __m128i *)nd->hi);
    __m128i out = _mm_or_si128(_mm_cmpgt_epi32(l, hi), _mm_cmpgt_epi32(lo, h));
    return _mm_movemask_ps(_mm_castsi128_ps(out)) & 7;
}

// gather collects the leaves that intersect a leaf's box enlarged by distance on all sides.
TARGET static int gather(struct scratch *s, const struct neighbor_node *nodes, const struct neighbor_node *own,
                         const int32_t *xyz, double distance, uint32_t k)
{
    uint32_t stack[256];
    int depth = 0;
    const __m128i margin = _mm_set1_epi32((int)(distance * 1.001) + 1);
    const __m128i lo = _mm_sub_epi32(_mm_loadu_si128((const __m128i *)own->lo), margin);
    const __m128i hi = _mm_add_epi32(_mm_loadu_si128((const __m128i *)own->hi), margin);
    s->points = s->leaves = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        uint32_t i = stack[--depth];
        for (;;) {
            const struct neighbor_node *nd = &nodes[i];
            if (nd->link & LEAF_FLAG) {
                if (nd == own)
                    s->own = s->points;
                if (!add_leaf(s, nd, xyz, k))
                    return 0;
                break;
            }
            int left = !apart(&nodes[i + 1], lo, hi), right = !apart(&nodes[nd->link], lo, hi);
            if (left && right) {
                if (depth == 256)
                    return 0;
                stack[depth++] = nd->link;
            } else if (!left && !right) {
                break;
            }
            i = left ? i + 1 : nd->link;
        }
    }
    for (uint32_t i = s->leaves; i & 7; i++) // boxes that are never within reach
        for (int a = 0; a < 3; a++) s->lo[a][i] = s->hi[a][i] = AWAY;
    return 1;
}

TARGET static inline __m256 axis_gap(const float *lo, const float *hi, __m256 q)
{
    return _mm256_max_ps(_mm256_max_ps(_mm256_sub_ps(_mm256_loadu_ps(lo), q), _mm256_sub_ps(q, _mm256_loadu_ps(hi))),
                         _mm256_setzero_ps());
}

// points_within lists the gathered points at squared distances up to reach.
TARGET static uint32_t points_within(struct scratch *s, float qx, float qy, float qz, float reach)
{
    const __m256 x = _mm256_set1_ps(qx), y = _mm256_set1_ps(qy), z = _mm256_set1_ps(qz), r = _mm256_set1_ps(reach);
    const __m256 box_reach = _mm256_set1_ps(reach * 1.00001f);
    uint32_t n = 0, leaves = 0; // leaves within reach are listed first, to avoid mispredicted branches
    for (uint32_t b = 0; b < s->leaves; b += 8) {
        __m256 dx = axis_gap(s->lo[0] + b, s->hi[0] + b, x);
        __m256 dy = axis_gap(s->lo[1] + b, s->hi[1] + b, y);
        __m256 dz = axis_gap(s->lo[2] + b, s->hi[2] + b, z);
        __m256 d = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
        int near = _mm256_movemask_ps(_mm256_cmp_ps(d, box_reach, _CMP_LE_OQ));
        __m256i order = _mm256_loadu_si256((const __m256i *)s->compress[near]);
        _mm256_storeu_si256((__m256i *)(s->near + leaves), _mm256_add_epi32(_mm256_set1_epi32((int)b), order));
        leaves += (uint32_t)__builtin_popcount((unsigned)near);
    }
    for (uint32_t l = 0; l < leaves; l++) {
        struct leafbox leaf = s->leaf[s->near[l]];
        for (uint32_t i = leaf.first; i < leaf.first + leaf.size; i += 8) {
            __m256 ex = _mm256_sub_ps(_mm256_loadu_ps(s->x + i), x);
            __m256 ey = _mm256_sub_ps(_mm256_loadu_ps(s->y + i), y);
            __m256 ez = _mm256_sub_ps(_mm256_loadu_ps(s->z + i), z);
            __m256 e = _mm256_fmadd_ps(ez, ez, _mm256_fmadd_ps(ey, ey, _mm256_mul_ps(ex, ex)));
            int mask = _mm256_movemask_ps(_mm256_cmp_ps(e, r, _CMP_LE_OQ));
            __m256i order = _mm256_loadu_si256((const __m256i *)s->compress[mask]);
            _mm256_storeu_ps(s->within + n, _mm256_permutevar8x32_ps(e, order));
            _mm256_storeu_si256((__m256i *)(s->slot + n), _mm256_add_epi32(_mm256_set1_epi32((int)i), order));
            n += (uint32_t)__builtin_popcount((unsigned)mask);
        }
    }
    return n;
}

enum outcome { DONE, TOO_FAR, TOO_MANY };

// find writes the row of one point. It returns TOO_FAR if its neighbours may be beyond limit,
// the squared distance within which all points are gathered, and TOO_MANY if no radius was found
// within which there are k to MAX_RANKED points.
TARGET static enum outcome find(struct scratch *s, const int32_t *xyz, uint32_t self, uint32_t slot, float limit,
                                uint32_t k, uint32_t *row)
{
    const int32_t mask = (1 << SLOT_BITS) - 1;
    float x = s->x[slot];
    float reach = s->reach * WIDER;
    reach = reach > 0 && reach < limit ? reach : limit;
    for (int shrunk = 0;;) {
        s->x[slot] = AWAY; // not its own neighbour
        uint32_t n = points_within(s, x, s->y[slot], s->z[slot], reach);
        s->x[slot] = x;
        if (n > MAX_RANKED) {
            if (++shrunk > MOST_SHRUNK)
                return TOO_MANY;
            reach *= (float)(2 * k + 16) / (float)n; // where points lie on a surface, so many are within it then
            continue;
        }
        if (n >= k) {
            make_keys(s, n);
            rank_keys(s, n);
            int32_t last;
            memcpy(&last, &reach, sizeof last);
            // A point beyond reach could be as near as the last only within rounding.
            if (!ambiguous(s->sorted[k - 1], last))
                break;
        }
        if (reach >= limit)
            return TOO_FAR;
        reach = reach < limit / 2 ? reach * 1.8f : limit;
    }
    int32_t far = s->sorted[k - 1] & ~mask;
    memcpy(&s->reach, &far, sizeof far);
    if (any_ambiguous(s, k))
        settle(s, xyz, self, s->count, k);
    for (uint32_t i = 0; i < k; i++) row[i] = s->id[s->slot[s->sorted[i] & mask]];
    return DONE;
}

// do_leaf writes the rows of a leaf's points and returns 1, or 0 if the buffers do not suffice.
static int do_leaf(struct scratch *s, const struct neighbor_node *nodes, const struct neighbor_node *own,
                   const int32_t *xyz, uint32_t k, uint32_t *out)
{
    uint32_t size = own->link & ~LEAF_FLAG, first = own->start;
    if (size > LEAF_SIZE && size > k) { // coincident points: those nearest in input order
        for (uint32_t i = first; i < first + size; i++) {
            uint32_t *row = out + (size_t)i * k;
            for (uint32_t d = 1, j = 0; j < k; d++) {
                if (d <= i - first)
                    row[j++] = i - d;
                if (j < k && d < first + size - i)
                    row[j++] = i + d;
            }
        }
        return 1;
    }
    double distance = 1.34 * sqrt((double)s->reach); // 1.34² = 1.8, one widening of find
    for (int a = 0; a < 3; a++) {
        s->origin[a] = own->lo[a];
        if ((double)own->hi[a] - own->lo[a] > FARTHEST)
            return 0;
    }
    for (uint32_t i = 0; i < size;) {
        if (distance == 0)
            distance = first_distance(own, size, k);
        if (distance > FARTHEST || !gather(s, nodes, own, xyz, distance, k)) {
            if (s->reach == 0)
                return 0;
            distance = s->reach = 0; // the last leaf is in a sparser region
            continue;
        }
        enum outcome o = DONE;
        float limit = (float)(distance * distance);
        while (i < size && (o = find(s, xyz, first + i, s->own + i, limit, k, out + (size_t)(first + i) * k)) == DONE)
            i++;
        if (o == TOO_MANY)
            return 0;
        distance = distance * 1.5 + 1;
    }
    return 1;
}

int neighbor_avx2(const struct neighbor_node *nodes, const int32_t *xyz, const uint32_t *leaves, uint32_t count,
                  uint32_t k, uint32_t *out, uint8_t *skipped)
{
    struct scratch *s = calloc(1, sizeof *s);
    if (!s)
        return 0;
    fill_compress(s);
    for (uint32_t i = 0; i < count; i++) skipped[i] = !do_leaf(s, nodes, &nodes[leaves[i]], xyz, k, out);
    free(s);
    return 1;
}

int neighbor_avx2_runs(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
