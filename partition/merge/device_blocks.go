package merge

import (
	"fmt"
	"sort"

	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// smallest is the fewest vertices of a block that is worth merging on a machine.
const smallest = 1024

// roundsBytes is the machine memory of a merge, some 7 % of it for the machine's
// own rounding of allocations.
func roundsBytes(vertices, edges, dim int) int {
	bytes := reduced.DeviceEdgesBytes(edges) + vertices*(8*dim+28)
	return bytes + bytes/14 + 1<<12
}

// blockEnds divides the vertices into blocks that fit into so much memory and
// returns their ends. It fails if a block would be too small to be of use.
func blockEnds(g *neighbor.Graph, dim, memory int) ([]int, error) {
	var ends []int
	n := g.Vertices()
	for lo := 0; lo < n; {
		most := n - lo
		fits := sort.Search(most, func(i int) bool {
			return roundsBytes(i+1, int(g.Start[lo+i+1]-g.Start[lo]), dim) > memory
		})
		if fits < min(most, smallest) {
			return nil, fmt.Errorf("merging on %d bytes: %w", memory, device.ErrMemory)
		}
		lo += fits
		ends = append(ends, lo)
	}
	return ends, nil
}

// interior returns the problem of vertices lo to hi − 1 and the edges among them.
func interior(p *partition.Problem, lo, hi int) *partition.Problem {
	g := &neighbor.Graph{Start: make([]uint32, 1, hi-lo+1)}
	var contrast []float32
	for u := lo; u < hi; u++ {
		for k := p.Graph.Start[u]; k < p.Graph.Start[u+1]; k++ {
			if v := int(p.Graph.Head[k]); v >= lo && v < hi {
				g.Head = append(g.Head, uint32(v-lo))
				contrast = append(contrast, p.Contrast[k])
			}
		}
		g.Start = append(g.Start, uint32(len(g.Head)))
	}
	return &partition.Problem{Graph: g, Dim: p.Dim, Values: p.Values[lo*p.Dim : hi*p.Dim], Contrast: contrast,
		Lambda: p.Lambda}
}

// inBlocks merges one block after the other, each without the edges that leave
// it: those are left to whoever goes on with the components. Vertices of a cloud
// are in tree order, so blocks are compact and few edges leave them.
func inBlocks(m device.Machine, run parallel.Run, p *partition.Problem) (component []uint32, count int, err error) {
	ends, err := blockEnds(p.Graph, p.Dim, m.Memory())
	if err != nil {
		return nil, 0, err
	}
	n, lo := p.Graph.Vertices(), 0
	component = make([]uint32, 0, n)
	for _, hi := range ends {
		own, found, err := together(m, parallel.Run{Context: run.Context, Threads: run.Threads}, interior(p, lo, hi))
		if err != nil {
			return nil, 0, err
		}
		for _, c := range own {
			component = append(component, uint32(count)+c)
		}
		count += found
		lo = hi
		run.Progress(float64(lo) / float64(n))
	}
	return component, count, run.Err()
}
