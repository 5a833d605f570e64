/* The edges of the graph of a coarser partition, as contract.go computes them, with edges
 * as an unordered list: their ends are renamed, and parallel edges are summed in a hash
 * table. Weights are integer multiples of 2⁻³², so their sums do not depend on the order
 * of threads.
 */
#include "../device/device.h"

#define WEIGHT_UNIT 2.3283064365386963e-10 /* 2⁻³² */
#define EMPTY 0xffffffffffffffffull

/* Edges from rows: edge k of vertex u is (u, head[k]). */
KERNEL contract_edges(const uint32_t *start, const uint32_t *head, const float *contrast, uint32_t vertices,
	uint32_t *a, uint32_t *b, uint64_t *weight)
{
	const uint64_t u = thread_number();
	if (u >= vertices)
		return;
	for (uint32_t k = start[u]; k < start[u + 1]; k++) {
		a[k] = (uint32_t)u;
		b[k] = head[k];
		weight[k] = (uint64_t)((double)contrast[k] / WEIGHT_UNIT + 0.5);
	}
}

/* Adds the renamed edges to a table of empty keys and zero weights. */
KERNEL contract_gather(const uint32_t *a, const uint32_t *b, const uint64_t *weight, uint64_t edges,
	const uint32_t *label, uint64_t *key, uint64_t *sum, uint64_t mask)
{
	const uint64_t k = thread_number();
	if (k >= edges)
		return;
	const uint32_t u = label[a[k]], v = label[b[k]];
	if (u == v)
		return;
	const uint64_t name = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
	uint64_t h = (name ^ name >> 30) * 0xBF58476D1CE4E5B9ull;
	h = (h ^ h >> 27) * 0x94D049BB133111EBull;
	for (uint64_t at = (h ^ h >> 31) & mask;; at = (at + 1) & mask) {
		const uint64_t old = atomicCAS64(&key[at], EMPTY, name);
		if (old == EMPTY || old == name) {
			atomicAdd64(&sum[at], weight[k]);
			return;
		}
	}
}

/* Copies the table's entries to the beginning of a, b and weight, in any order. */
KERNEL contract_compact(const uint64_t *key, const uint64_t *sum, uint64_t places, uint32_t *a, uint32_t *b,
	uint64_t *weight, uint32_t *count)
{
	const uint64_t at = thread_number();
	if (at >= places || key[at] == EMPTY)
		return;
	const uint32_t k = atomicAdd32(count, 1);
	a[k] = (uint32_t)(key[at] >> 32);
	b[k] = (uint32_t)key[at];
	weight[k] = sum[at];
}

/* component[i] = label[component[i]] */
KERNEL contract_rename(uint32_t *component, const uint32_t *label, uint32_t points)
{
	const uint64_t i = thread_number();
	if (i < points)
		component[i] = label[component[i]];
}
