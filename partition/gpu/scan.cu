// SPDX-License-Identifier: BSD-3-Clause
/* Exclusive prefix sums of 32-bit integers: scan_blocks computes those within each block of
 * SCAN_THREADS × SCAN_EACH numbers, and its total; the host calls the scan for the totals;
 * scan_add adds these to the blocks. Integer sums do not depend on the order.
 */
#include "device.h"

#define SCAN_THREADS 256
#define SCAN_EACH 8 /* numbers a thread */

KERNEL scan_blocks(uint32_t *values, uint32_t *totals, uint64_t count)
{
	DYNAMIC_SHARED(uint32_t, sum); /* 2 × SCAN_THREADS */
	const uint32_t t = threadIdx.x;
	const uint64_t first = (thread_number()) * SCAN_EACH;
	uint32_t own = 0;
	for (int i = 0; i < SCAN_EACH; i++)
		if (first + i < count)
			own += values[first + i];
	sum[t] = own;
	__syncthreads();
	uint32_t *from = sum, *to = sum + SCAN_THREADS;
	for (uint32_t reach = 1; reach < SCAN_THREADS; reach *= 2) {
		to[t] = from[t] + (t >= reach ? from[t - reach] : 0);
		__syncthreads();
		uint32_t *swap = from;
		from = to;
		to = swap;
	}
	uint32_t before = from[t] - own;
	if (t == SCAN_THREADS - 1)
		totals[blockIdx.x] = from[t];
	for (int i = 0; i < SCAN_EACH; i++)
		if (first + i < count) {
			uint32_t v = values[first + i];
			values[first + i] = before;
			before += v;
		}
}

KERNEL scan_add(uint32_t *values, const uint32_t *totals, uint64_t count)
{
	const uint64_t first = thread_number() * SCAN_EACH;
	for (int i = 0; i < SCAN_EACH; i++)
		if (first + i < count)
			values[first + i] += totals[blockIdx.x];
}
