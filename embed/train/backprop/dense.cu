/* Training of the fully connected layers, and what joins them to the layers on
 * every neighbour; the twins of dense.go and net.go. All
 * arrays are row major. Sums over points are taken in one order, as in
 * set.cu, so results are the same from run to run.
 */
#include "../../../partition/device/device.h"

#define GEMM_TILE 64
#define GEMM_DEPTH 16
#define GEMM_THREADS 256 /* each computes 4 × 4 */
#define DENSE_THREADS 256
#define SUM_LANES 8

/* Reads a tile of depth × 64 numbers v[i·row + t·deep], 0 outside; neighbouring
 * threads read neighbouring numbers where a stride is 1. */
DEVICE void gemm_tile(const float *v, int64_t row, int64_t deep, int64_t first, int64_t rows, int64_t from, int64_t to,
	float *tile)
{
	for (int n = (int)threadIdx.x; n < GEMM_TILE * GEMM_DEPTH; n += GEMM_THREADS) {
		const int i = deep == 1 ? n / GEMM_DEPTH : n % GEMM_TILE, t = deep == 1 ? n % GEMM_DEPTH : n / GEMM_TILE;
		tile[t * GEMM_TILE + i] = first + i < rows && from + t < to ? v[(first + i) * row + (from + t) * deep] : 0;
	}
}

/* C[i][j] = bias[j] + Σ_t a[i·ar + t·ak] b[t·br + j·bc] for rows × columns, t < depth.
 * The sum is split into parts of each; part s is written at C + s·rows·columns.
 * bias may be 0. Blocks count columns' tiles first, then rows', then parts. */
KERNEL __launch_bounds__(GEMM_THREADS) gemm(const float *a, int64_t ar, int64_t ak, const float *b, int64_t br,
	int64_t bc, int64_t rows, int64_t columns, int64_t depth, int64_t each, const float *bias, float *result)
{
	DYNAMIC_SHARED(float, shared);
	float *left = shared, *right = shared + GEMM_TILE * GEMM_DEPTH;
	const int64_t across = (columns + GEMM_TILE - 1) / GEMM_TILE, down = (rows + GEMM_TILE - 1) / GEMM_TILE;
	const int64_t j0 = blockIdx.x % across * GEMM_TILE, i0 = blockIdx.x / across % down * GEMM_TILE;
	const int64_t part = blockIdx.x / (across * down), end = (part + 1) * each < depth ? (part + 1) * each : depth;
	const int i = (int)threadIdx.x / 16 * 4, j = (int)threadIdx.x % 16 * 4;
	float sum[4][4];
	UNROLL
	for (int r = 0; r < 4; r++) {
		UNROLL
		for (int c = 0; c < 4; c++)
			sum[r][c] = 0;
	}
	for (int64_t t = part * each; t < end; t += GEMM_DEPTH) {
		__syncthreads();
		gemm_tile(a, ar, ak, i0, rows, t, end, left);
		gemm_tile(b, bc, br, j0, columns, t, end, right);
		__syncthreads();
		for (int d = 0; d < GEMM_DEPTH; d++) {
			const float *x = left + d * GEMM_TILE + i, *y = right + d * GEMM_TILE + j;
			UNROLL
			for (int r = 0; r < 4; r++) {
				UNROLL
				for (int c = 0; c < 4; c++)
					sum[r][c] += x[r] * y[c];
			}
		}
	}
	UNROLL
	for (int r = 0; r < 4; r++) {
		UNROLL
		for (int c = 0; c < 4; c++)
			if (i0 + i + r < rows && j0 + j + c < columns)
				result[(part * rows + i0 + i + r) * columns + j0 + j + c] = sum[r][c] + (bias ? bias[j0 + j + c] : 0);
	}
}

/* total[e] = Σ over the blocks of partial[block·each + e], in float64: eight
 * threads an entry take turns with the blocks, then they are added in order. */
