package oracle

import (
	"math"

	"superpoint/partition"
	"superpoint/partition/arrays"
)

// Optimum returns the lowest energy of all partitions of at most 12 vertices
// into connected components of at least MinSize vertices (smaller only where a
// connected part of the graph is), and such a partition.
func Optimum(p *partition.Problem) (float64, []uint32) {
	n := p.Graph.Vertices()
	if n > 12 {
		panic("oracle: too many vertices to try every partition")
	}
	adjacent := make([]uint32, n)
	for u := range n {
		for _, v := range p.Graph.Head[p.Graph.Start[u]:p.Graph.Start[u+1]] {
			adjacent[u] |= 1 << v
			adjacent[v] |= 1 << u
		}
	}
	s := search{p: p, n: n, cost: make([]float64, 1<<n), allowed: make([]bool, 1<<n)}
	s.weigh(adjacent)
	best := make([]float64, 1<<n)
	choice := make([]uint32, 1<<n)
	for set := uint32(1); set < 1<<n; set++ {
		best[set] = math.Inf(1)
		first := set & -set
		rest := set &^ first
		for sub := rest; ; sub = (sub - 1) & rest {
			if c := sub | first; s.allowed[c] && s.cost[c]+best[set&^c] < best[set] {
				best[set], choice[set] = s.cost[c]+best[set&^c], c
			}
			if sub == 0 {
				break
			}
		}
	}
	id := make([]uint32, n)
	for set, c := uint32(1<<n-1), uint32(0); set != 0; c++ {
		for u := range n {
			if choice[set]>>u&1 == 1 {
				id[u] = c
			}
		}
		set &^= choice[set]
	}
	arrays.Number(id, n+1)
	return best[1<<n-1], id
}

type search struct {
	p       *partition.Problem
	n       int
	cost    []float64 // of each set of vertices as one component, half its contour
	allowed []bool
}

func (s *search) weigh(adjacent []uint32) {
	for set := uint32(1); set < 1<<s.n; set++ {
		var members []int
		border := uint32(0)
		for u := range s.n {
			if set>>u&1 == 1 {
				members = append(members, u)
				border |= adjacent[u]
			}
		}
		reach := set & -set
		for grown := uint32(0); grown != reach; {
			grown = reach
			for _, u := range members {
				if reach>>u&1 == 1 {
					reach |= adjacent[u] & set
				}
			}
		}
		if reach != set || len(members) < s.p.MinSize && border&^set != 0 {
			continue
		}
		s.allowed[set] = true
		s.cost[set] = Fidelity(s.p, members) + s.contour(set)/2
	}
}

func (s *search) contour(set uint32) float64 {
	var sum float64
	for u := range s.n {
		for k := s.p.Graph.Start[u]; k < s.p.Graph.Start[u+1]; k++ {
			if set>>u&1 != set>>s.p.Graph.Head[k]&1 {
				sum += s.p.Lambda * float64(s.p.Contrast[k])
			}
		}
	}
	return sum
}
