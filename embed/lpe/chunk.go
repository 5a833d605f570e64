// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"slices"
	"unsafe"

	"superpoint/embed"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// chunk is a range of consecutive points of a cloud, which are close together in space, with
// those of their neighbours that are not in the range. Rows are held for one chunk at a time:
// for all points they would be one of the largest arrays. Local indices are those of the
// range, then those of around.
type chunk struct {
	lo, hi int
	around []uint32 // neighbours out of the range, ascending
	// rows of all points, by local index: hidden sums and kept columns as in layout.Network,
	// and the position
	rows []int16
}

// blocksPerChunk is the number of blocks of a chunk, about, for up to four threads.
const blocksPerChunk = 16

// chunkLength returns the number of points of a chunk. Chunks are as many as a power of two, and
// so about the subtrees of a level of the cloud's tree, which have the fewest neighbours around.
func chunkLength(run parallel.Run, count int) int {
	most, chunks := block*max(blocksPerChunk, 4*run.Workers())*3/2, 1
	for count > chunks*most {
		chunks *= 2
	}
	return (count + chunks - 1) / chunks
}

// len returns the number of points of the range.
func (s *chunk) len() int { return s.hi - s.lo }

// number returns the local index of a point of the cloud.
func (s *chunk) number(j uint32) uint32 {
	if own := j - uint32(s.lo); own < uint32(s.len()) {
		return own
	}
	at, _ := slices.BinarySearch(s.around, j)
	return uint32(s.len() + at)
}

// take sets the chunk to the points lo to hi−1 of the inputs.
func (s *chunk) take(run parallel.Run, n *network, kernel kernel, inputs *embed.Inputs, lo, hi int) error {
	s.lo, s.hi = lo, hi
	if err := s.findAround(run, inputs); err != nil {
		return err
	}
	own := s.len()
	s.rows = arrays.Resized(s.rows, (own+len(s.around))*n.stride)
	columns := make([][]float32, run.Workers())
	fill := func(worker, from, to int, compute func(columns []float32)) {
		if columns[worker] == nil {
			columns[worker] = make([]float32, block*n.kept+lane)
		}
		compute(columns[worker])
		kernel.rows(n, columns[worker], to-from, s.rows[from*n.stride:to*n.stride])
	}
	if err := run.ForWorker(own, block, func(worker, from, to int) {
		fill(worker, from, to, func(columns []float32) { inputs.Columns(lo+from, lo+to, columns, n.kept) })
		s.place(n, inputs, from, lo+from, to-from)
	}); err != nil {
		return err
	}
	const some = 512
	return run.ForWorker(len(s.around), some, func(worker, from, to int) {
		fill(worker, own+from, own+to, func(columns []float32) {
			for at := from; at < to; { // consecutive points at once
				first, end := s.around[at], at+1
				for end < to && s.around[end] == first+uint32(end-at) {
					end++
				}
				inputs.Columns(int(first), int(first)+end-at, columns[(at-from)*n.kept:], n.kept)
				at = end
			}
		})
		for at := from; at < to; at++ {
			s.place(n, inputs, own+at, int(s.around[at]), 1)
		}
	})
}

// place writes the positions of count points of the cloud, from i on, to the end of rows.
func (s *chunk) place(n *network, inputs *embed.Inputs, row, i, count int) {
	for k, p := range inputs.Cloud().XYZ[i : i+count] {
		*(*[3]int32)(unsafe.Pointer(&s.rows[(row+k+1)*n.stride-6])) = p
	}
}

// findAround sets around: the neighbours of the range's points that are not in the range.
func (s *chunk) findAround(run parallel.Run, inputs *embed.Inputs) error {
	found := make([][]uint32, (s.len()+block-1)/block)
	first, own := uint32(s.lo), uint32(s.len())
	err := run.For(s.len(), block, func(from, to int) {
		var list []uint32
		for i := s.lo + from; i < s.lo+to; i++ {
			near, most := inputs.NeighborsOf(i), uint32(0)
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
		slices.Sort(list)
		found[from/block] = slices.Compact(list)
	})
	s.around = s.around[:0]
	for _, list := range found {
		s.around = append(s.around, list...)
	}
	slices.Sort(s.around)
	s.around = slices.Compact(s.around)
	return err
}
