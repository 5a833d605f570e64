package lpe

import (
	"slices"
	"unsafe"

	"superpoint/embed"
	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
)

// stretch is a part of a cloud whose points follow each other in memory, and so lie
// together, with the points around it that are neighbours of these. Rows of a stretch
// alone are kept: those of a whole cloud would be the largest array there is beside the
// lists. Points are numbered from 0 on, first its own.
type stretch struct {
	lo, hi int
	around []uint32 // the other points, ascending
	// of every point what neighbours read: hidden sums and columns, as layout.Network has
	// them, without the columns of context, and its position
	rows []int16
}

// stretchBlocks is the number of blocks of a stretch, for a few threads.
const stretchBlocks = 16

func stretchLength(run parallel.Run) int { return block * max(stretchBlocks, 4*run.Workers()) }

// len returns the number of the stretch's own points.
func (s *stretch) len() int { return s.hi - s.lo }

// number returns that of a point of the cloud.
func (s *stretch) number(j uint32) uint32 {
	if own := j - uint32(s.lo); own < uint32(s.len()) {
		return own
	}
	at, _ := slices.BinarySearch(s.around, j)
	return uint32(s.len() + at)
}

// take makes it the points lo to hi−1 of the inputs.
func (s *stretch) take(run parallel.Run, n *network, kernel kernel, inputs *embed.Inputs, lo, hi int) error {
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
			for at := from; at < to; { // points that follow each other at once
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

// place writes the positions of count points of the cloud, from i on, to rows.
func (s *stretch) place(n *network, inputs *embed.Inputs, row, i, count int) {
	for k, p := range inputs.Cloud().XYZ[i : i+count] {
		*(*[3]int32)(unsafe.Pointer(&s.rows[(row+k+1)*n.stride-6])) = p
	}
}

// findAround lists the neighbours of the stretch's points that are not among them.
func (s *stretch) findAround(run parallel.Run, inputs *embed.Inputs) error {
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
