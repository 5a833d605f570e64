// SPDX-License-Identifier: BSD-3-Clause
/* The layout of a model for kernels: its channels, its network and the shape columns. Go
 * fills it in (layout.go); the kernels in C, the CUDA kernels and their emulator read it. All
 * fields have 32 bits, so that no compiler inserts padding; a test compares every offset and
 * number with Go's.
 */
#ifndef SUPERPOINT_LAYOUT_H
#define SUPERPOINT_LAYOUT_H

#include <stdint.h>

/* Limits; a card with more is invalid. */
enum { MOST_NEIGHBORS = 64, MOST_CHANNELS = 64, MOST_LAYERS = 8, MOST_COLUMNS = 32 };

/* Exponents of fixed-point numbers of the integer network, whose units are 2^-exponent. */
enum { POSITION_EXPONENT = 12, NORMAL_EXPONENT = 14 };

/* Kinds of channels, with their names in cards. */
enum channel {
    CHANNEL_X, CHANNEL_Y, CHANNEL_Z, /* x, y, z */
    CHANNEL_COLUMN,                  /* a column's own name, such as planarity */
    CHANNEL_D_COLUMN,                /* d_planarity and so on: value at the neighbour minus that at the point */
    CHANNEL_NORMAL_TURN,
    CHANNEL_RISE,
    CHANNEL_RADIUS,
    CHANNEL_CENTROID_OFFSET,
    CHANNEL_HEIGHT_RANGE,
    CHANNEL_OMEGA, /* omega_xx and so on: the spatial transform fills them in */
    CHANNELS
};

/* Limits that keep channels finite for every cloud, far above the values of usual
 * neighbourhoods. */
#define FARTHEST 100          /* of |p_j − p_i|/radius along an axis, and of the radius in metres */
#define SMALLEST_RADIUS 1e-5 /* metres, of the radius under a logarithm */
#define FARTHEST_MEAN 5       /* of centroid_offset */
#define HIGHEST_RISE 5        /* metres, of rise */
#define HIGHEST_EXTENT 10     /* metres, of height_range */
#define RADIUS_EPSILON 1e-10f /* metres, added to the radius before dividing, as in the authors' code */

/* A channel and the index of its column in a row of the table; for normal_turn, of the
 * first of the normal's three numbers. */
struct source {
    int32_t channel; /* enum channel */
    int32_t column;
};

/* The channels of a neighbourhood. */
struct inputs {
    int32_t neighbors;         /* k, the number of rows of a neighbourhood */
    int32_t near;              /* number of different neighbours; a small cloud repeats them */
    int32_t listed;            /* number of neighbours in the list of a point */
    int32_t neighbor_channels; /* c, of which the first three are x, y, z */
    int32_t point_channels;    /* p */
    int32_t width;             /* of a row of the table */
    struct source neighbor[MOST_CHANNELS], point[MOST_CHANNELS];
};

/* y = (b + Σ w x) >> s, clamped to 0 … most, or not clamped if most is 0. Inputs and outputs
 * are padded to multiples of 16; point channels follow the inputs of fc, padded to pairs.
 * weight, bias and shift are offsets in bytes: weights of convolutions after the first have
 * 8 bits, as [in/4][wide][4], others have 16, as [in/2][wide][2]; b and s have 32. */
struct layer {
    int32_t in, wide;
    int32_t weight, bias, shift;
    int32_t most;
};

/* A sequence of layers. */
struct part {
    int32_t count;
    struct layer layer[MOST_LAYERS];
};

/* A network. A point has a row of 16-bit numbers: hidden sums, which are the terms of its
 * columns in the first convolution of every neighbourhood that the point is in, in units of
 * 2^16; then its columns. A neighbour also has pairs of relative channels: x, y; z,
 * normal_turn; rise, 0. */
struct network {
    int32_t stride;    /* numbers from row to row */
    int32_t columns;   /* of a row, padded to pairs */
    int32_t hidden;    /* outputs of the first convolution */
    int32_t near, own; /* offsets of the weights of columns of the neighbour, and of the point (−1: none) */
    int32_t pairs;
    int32_t normal; /* index of the normal among the columns, −1 if no channel reads it */
    int32_t rise;   /* 1 if a channel reads it */
    int32_t points; /* point channels */
    int32_t dim;
    int32_t omega[4]; /* indices of Ω's xx, xy, yx, yy among the point channels, −1 for none */
    struct part st_conv, st_fc, lpe_conv, lpe_fc; /* without a spatial transform the count of st_fc is 0 */
    float scale[MOST_COLUMNS]; /* factors from columns to fixed point */
    float point[MOST_CHANNELS]; /* the same for point channels that are not columns */
};

/* Indices in a row of the table of the shape columns, −1 if no channel reads one; a normal
 * takes three numbers. */
struct shapes {
    int32_t linearity, planarity, scattering, verticality, log_radius, normal;
};

#endif
