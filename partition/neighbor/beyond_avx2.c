// SPDX-License-Identifier: BSD-3-Clause
//go:build cgo && amd64

// borderSearch.inCone and borderSearch.gapBehind with AVX2, four points at a time.
//
// The results are the same, bit for bit. Points are compared by the same operations in the same order. Boxes are left
// out only if none of their points can count, and such boxes have no influence on the result.

#include "sides_avx2.h"

// STACK exceeds the depth of a tree. By splitter.split, a half has at most 7/8 of the points of its node or, if most of
// these coincide, at most 3/4 of the others: at most 161 + 75 levels of 2^31 points.
enum { STACK = 256, PARTS = 8, ALL_PARTS = (1 << PARTS) - 1 };

// ROUNDING exceeds the error of a sum of three products of a coordinate, below 2^31, and a component of a unit vector.
#define ROUNDING 1e-3

INLINE d4 three(const double *v) { return _mm256_setr_pd(v[0], v[1], v[2], 0); }

INLINE double sum_of_three(d4 v)
{
    const __m128d xy = _mm256_castpd256_pd128(v), z = _mm256_extractf128_pd(v, 1);
    return _mm_cvtsd_f64(_mm_add_sd(_mm_add_sd(xy, _mm_unpackhi_pd(xy, xy)), z));
}

INLINE __m128i least(const struct neighbor_node *box) { return _mm_loadu_si128((const __m128i *)box->lo); }
INLINE __m128i most(const struct neighbor_node *box) { return _mm_loadu_si128((const __m128i *)box->hi); }

INLINE int is_leaf(const struct neighbor_node *n) { return (n->link & LEAF_FLAG) != 0; }

// places is node.places: of exact duplicates, one is compared.
INLINE uint32_t places(const struct neighbor_node *leaf)
{
    const int one_position = memcmp(leaf->lo, leaf->hi, sizeof leaf->lo) == 0;
    return one_position ? 1 : leaf->link & ~LEAF_FLAG;
}

// batch is four points of a leaf and the offsets to them. Behind the last point of the leaf, it is repeated.
struct batch {
    uint32_t point[4];
    d4 x, y, z;
};

INLINE struct batch four_points(const int32_t *xyz, __m128i from, uint32_t first, uint32_t last)
{
    struct batch b;
    for (uint32_t q = 0; q < 4; q++) b.point[q] = first + q < last ? first + q : last;
    offsets(xyz, from, b.point, &b.x, &b.y, &b.z);
    return b;
}

INLINE d4 squares(const struct batch *b) { return b->x * b->x + b->y * b->y + b->z * b->z; }
INLINE d4 along(const struct batch *b, const double *v)
{
    return b->x * all(v[0]) + b->y * all(v[1]) + b->z * all(v[2]);
}

struct cone {
    const int32_t *xyz;
    __m128i from;     // position of the point
    d4 start;         // the same
    const double *to; // axis, a unit vector
    d4 axis;          // the same
    __m128i negative; // of the components of the axis
};

// candidate is a point or a node that is to be visited, and its squared distance.
struct candidate {
    double square;
    uint32_t at;
};

INLINE struct candidate box_at(const struct neighbor_node *nodes, uint32_t at, __m128i from)
{
    const __m128i below = _mm_sub_epi32(least(nodes + at), from), above = _mm_sub_epi32(from, most(nodes + at));
    const __m128i gap = _mm_max_epi32(_mm_max_epi32(below, above), _mm_setzero_si128());
    const d4 offset = _mm256_cvtepi32_pd(gap);
    return (struct candidate){sum_of_three(offset * offset), at};
}

// beside is borderSearch.beside.
INLINE int beside(const struct cone *c, const struct neighbor_node *box, double square)
{
    const d4 farthest = _mm256_cvtepi32_pd(_mm_blendv_epi8(most(box), least(box), c->negative));
    const double reach = ROUNDING + sum_of_three((farthest - c->start) * c->axis);
    return reach <= 0 || 2 * reach * reach < square * (1 - 1e-9);
}

// may_count reports whether a box may have a point in the cone that is not farther than the nearest one found.
INLINE int may_count(const struct cone *c, const struct neighbor_node *nodes, struct candidate box, double nearest)
{
    if (box.square > nearest)
        return 0;
    return box.square == 0 || !beside(c, nodes + box.at, box.square);
}

// before is Cloud.before.
INLINE int before(const int32_t *xyz, uint32_t i, uint32_t j)
{
    const int32_t *p = xyz + 3 * (size_t)i, *q = xyz + 3 * (size_t)j;
    for (int a = 0; a < 3; a++)
        if (p[a] != q[a])
            return p[a] < q[a];
    return i < j;
}

INLINE struct candidate nearer(const int32_t *xyz, struct candidate p, struct candidate found)
{
    if (p.square != found.square)
        return p.square < found.square ? p : found;
    return found.at == UINT32_MAX || before(xyz, p.at, found.at) ? p : found;
}

// nearest_of_leaf returns the nearest point in the cone, of those of a leaf and the one that was found before.
INLINE struct candidate nearest_of_leaf(const struct cone *c, const struct neighbor_node *leaf, struct candidate found)
{
    const uint32_t end = leaf->start + places(leaf);
    for (uint32_t first = leaf->start; first < end; first += 4) {
        const struct batch b = four_points(c->xyz, c->from, first, end - 1);
        const d4 square = squares(&b), d = along(&b, c->to);
        const d4 near = square <= all(found.square);
        const d4 seen = _mm256_and_pd(d > all(0), 2.0 * d * d > square);
        for (int left = lanes(_mm256_and_pd(near, seen)); left != 0; left &= left - 1) {
            const int q = __builtin_ctz(left);
            found = nearer(c->xyz, (struct candidate){square[q], b.point[q]}, found);
        }
    }
    return found;
}