KERNEL __launch_bounds__(DENSE_THREADS) sum_blocks(const float *partial, uint64_t blocks, uint64_t each, double *total)
{
	DYNAMIC_SHARED(double, lane);
	const uint32_t width = DENSE_THREADS / SUM_LANES, l = threadIdx.x / width;
	const uint64_t e = (uint64_t)blockIdx.x * width + threadIdx.x % width;
	double s = 0;
	for (uint64_t b = l; b < blocks && e < each; b += SUM_LANES)
		s += partial[b * each + e];
	lane[threadIdx.x] = s;
	__syncthreads();
	if (l > 0 || e >= each)
		return;
	for (uint32_t i = 1; i < SUM_LANES; i++)
		s += lane[i * width + threadIdx.x];
	total[e] = s;
}

/* Adds what the lanes of a column have; the threads of lane 0 return the sum. */
DEVICE float column_sum(float *shared, int columns, int lanes, float own)
{
	const int t = (int)threadIdx.x;
	__syncthreads();
	if (t < lanes * columns)
		shared[t] = own;
	__syncthreads();
	float s = 0;
	if (t < columns)
		for (int l = 0; l < lanes; l++)
			s += shared[l * columns + t];
	return s;
}

/* The mean of every column of each rows, and Σ(z − mean)²: 2 × columns a block. */
KERNEL __launch_bounds__(DENSE_THREADS) dense_moments(const float *z, uint32_t points, uint32_t columns, uint32_t each,
	float *partial)
{
	DYNAMIC_SHARED(float, shared);
	float *centre = shared + DENSE_THREADS;
	const uint32_t lanes = DENSE_THREADS / columns, l = threadIdx.x / columns, c = threadIdx.x % columns;
	const uint64_t lo = (uint64_t)blockIdx.x * each, hi = lo + each < points ? lo + each : points;
	float s = 0, square = 0;
	for (uint64_t i = lo + l; l < lanes && i < hi; i += lanes)
		s += z[i * columns + c];
	s = column_sum(shared, columns, lanes, s) / (float)(hi - lo);
	if (threadIdx.x < columns)
		centre[c] = s;
	__syncthreads();
	for (uint64_t i = lo + l; l < lanes && i < hi; i += lanes) {
		const float d = z[i * columns + c] - centre[c];
		square += d * d;
	}
	square = column_sum(shared, columns, lanes, square);
	if (threadIdx.x < columns) {
		partial[(2 * (uint64_t)blockIdx.x) * columns + c] = s;
		partial[(2 * (uint64_t)blockIdx.x + 1) * columns + c] = square;
	}
}

/* The mean and variance of every column from those of its blocks, one after the
 * other (Chan, Golub and LeVeque 1983). One thread a column. */
KERNEL dense_combine(const float *partial, uint32_t points, uint32_t columns, uint32_t each, double *moments)
{
	const uint64_t c = thread_number();
	if (c >= columns)
		return;
	double count = 0, mean = 0, square = 0;
	for (uint64_t b = 0; b * each < points; b++) {
		const double size = points - b * each < each ? (double)(points - b * each) : (double)each;
		const double d = partial[2 * b * columns + c] - mean;
		square += partial[(2 * b + 1) * columns + c] + d * d * count * size / (count + size);
		count += size;
		mean += d * size / count;
	}
	moments[c] = mean;
	moments[columns + c] = square / count;
}

/* a = relu(scale z + shift) */
KERNEL dense_relu(const float *z, const float *scale, const float *shift, uint64_t count, uint32_t columns, float *a)
{
	const uint64_t i = thread_number();
	if (i < count)
		a[i] = fmaxf(z[i] * scale[i % columns] + shift[i % columns], 0);
}

/* Sets g to 0 where a is 0, and writes Σg and Σg(z − mean) of each rows; without
 * a it leaves g as it is and the second sum is 0. */
