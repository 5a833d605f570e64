/* Edge contrasts exp(−‖e_u − e_v‖²/σ), one thread a vertex; the twin of
 * partition.Contrast, to the bit. */
#include "device/device.h"

KERNEL edge_contrast(const uint32_t *start, const uint32_t *head, const float *embedding, uint32_t vertices,
	uint32_t dim, double sigma, float *contrast)
{
	const uint64_t u = thread_number();
	if (u >= vertices)
		return;
	const float *a = embedding + u * dim;
	for (uint32_t k = start[u]; k < start[u + 1]; k++) {
		const float *b = embedding + (uint64_t)head[k] * dim;
		float s = 0;
		for (uint32_t c = 0; c < dim; c++) {
			const float d = a[c] - b[c];
			s += d * d;
		}
		contrast[k] = (float)exponential(-(double)s / sigma);
	}
}
