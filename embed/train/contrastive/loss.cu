/* The graph-structured contrastive loss and its gradient at the embedding; the
 * twin of embed/train/contrastive's Value, equal bit by bit in the gradient: a
 * thread adds what the edges of its vertex contribute in the order in which the
 * CPU comes to them. Compiled without contraction to fused multiply-add.
 */
#include "../../../partition/device/device.h"

enum { LOSS_INTRA, LOSS_INTER, LOSS_IGNORED }; /* kinds of edges */
#define LOSS_NEAREST 1e-6 /* below this length a direction is damped */
#define LOSS_THREADS 256
#define LOSS_EACH 16 /* terms a thread adds */

/* For every edge of vertex u (edges start[u] to start[u + 1] − 1): w·φ or w·ψ, and
 * the factor f of its gradient f·(e_u − e_v). delta 0 is the ablation ‖·‖, −‖·‖. */
KERNEL loss_edges(const uint32_t *start, const uint32_t *head, const uint8_t *kind, const float *weight,
	const float *embedding, uint32_t vertices, uint32_t dim, double delta, double per, double *term, float *factor)
{
	const uint64_t u = thread_number();
	if (u >= vertices)
		return;
	const float *a = embedding + u * dim;
	for (uint32_t k = start[u]; k < start[u + 1]; k++) {
		term[k] = 0;
		factor[k] = 0;
		if (kind[k] == LOSS_IGNORED)
			continue;
		const float *b = embedding + (uint64_t)head[k] * dim;
		double square = 0;
		for (uint32_t c = 0; c < dim; c++) {
			const double x = (double)(a[c] - b[c]);
			square += x * x;
		}
		const double d = sqrt(square), reach = d > LOSS_NEAREST ? d : LOSS_NEAREST;
		double value = 0, slope = 0;
		if (delta == 0) {
			value = kind[k] == LOSS_INTER ? -d : d;
			slope = (kind[k] == LOSS_INTER ? -1 : 1) / reach;
		} else if (kind[k] == LOSS_INTRA) {
			const double root = sqrt(1 + d * d / (delta * delta));
			value = delta * (root - 1);
			slope = 1 / (delta * root);
		} else if (d < 1) {
			value = 1 - d;
			slope = -1 / reach;
		}
		term[k] = (double)weight[k] * value;
		factor[k] = (float)((double)weight[k] * slope * per);
	}
}

/* The sums of blocks of LOSS_THREADS · LOSS_EACH terms, in one order. */
KERNEL __launch_bounds__(LOSS_THREADS) loss_sum(const double *term, uint64_t count, double *partial)
{
	DYNAMIC_SHARED(double, sum);
	const uint32_t t = threadIdx.x;
	const uint64_t first = (uint64_t)blockIdx.x * LOSS_THREADS * LOSS_EACH + t;
	double s = 0;
	for (uint64_t i = 0; i < LOSS_EACH; i++)
		if (first + i * LOSS_THREADS < count)
			s += term[first + i * LOSS_THREADS];
	sum[t] = s;
	for (uint32_t half = LOSS_THREADS / 2; half > 0; half /= 2) {
		__syncthreads();
		if (t < half)
			sum[t] += sum[t + half];
	}
	if (t == 0)
		partial[blockIdx.x] = sum[0];
}

/* The gradient at vertex u: Σ f·(e_u − e_v) over its edges, outgoing and incoming,
 * pairs (edge, v) in the order of the edges from begin[u] to begin[u + 1] − 1. */
KERNEL loss_gradient(const uint32_t *begin, const uint32_t *incident, const float *factor, const float *embedding,
	uint32_t vertices, uint32_t dim, float *gradient)
{
	const uint64_t n = thread_number(), u = n / dim, c = n % dim;
	if (u >= vertices)
		return;
	float s = 0;
	for (uint32_t i = begin[u]; i < begin[u + 1]; i++)
		s += factor[incident[2 * i]] * (embedding[n] - embedding[(uint64_t)incident[2 * i + 1] * dim + c]);
	gradient[n] = s;
}
