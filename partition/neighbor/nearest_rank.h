// SPDX-License-Identifier: BSD-3-Clause
// The buffers of nearest_avx2.c, and the ranking of the points within reach.
#ifndef SUPERPOINT_NEAREST_RANK_H
#define SUPERPOINT_NEAREST_RANK_H

#include "nearest_avx2.h"

#include <immintrin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TARGET __attribute__((target("avx2,fma")))
#define LEAF_SIZE 16    // leafSize in tree.go
#define MAX_POINTS 4096 // gathered for one leaf
#define MAX_LEAVES 512
#define MAX_RANKED 256 // SLOT_BITS bits
#define SLOT_BITS 8
#define MOST_SHRUNK 8      // times that a radius with too many points is reduced
#define FARTHEST 8388608.0 // 2^23 units: offsets within twice that are exact in float32
#define AWAY 3e9f          // coordinate that is never within reach; its square is finite
#define WIDER 1.3f         // reach² of the next point over that of the last; measured best

struct leafbox {
    uint32_t first, size; // gathered points, a multiple of 8
};

struct scratch {
    float x[MAX_POINTS], y[MAX_POINTS], z[MAX_POINTS]; // gathered points, from origin
    uint32_t id[MAX_POINTS];
    float lo[3][MAX_LEAVES], hi[3][MAX_LEAVES]; // boxes of gathered leaves, from origin
    struct leafbox leaf[MAX_LEAVES];
    uint32_t near[MAX_LEAVES + 8]; // leaves within reach
    uint32_t points, leaves, own;  // own: first gathered point of the leaf itself
    int32_t origin[3];
    float within[MAX_POINTS + 8]; // squared distances of points within reach
    uint32_t slot[MAX_POINTS + 8];
    int32_t key[MAX_RANKED + 32], rank[MAX_RANKED + 32], sorted[MAX_RANKED + 32];
    int32_t compress[256][8]; // lanes of the set bits of a mask, first
    uint32_t count;           // of keys
    float reach;              // squared, of the last point done
};

// rank_keys sorts the n keys, which all differ, by counting for each the
// smaller ones.
TARGET static void rank_keys(struct scratch *s, uint32_t n)
{
    for (uint32_t b = 0; b < n; b += 32) {
        __m256i k0 = _mm256_loadu_si256((const __m256i *)(s->key + b)),
                k1 = _mm256_loadu_si256((const __m256i *)(s->key + b + 8));
        __m256i k2 = _mm256_loadu_si256((const __m256i *)(s->key + b + 16)),
                k3 = _mm256_loadu_si256((const __m256i *)(s->key + b + 24));
        __m256i r0 = _mm256_setzero_si256(), r1 = r0, r2 = r0, r3 = r0;
        for (uint32_t j = 0; j < n; j++) {
            __m256i key = _mm256_set1_epi32(s->key[j]);
            r0 = _mm256_sub_epi32(r0, _mm256_cmpgt_epi32(k0, key));
            r1 = _mm256_sub_epi32(r1, _mm256_cmpgt_epi32(k1, key));
            r2 = _mm256_sub_epi32(r2, _mm256_cmpgt_epi32(k2, key));
            r3 = _mm256_sub_epi32(r3, _mm256_cmpgt_epi32(k3, key));
        }
        _mm256_storeu_si256((__m256i *)(s->rank + b), r0);
        _mm256_storeu_si256((__m256i *)(s->rank + b + 8), r1);
        _mm256_storeu_si256((__m256i *)(s->rank + b + 16), r2);
        _mm256_storeu_si256((__m256i *)(s->rank + b + 24), r3);
    }
    for (uint32_t i = 0; i < n; i++) s->sorted[s->rank[i]] = s->key[i];
    s->sorted[n] = INT32_MAX;
    s->count = n;
}

// make_keys computes a distinct integer key of each listed distance: its float32 bits, the
// last SLOT_BITS of which are replaced by the point's index in the list.
TARGET static void make_keys(struct scratch *s, uint32_t n)
{
    const __m256i mask = _mm256_set1_epi32((1 << SLOT_BITS) - 1);
    __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (uint32_t i = 0; i < n; i += 8) {
        __m256i d = _mm256_loadu_si256((const __m256i *)(s->within + i));
        _mm256_storeu_si256((__m256i *)(s->key + i), _mm256_or_si256(_mm256_andnot_si256(mask, d), number));
        number = _mm256_add_epi32(number, _mm256_set1_epi32(8));
    }
}

// ambiguous reports whether the order of two keys, a ≤ b, may differ from that of the exact
// distances. If it is 0, the distances differ by more than 2^SLOT_BITS = 256 units in the last
// place of float32, while rounding errors are below 4.
static inline int ambiguous(int32_t a, int32_t b) { return (b >> SLOT_BITS) - (a >> SLOT_BITS) <= 1; }

// any_ambiguous reports whether any two consecutive keys of the first k + 1 are ambiguous.
TARGET static int any_ambiguous(const struct scratch *s, uint32_t k)
{
    int found = 0;
    for (uint32_t i = 0; i < k; i += 8) {
        __m256i a = _mm256_srai_epi32(_mm256_loadu_si256((const __m256i *)(s->sorted + i)), SLOT_BITS);
        __m256i b = _mm256_srai_epi32(_mm256_loadu_si256((const __m256i *)(s->sorted + i + 1)), SLOT_BITS);
        __m256i clear = _mm256_cmpgt_epi32(_mm256_sub_epi32(b, a), _mm256_set1_epi32(1));
        int lanes = k - i < 8 ? (1 << (k - i)) - 1 : 255;
        found |= ~_mm256_movemask_ps(_mm256_castsi256_ps(clear)) & lanes;
    }
    return found;
}

static uint64_t exact_distance(const int32_t *p, const int32_t *q)
{
    int64_t x = (int64_t)p[0] - q[0], y = (int64_t)p[1] - q[1], z = (int64_t)p[2] - q[2];
    return (uint64_t)(x * x) + (uint64_t)(y * y) + (uint64_t)(z * z);
}

// precedes is the order of neighbours that Nearest documents.
static int precedes(const int32_t *xyz, uint32_t i, uint32_t j, uint32_t self)
{
    const int32_t *a = xyz + 3 * (size_t)i, *b = xyz + 3 * (size_t)j, *q = xyz + 3 * (size_t)self;
    uint64_t d = exact_distance(a, q), e = exact_distance(b, q);
    if (d != e)
        return d < e;
    if (d == 0) {
        uint32_t m = i < self ? self - i : i - self, n = j < self ? self - j : j - self;
        return m != n ? m < n : i < j;
    }
    for (int c = 0; c < 3; c++)
        if (a[c] != b[c])
            return a[c] < b[c];
    return i < j;
}

// settle sorts ambiguous keys among the first k by exact distances.
static void settle(struct scratch *s, const int32_t *xyz, uint32_t self, uint32_t n, uint32_t k)
{
    const int32_t mask = (1 << SLOT_BITS) - 1;
    for (uint32_t i = 1; i < n; i++) {
        if (!ambiguous(s->sorted[i - 1], s->sorted[i])) {
            if (i > k)
                return;
            continue;
        }
        int32_t key = s->sorted[i];
        uint32_t id = s->id[s->slot[key & mask]];
        uint32_t j = i;
        for (; j > 0 && ambiguous(s->sorted[j - 1], key); j--) {
            if (!precedes(xyz, id, s->id[s->slot[s->sorted[j - 1] & mask]], self))
                break;
            s->sorted[j] = s->sorted[j - 1];
        }
        s->sorted[j] = key;
    }
}

#endif
