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
// points.
type chunk struct {
	lo, hi int
	points []uint32 // of the range, then the neighbours out of it, ascending
	// rows of all points, by local index: hidden sums and kept columns as in layout.Network,
	// and the position
	rows []int16
}

// blocksPerChunk is the number of blocks of a chunk, about, for up to four threads.
const blocksPerChunk = 64

// chunkLength returns the number of points of a chunk. Chunks are as many as a power of two, and
// so about the subtrees of a level of the cloud's tree, which have the fewest neighbours around.
func chunkLength(run parallel.Run, count int) int {
	most := block * max(blocksPerChunk, 16*run.Workers()) * 3 / 2
	chunks := 1
	for count > chunks*most {
		chunks *= 2
	}
	return (count + chunks - 1) / chunks
}

// len returns the number of points of the range.
func (s *chunk) len() int { return s.hi - s.lo }

// around returns the neighbours out of the range.
func (s *chunk) around() []uint32 { return s.points[s.len():] }

// number returns the local index of a point of the cloud.
func (s *chunk) number(j uint32) uint32 {
	if own := j - uint32(s.lo); own < uint32(s.len()) {
		return own
	}
	at, _ := slices.BinarySearch(s.around(), j)
	return uint32(s.len() + at)
}

// take sets the chunk to the points lo to hi−1 of the inputs.
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
		points, rows := s.points[from:to], s.rows[from*n.stride:to*n.stride]
		inputs.Columns(points, columns[worker], n.kept)
		kernel.rows(n, columns[worker], len(points), rows)
		for k, i := range points {
			*(*[3]int32)(unsafe.Pointer(&rows[(k+1)*n.stride-6])) = inputs.Cloud().XYZ[i]
		}
	})
}

// findPoints sets points.
func (s *chunk) findPoints(run parallel.Run, inputs *embed.Inputs) error {
	found := make([][]uint32, (s.len()+block-1)/block)
	first := uint32(s.lo)
	own := uint32(s.len())
	err := run.For(s.len(), block, func(from, to int) {
		var list []uint32
		for i := s.lo + from; i < s.lo+to; i++ {
			near := inputs.NeighborsOf(i)
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
