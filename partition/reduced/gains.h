// The kernel of Graph.gains; gains_avx2.c defines it.
#include <stdint.h>

#pragma GCC visibility push(hidden)

// reduced_graph is a Graph of 7 columns.
struct reduced_graph {
	const float *mean, *size, *weight;
	const uint32_t *start, *end, *head;
	float scale;
};

// reduced_gains writes the gains of all edges of the vertices from lo to hi - 1, row by
// row, and up to three numbers after them.
void reduced_gains(struct reduced_graph g, uint32_t lo, uint32_t hi, int even, float *out);
int reduced_gains_runs(void);

#pragma GCC visibility pop
