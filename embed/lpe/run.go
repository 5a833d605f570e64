// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"slices"
	"unsafe"

	"superpoint/embed"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// embed computes the embeddings of a cloud.
//
// Chunks are processed one after the other, the points of a chunk in parallel. Memory: rows of one chunk and
// its neighbors, in place of rows of the cloud, and the result.
func (n *network) embed(run parallel.Run, kernel kernel, inputs *embed.Inputs) ([]float32, error) {
	count := inputs.Len()
	dim := int(n.layout.Dim)
	// memory of each worker, used again for every chunk
	workers := make([]worker, run.Workers())
	out := make([]float32, count*dim)
	s := &chunk{}
	step := chunkLength(run, count)
	for lo := 0; lo < count; lo += step {
		if err := s.take(run.Quiet(), n, kernel, inputs, lo, min(lo+step, count)); err != nil {
			return nil, err
		}
		part := run
		// progress of a chunk as a part of the whole
		part.Report = func(f float64) {
			done := float64(lo) + f*float64(s.len())
			run.Progress(done / float64(count))
		}
		err := part.ForWorker(s.len(), block, func(number, from, to int) {
			w := &workers[number]
			if w.scratch == nil {
				*w = n.worker(kernel)
			}
			from += lo
			to += lo
			// Blocks write to parts of out that do not overlap.
			w.embed(n, kernel, inputs, s, from, to, out[from*dim:to*dim])
		})
		if err != nil {
			return nil, err
		}
		arrays.Collect()
	}
	return out, run.Err()
}

func (n *network) worker(kernel kernel) worker {
	return worker{context: make([]float32, (block+lane)*(n.width-n.kept)+lane),
		scratch: aligned(kernel.scratch(n) / 4)}
}

// embed embeds the points lo to hi−1 of a chunk, at most a block.
//
// Context columns are computed for the block only: they are read for its points, not for their
// neighbors.
func (w *worker) embed(n *network, kernel kernel, inputs *embed.Inputs, s *chunk, lo, hi int, out []float32) {
	if n.kept < n.width {
		inputs.Context(s.points[lo-s.lo:hi-s.lo], w.context, n.width-n.kept)
	}
	kernel.embed(n, inputs, s, w, lo, hi, out)
}

// take sets the chunk to the points lo to hi−1 of the inputs.
//
// Rows of neighbors out of the range are computed again for each chunk that has them, so that no table of the
// cloud is needed.
func (s *chunk) take(run parallel.Run, n *network, kernel kernel, inputs *embed.Inputs, lo, hi int) error {
	s.lo, s.hi = lo, hi
	if err := s.findPoints(run, inputs); err != nil {
		return err
	}
	s.rows = arrays.Resized(s.rows, len(s.points)*n.stride)
	columns := make([][]float32, run.Workers())
	return run.ForWorker(len(s.points), block, func(worker, from, to int) {
		if columns[worker] == nil {
			columns[worker] = make([]float32, block*n.kept+lane)
		}
		// Shapes: columns block × kept of float32, rows points × stride of int16.
		points, rows := s.points[from:to], s.rows[from*n.stride:to*n.stride]
		inputs.Columns(points, columns[worker], n.kept)
		kernel.rows(n, columns[worker], len(points), rows)
		// The last six numbers of a row are the position: three words of 32 bits in six of 16, whose place is
		// aligned to 4 bytes, since stride is a multiple of lane. A kernel reads positions beside the
		// columns, without another access to memory.
		for k, i := range points {
			*(*[3]int32)(unsafe.Pointer(&rows[(k+1)*n.stride-6])) = inputs.Cloud().XYZ[i]
		}
	})
}

// findPoints sets points.
//
// Each block lists the neighbors that are out of the range, sorted and without repetitions, which keeps lists
// short; the lists are joined, sorted and reduced once more. The result does not depend on blocks or threads.
func (s *chunk) findPoints(run parallel.Run, inputs *embed.Inputs) error {
	found := make([][]uint32, (s.len()+block-1)/block)
	first := uint32(s.lo)
	own := uint32(s.len())
	err := run.For(s.len(), block, func(from, to int) {
		var list []uint32
		for i := s.lo + from; i < s.lo+to; i++ {
			near := inputs.NeighborsOf(i)
			// j − first is below own for points of the range and a larger number otherwise, also for j <
			// first: the maximum is too large if any neighbor is outside. For most points none is.
			most := uint32(0)
			for _, j := range near {
				most = max(most, j-first)
			}
			if most < own {
				continue
			}
			for _, j := range near {
				if j-first >= own {
					list = append(list, j)
				}
			}
		}
		// Without repetitions in each block already: adjacent points mostly share their neighbors.
		slices.Sort(list)
		found[from/block] = slices.Compact(list)
	})
	s.points = embed.Consecutive(s.points[:0], s.lo, s.hi)
	for _, list := range found {
		s.points = append(s.points, list...)
	}
	slices.Sort(s.around())
	s.points = s.points[:s.len()+len(slices.Compact(s.around()))]
	return err
}

// chunkLength returns the number of points of a chunk. Chunks are as many as a power of two, and
// so about the subtrees of a level of the cloud's tree, which have the fewest neighbours around.
//
// A chunk has at most 1.5 times 64 blocks, or 16 blocks a worker if there are more than four. The bits of an
// embedding do not depend on it.
func chunkLength(run parallel.Run, count int) int {
	most := block * max(blocksPerChunk, 16*run.Workers()) * 3 / 2
	chunks := 1
	for count > chunks*most {
		chunks *= 2
	}
	return (count + chunks - 1) / chunks
}
