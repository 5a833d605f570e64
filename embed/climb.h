// The fast kernel of climb; climb.c is its only user.
#include <stdint.h>

#ifdef __clang__ // fuses products and sums else where the processor can; gcc does not in standard C
#pragma STDC FP_CONTRACT OFF
#endif

#pragma GCC visibility push(hidden)

// struct path is path of climb.go.
struct path {
    uint32_t to[4];
    float odds[4], stay, mean[4];
};

// embed_climb writes where the walks of the rows lo to hi-1 are after one more
// step. Places are x, y, z and 0.
void embed_climb(const struct path *paths, const float (*at)[4], float (*next)[4], int64_t lo, int64_t hi);

#pragma GCC visibility pop
