// SPDX-License-Identifier: BSD-3-Clause

// Package backprop is the training twin of the Local Point Embedder (Landrieu
// and Boussaha 2019, appendix "3D Point Embedding", doi:10.1109/CVPR.2019.00762):
// the network with batch statistics, forward and backward.
//
// Of the layers per neighbour only the hidden one is stored, not the wide one before the maximum.
// The statistics of a linear layer z = Wx follow from the moments of its input,
// mean(z) = W mean(x) and var(z) = diag(W cov(x) Wᵀ), so the normalisation is
// folded into W before the maximum over the neighbours is taken. In the other
// direction the gradient at z is one sparse term, at the neighbour that gave
// the maximum, and two that are affine in the layer's input; these need only
// the same moments. The result is the gradient of the usual layers exactly, up
// to rounding, at about a third of the multiplications.
//
// Group normalisation has no such shortcut, because every point has its own statistics: its layers are
// computed for all neighbours.
//
// Sums over points run over fixed blocks that are added in order, so results
// do not depend on the number of threads. All arrays are row major.
package backprop

// Real is the type of the numbers: float32 to train, float64 to check.
type Real interface{ float32 | float64 }
