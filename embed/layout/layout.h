/* What every kernel reads of a model: its channels, its network and the columns
 * of shapes. Go fills it in (layout.go, the same layout), the CPU's kernels, the
 * CUDA kernels and their emulator read it. All fields have 32 bits, so that no
 * compiler leaves gaps; a test compares every offset and number here with Go's.
 */
#ifndef SUPERPOINT_LAYOUT_H
#define SUPERPOINT_LAYOUT_H

#include <stdint.h>

/* At most; a card with more is refused. */
enum { MOST_NEIGHBORS = 64, MOST_CHANNELS = 64, MOST_LAYERS = 8, MOST_COLUMNS = 32 };

/* Fixed-point units of the integer network: 2 to the minus these. */
enum { POSITION_EXPONENT = 12, NORMAL_EXPONENT = 14 };

/* How a channel is computed, by its name in a card. */
enum channel {
    CHANNEL_X, CHANNEL_Y, CHANNEL_Z, /* x, y, z */
    CHANNEL_COLUMN,                  /* a column's own name, such as planarity */
    CHANNEL_D_COLUMN,                /* d_planarity and so on: at the neighbour less at the point */
    CHANNEL_NORMAL_TURN,
    CHANNEL_RISE,
    CHANNEL_RADIUS,
    CHANNEL_CENTROID_OFFSET,
    CHANNEL_HEIGHT_RANGE,
    CHANNEL_OMEGA, /* omega_xx and so on: the spatial transform fills them in */
    CHANNELS
};

/* Bounds that keep channels finite whatever the cloud; real neighbourhoods stay
 * far inside them. */
#define FARTHEST 100          /* of |p_j − p_i|/radius along an axis, and of the radius in metres */
#define SMALLEST_RADIUS 1e-5 /* metres, of the radius under a logarithm */
#define FARTHEST_MEAN 5       /* of centroid_offset */
#define HIGHEST_RISE 5        /* metres, of rise */
#define HIGHEST_EXTENT 10     /* metres, of height_range */
#define RADIUS_EPSILON 1e-10f /* metres, added to the radius before dividing, as in the authors' code */

/* A channel and the place of its column in a row of the table; of normal_turn
 * the first of the normal's three. */
struct source {
    int32_t channel; /* enum channel */
    int32_t column;
};

/* What a neighbourhood is gathered to. */
struct inputs {
    int32_t neighbors;         /* k, rows of a set that are filled in */
    int32_t near;              /* of which so many differ: a small cloud repeats its neighbours */
    int32_t listed;            /* neighbours that are listed for a point */
    int32_t neighbor_channels; /* c, of which the first three are x, y, z */
    int32_t point_channels;    /* p */
    int32_t width;             /* of a row of the table */
    struct source neighbor[MOST_CHANNELS], point[MOST_CHANNELS];
};

/* y = (b + Σ w x) >> s, clamped to 0 … most, or not at all where most is 0. What
 * layers read and give is padded to 16, point channels follow those of fc, padded to pairs.
 * All offsets are bytes from the first of all numbers: weights of convolutions behind
 * the first have 8 bits and lie as [in/4][wide][4], others have 16 as [in/2][wide][2];
 * b and s have 32. */
struct layer {
    int32_t in, wide;
    int32_t weight, bias, shift;
    int32_t most;
};

/* Layers one after the other. */
struct part {
    int32_t count;
    struct layer layer[MOST_LAYERS];
};

/* A network. The columns of a point, and what they add to the first
 * convolution of every neighbourhood that the point is in, are a row of 16-bit
 * numbers: hidden sums in units of 2^16, then columns. Every neighbour has pairs of
 * channels beside: x, y; z, normal_turn; rise, 0. */
struct network {
    int32_t stride;    /* numbers from row to row */
    int32_t columns;   /* of a row, padded to pairs */
    int32_t hidden;    /* outputs of the first convolution */
    int32_t near, own; /* weights of columns at the neighbour, and at the point itself (−1: none) */
    int32_t pairs;
    int32_t normal; /* place of the normal among the columns, −1 where no channel reads it */
    int32_t rise;   /* 1 if a channel reads it */
    int32_t points; /* point channels */
    int32_t dim;
    int32_t omega[4]; /* places of Ω's xx, xy, yx, yy among the point channels, −1 where none reads it */
    struct part st_conv, st_fc, lpe_conv, lpe_fc; /* without a spatial transform the count of st_fc is 0 */
    float scale[MOST_COLUMNS]; /* columns to fixed point */
    float point[MOST_CHANNELS]; /* point channels that are no column, likewise */
};

/* Places in a row of the table of the columns that describe a neighbourhood's
 * form, −1 where no channel reads one; the normal takes three. */
struct shapes {
    int32_t linearity, planarity, scattering, verticality, log_radius, normal;
};

#endif