TARGET uint32_t neighbor_in_cone(const struct neighbor_node *nodes, const int32_t *xyz, uint32_t own,
                                 const double *axis, double limit)
{
    const __m128i from = position(xyz, own);
    struct cone c = {xyz, from, _mm256_cvtepi32_pd(from), axis, three(axis)};
    c.negative = _mm_setr_epi32(-(axis[0] < 0), -(axis[1] < 0), -(axis[2] < 0), 0);
    struct candidate found = {limit, UINT32_MAX}, stack[STACK] = {{0, 0}};
    int depth = 1;
    while (depth > 0) {
        const struct candidate box = stack[--depth];
        if (box.square > found.square)
            continue;
        const struct neighbor_node *node = nodes + box.at;
        if (is_leaf(node)) {
            found = nearest_of_leaf(&c, node, found);
            continue;
        }
        const struct candidate left = box_at(nodes, box.at + 1, from), right = box_at(nodes, node->link, from);
        const int right_first = right.square < left.square;
        const struct candidate second = right_first ? left : right, first = right_first ? right : left;
        if (may_count(&c, nodes, second, found.square))
            stack[depth++] = second;
        if (may_count(&c, nodes, first, found.square))
            stack[depth++] = first;
    }
    return found.at;
}

// parts_between is tube.parts.
INLINE uint32_t parts_between(const struct neighbor_tube *t, double from, double to)
{
    if (to < 0 || from > t->length)
        return 0;
    const double a = from * t->per, b = to * t->per;
    const uint32_t first = (uint32_t)(a > 0 ? a : 0), last = (uint32_t)(b < PARTS - 1 ? b : PARTS - 1);
    return (2u << last) - (1u << (first < last ? first : last));
}

struct behind {
    const int32_t *xyz;
    __m128i from; // position of the point
    d4 start;     // the same
    const struct neighbor_tube *tube;
    __m128i lo, hi;  // its box
    d4 back, extent; // its direction; the magnitudes of that
};

// parts_of_box returns a superset of the parts of the tube in which a node has points.
INLINE uint32_t parts_of_box(const struct behind *s, const struct neighbor_node *node)
{
    const __m128i lo = least(node), hi = most(node);
    const __m128i outside = _mm_or_si128(_mm_cmpgt_epi32(lo, s->hi), _mm_cmpgt_epi32(s->lo, hi));
    if (_mm_movemask_ps(_mm_castsi128_ps(outside)) & 7)
        return 0;
    if (!is_leaf(node))
        return ALL_PARTS; // to compare its halves costs as much
    const d4 l = _mm256_cvtepi32_pd(lo), h = _mm256_cvtepi32_pd(hi);
    const d4 center = (l + h) * 0.5 - s->start, half = (h - l) * 0.5;
    const double d = sum_of_three(center * s->back);
    const double reach = 1 + ROUNDING + sum_of_three(half * s->extent);
    return parts_between(s->tube, d - reach, d + reach);
}

// parts_of_leaf returns the parts of the tube in which a leaf has points.
INLINE uint32_t parts_of_leaf(const struct behind *s, const struct neighbor_node *leaf)
{
    const struct neighbor_tube *t = s->tube;
    const uint32_t end = leaf->start + places(leaf);
    uint32_t parts = 0;
    for (uint32_t first = leaf->start; first < end; first += 4) {
        const struct batch b = four_points(s->xyz, s->from, first, end - 1);
        const d4 d = along(&b, t->back);
        const d4 beside_axis = squares(&b) - d * d <= all(t->radius * t->radius);
        const d4 within_length = _mm256_and_pd(d > all(0), d < all(t->length));
        const d4 part = d * (double)PARTS / all(t->length);
        for (int left = lanes(_mm256_and_pd(within_length, beside_axis)); left != 0; left &= left - 1)
            parts |= 1u << (uint32_t)part[__builtin_ctz(left)];
    }
    return parts;
}

TARGET int neighbor_gap_behind(const struct neighbor_node *nodes, const int32_t *xyz, uint32_t own,
                               const struct neighbor_tube *tube)
{
    const __m128i from = position(xyz, own);
    struct behind s = {xyz, from, _mm256_cvtepi32_pd(from), tube};
    s.lo = _mm_setr_epi32(tube->lo[0], tube->lo[1], tube->lo[2], 0);
    s.hi = _mm_setr_epi32(tube->hi[0], tube->hi[1], tube->hi[2], 0);
    s.back = three(tube->back);
    s.extent = magnitude(s.back);
    struct {
        uint32_t parts, at;
    } stack[STACK] = {{ALL_PARTS, 0}};
    int depth = 1;
    uint32_t taken = 0;
    while (depth > 0) {
        depth--;
        if ((stack[depth].parts & ~taken) == 0)
            continue; // all parts that it may reach have points
        const uint32_t at = stack[depth].at;
        const struct neighbor_node *node = nodes + at;
        if (is_leaf(node)) {
            taken |= parts_of_leaf(&s, node);
            const uint32_t open = ~taken & ALL_PARTS;
            if ((open & open >> 1) == 0)
                return 0;
            continue;
        }
        const uint32_t halves[2] = {node->link, at + 1};
        for (int h = 0; h < 2; h++) {
            const uint32_t parts = parts_of_box(&s, nodes + halves[h]) & ~taken;
            if (parts != 0) {
                stack[depth].parts = parts;
                stack[depth].at = halves[h];
                depth++;
            }
        }
    }
    return 1;
}
