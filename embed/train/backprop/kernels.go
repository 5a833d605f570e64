package backprop

// kernels are the inner loops over a block of points. The plain ones run
// everywhere and in float64; kernels.c has the same for float32 with AVX2.
//
// setLayers reads x, rows of s channels, k rows a point. Its hidden layer is
// a = relu(w1 x + t1), with w1 stored s × c1 and the normalisation folded in;
// its second is w2 a + t2, with w2 stored c1 × c2.
type kernels[T Real] interface {
	// gemm computes C[i][j] (+)= Σ_t a[i·ar + t·ak] · b[t·ldb + j], n × m.
	gemm(n, m, k int, a []T, ar, ak int, b []T, ldb int, c []T, ldc int, accumulate bool)
	// moments adds Σx and Σxxᵀ over rows.
	moments(rows, s int, x, sum, square []T)
	// setMoments adds Σa and Σaaᵀ of the hidden layer over rows.
	setMoments(rows, s, c1 int, x, w1, t1, sum, square []T)
	// setMax writes relu(max over the neighbours of w2 a + t2) and which neighbour gave it.
	setMax(n int, u *setShape, x, w1, t1, w2, t2, out []T, arg []uint8)
	// setSparse adds Σ g and Σ g aᵀ (c2 × c1), a taken at the neighbour of the maximum.
	setSparse(n int, u *setShape, x, w1, t1, g []T, arg []uint8, gsum, gouter []T)
	// setBack computes the gradient at the hidden layer,
	// y = [a > 0] (u + q a + Σ_c g_c w2t_c [c's maximum is here]),
	// adds Σy and Σ x yᵀ (s × c1), and, if p is given, writes Σ_j p_j y_jᵀ
	// (2 × c1) of every point for the first two entries of p's rows of sp.
	setBack(n int, u *setShape, x, w1, t1, w2t, g []T, arg []uint8, offset, q, p []T, sp int, ysum, youter, pouter []T)
	// columnMoments writes the mean of every column and Σ(z − mean)².
	columnMoments(n, c int, z, mean, square []T)
	// affineRelu writes max(0, s z + t).
	affineRelu(n, c int, z, s, t, out []T)
	// normSums sets g to 0 where out is 0 and adds Σg and Σg(z − mean).
	normSums(n, c int, g, out, z, mean, sum, dot []T)
	// normApply writes g = s g − k0 − k1 z.
	normApply(n, c int, g, z, s, k0, k1 []T)
}

// setShape holds the sizes of setLayers.
type setShape struct {
	k  int // neighbours
	s  int // channels per neighbour
	c1 int // width of the hidden layer
	c2 int // width of the second layer
}
