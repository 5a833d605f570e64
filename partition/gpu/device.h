// SPDX-License-Identifier: BSD-3-Clause
/* Macros and functions with which the kernels compile as CUDA and as C. nvcc compiles them
 * for the GPU. gcc compiles them for the emulator, which runs them on the CPU with one
 * coroutine per thread, so that their arithmetic and their barriers are tested on machines
 * without a GPU. Kernels use only what both languages have in common.
 */
#ifndef SUPERPOINT_DEVICE_H
#define SUPERPOINT_DEVICE_H

#ifdef __CUDACC__

#include <math.h>
#include <stdint.h>

#define KERNEL extern "C" __global__ void
#define DEVICE static __device__ __forceinline__
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#define UNROLL _Pragma("unroll")
#define LEAVE_ROLLED _Pragma("unroll 1")
#define ROOT(x) __fsqrt_rn(x)
#define RATIO(a, b) __fdiv_rn(a, b)
#define NEAREST(x) __float2int_rn(x)
#define DOT4(a, b, sum) __dp4a((int)(a), (int)(b), (int)(sum))
#define atomicAdd32(p, v) atomicAdd(p, v)

#else

#include <math.h>
#include <stdint.h>
#include <string.h>

#define KERNEL __attribute__((visibility("hidden"))) void
#define DEVICE static inline
#define __restrict__ restrict
#define __launch_bounds__(...)
#define DYNAMIC_SHARED(type, name) type *const name = (type *)emulated.shared
#define UNROLL
#define LEAVE_ROLLED
#define ROOT(x) sqrtf(x)
#define RATIO(a, b) ((a) / (b))
#define NEAREST(x) (int32_t)lrintf(x)

/* Returns sum plus the products of four pairs of signed bytes. */
static inline int32_t DOT4(int32_t a, int32_t b, int32_t sum)
{
	for (int shift = 0; shift < 32; shift += 8)
		sum += (int8_t)(a >> shift) * (int8_t)(b >> shift);
	return sum;
}

struct place { uint32_t x; };
struct emulated {
	struct place thread, block, block_size, grid;
	void *shared;
};
extern __thread struct emulated emulated;
#define threadIdx emulated.thread
#define blockIdx emulated.block
#define blockDim emulated.block_size
#define gridDim emulated.grid

void emulated_barrier(void);
#define __syncthreads emulated_barrier

/* Coroutines are switched only at barriers, so a plain addition is atomic. */
static inline uint32_t atomicAdd32(uint32_t *p, uint32_t v) { uint32_t old = *p; *p += v; return old; }

#endif

/* The index of a thread in the grid. */
DEVICE uint64_t thread_number(void) { return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; }

#endif