KERNEL __launch_bounds__(DENSE_THREADS) dense_sums(float *g, const float *a, const float *z, const float *mean,
	uint32_t points, uint32_t columns, uint32_t each, float *partial)
{
	DYNAMIC_SHARED(float, shared);
	const uint32_t lanes = DENSE_THREADS / columns, l = threadIdx.x / columns, c = threadIdx.x % columns;
	const uint64_t lo = (uint64_t)blockIdx.x * each, hi = lo + each < points ? lo + each : points;
	float sum = 0, dot = 0;
	for (uint64_t i = lo + l; l < lanes && i < hi; i += lanes) {
		const uint64_t at = i * columns + c;
		if (!a) {
			sum += g[at];
			continue;
		}
		const float v = a[at] > 0 ? g[at] : 0;
		g[at] = v;
		sum += v;
		dot += v * (z[at] - mean[c]);
	}
	sum = column_sum(shared, columns, lanes, sum);
	dot = column_sum(shared, columns, lanes, dot);
	if (threadIdx.x < columns) {
		partial[(2 * (uint64_t)blockIdx.x) * columns + c] = sum;
		partial[(2 * (uint64_t)blockIdx.x + 1) * columns + c] = dot;
	}
}

/* g = scale g − k0 − k1 z */
KERNEL dense_apply(float *g, const float *z, const float *scale, const float *k0, const float *k1, uint64_t count,
	uint32_t columns)
{
	const uint64_t i = thread_number();
	const uint32_t c = (uint32_t)(i % columns);
	if (i < count)
		g[i] = scale[c] * g[i] - k0[c] - k1[c] * z[i];
}

/* Ω of every point: what the spatial transform gives, and the identity. */
KERNEL omega_of(const float *z, uint64_t count, float *omega)
{
	const uint64_t i = thread_number();
	if (i < count)
		omega[i] = z[i] + (i % 4 == 0 || i % 4 == 3 ? 1 : 0);
}

/* Writes the point channels behind the maximum, c2 wide; channel at[e] is Ω's
 * entry e if omega is given. One thread a channel of a point. */
KERNEL join_channels(const float *point, uint32_t channels, const float *omega, const int32_t *at, uint32_t c2,
	uint64_t count, float *input)
{
	const uint64_t n = thread_number();
	if (n >= count)
		return;
	const uint64_t i = n / channels;
	const int32_t h = (int32_t)(n % channels);
	float v = point[n];
	for (int e = 0; omega && e < 4; e++)
		if (at[e] == h)
			v = omega[4 * i + e];
	input[i * (c2 + channels) + c2 + h] = v;
}

/* The gradient at Ω: by the transformed offsets, and by the point channels. */
KERNEL omega_gradient(const float *turned, const float *back, uint32_t width, uint32_t c2, const int32_t *at,
	uint64_t count, float *g)
{
	const uint64_t n = thread_number();
	if (n >= count)
		return;
	const int32_t h = at[n % 4];
	g[n] = turned[n] + (h >= 0 ? back[n / 4 * width + c2 + h] : 0);
}

#define SHORTEST 1e-12f /* smallest length that a vector is divided by */

/* out = z/‖z‖ */
KERNEL unit_length(const float *z, uint64_t points, uint32_t dim, float *out, float *length)
{
	const uint64_t i = thread_number();
	if (i >= points)
		return;
	float s = 0;
	for (uint32_t c = 0; c < dim; c++)
		s += z[i * dim + c] * z[i * dim + c];
	s = fmaxf((float)sqrt((double)s), SHORTEST);
	length[i] = s;
	for (uint32_t c = 0; c < dim; c++)
		out[i * dim + c] = z[i * dim + c] / s;
}

/* The gradient before that: (d − (e·d) e)/‖z‖ */
KERNEL unit_back(const float *d, const float *out, const float *length, uint64_t points, uint32_t dim, float *g)
{
	const uint64_t i = thread_number();
	if (i >= points)
		return;
	float along = 0;
	for (uint32_t c = 0; c < dim; c++)
		along += out[i * dim + c] * d[i * dim + c];
	for (uint32_t c = 0; c < dim; c++)
		g[i * dim + c] = (d[i * dim + c] - along * out[i * dim + c]) / length[i];
}
