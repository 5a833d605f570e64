//go:build cgo && amd64

// The twin of path.step in climb.go with SSE2, which every amd64 has: a place in
// one register, the same products and sums in the same order.

#include "climb.h"

#include <xmmintrin.h>

void embed_climb(const struct path *paths, const float (*at)[4], float (*next)[4], int64_t lo, int64_t hi) {
    for (int64_t r = lo; r < hi; r++) {
        const struct path *p = &paths[r];
        __m128 sum = _mm_add_ps(_mm_loadu_ps(p->mean), _mm_mul_ps(_mm_set1_ps(p->stay), _mm_loadu_ps(at[r])));
        for (int c = 0; c < 4; c++)
            sum = _mm_add_ps(sum, _mm_mul_ps(_mm_set1_ps(p->odds[c]), _mm_loadu_ps(at[p->to[c]])));
        _mm_storeu_ps(next[r], sum);
    }
}
