// SPDX-License-Identifier: BSD-3-Clause
// What kernel.h needs of vectors of 128 bits, except for products of bytes. Included before each kernel of ARM.
#define VL 4
#define BLOCK 4
#define TALL 2
#define VEC int32x4_t
#define ZERO() vdupq_n_s32(0)
#define LEAST() vdupq_n_s32(INT32_MIN)
#define SET1 SETN
#define LOAD LOADN
#define STORE(p, v) vst1q_s32((int32_t *)(p), v)
#define ADD vaddq_s32
#define MAX vmaxq_s32
#define SHIFT(v, s) vshlq_s32(v, vnegq_s32(s))
#define HIGH highn
#define ADDPAIRS addpairs
#define START(w) ZERO()
#define LESS(v, start) (v)
#define SIXTEEN(start, x, w) EIGHT(EIGHT(ZERO(), x[0], w[0], x[1], w[1]), x[2], w[2], x[3], w[3])
#define STORE7 store7
#define STORE12 store12
#define STOREHIGH storehigh
