// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"superpoint/embed"
)

// kernel has the functions of one implementation of the integer network.
//
// All kernels have the same bits as plain (TestKernelsAgree). rows is called once for each point of a chunk,
// embed for blocks of points.
type kernel struct {
	// rows fills in the rows of count points from their columns.
	rows    func(n *network, columns []float32, count int, rows []int16)
	scratch func(n *network) int // bytes that a worker needs
	// embed embeds the points lo to hi − 1 of a chunk; the worker has their columns of context.
	embed func(n *network, inputs *embed.Inputs, s *chunk, w *worker, lo, hi int, out []float32)
}

// worker is the memory of a worker.
//
// context has a row of context columns for each point of a block; scratch is memory of a kernel in C, aligned
// to 64 bytes.
type worker struct{ context, scratch []float32 }
