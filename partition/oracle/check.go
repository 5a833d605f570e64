package oracle

import (
	"fmt"
	"math"
	"math/rand/v2"

	"superpoint/partition"
	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
)

// Parts returns the connected components of the vertices that share an id,
// numbered by first vertex, and their number. Ids all equal give the connected
// components of the graph.
func Parts(p *partition.Problem, id []uint32) ([]uint32, int) {
	n := p.Graph.Vertices()
	part := make([]uint32, n)
	for u := range part {
		part[u] = uint32(u)
	}
	for changed := true; changed; {
		changed = false
		for u := range n {
			for _, v := range p.Graph.Head[p.Graph.Start[u]:p.Graph.Start[u+1]] {
				if id[u] == id[v] && part[u] != part[v] {
					least := min(part[u], part[v])
					part[u], part[v], changed = least, least, true
				}
			}
		}
	}
	return part, arrays.Number(part, n)
}

// Check returns what is wrong with r as a solution of p, or nil: ids dense and
// by first vertex, components connected, none below the smallest size but
// isolated ones, and the energy stated.
func Check(p *partition.Problem, r *partition.Result) error {
	n := p.Graph.Vertices()
	if len(r.Component) != n {
		return fmt.Errorf("%d ids for %d vertices", len(r.Component), n)
	}
	part, parts := Parts(p, r.Component)
	if parts != r.Count {
		return fmt.Errorf("%d components stated, %d connected ones found", r.Count, parts)
	}
	size := make([]int, parts)
	for u, id := range r.Component {
		if id != part[u] {
			return fmt.Errorf("vertex %d has id %d, by first vertex it is %d", u, id, part[u])
		}
		size[id]++
	}
	for u := range n {
		for _, v := range p.Graph.Head[p.Graph.Start[u]:p.Graph.Start[u+1]] {
			for _, c := range []uint32{r.Component[u], r.Component[v]} {
				if r.Component[u] != r.Component[v] && size[c] < p.MinSize {
					return fmt.Errorf("component %d has %d vertices and a neighbour; the smallest size is %d", c, size[c], p.MinSize)
				}
			}
		}
	}
	e := Energy(p, r.Component)
	if math.Abs(e-r.Energy) > 1e-9*(1+math.Abs(e)) {
		return fmt.Errorf("energy %.12g stated, %.12g computed", r.Energy, e)
	}
	return nil
}

// Energy is the energy by its definition, one component at a time.
func Energy(p *partition.Problem, id []uint32) float64 {
	members := map[uint32][]int{}
	for u, c := range id {
		members[c] = append(members[c], u)
	}
	var e float64
	for c := range uint32(len(id)) {
		e += Fidelity(p, members[c])
	}
	for u := range id {
		for k := p.Graph.Start[u]; k < p.Graph.Start[u+1]; k++ {
			if id[u] != id[p.Graph.Head[k]] {
				e += p.Lambda * float64(p.Contrast[k])
			}
		}
	}
	return e
}

// Fidelity is min_f Σ‖f − y_i‖² over the given vertices. With S the sum of n
// unit columns' values, f = S/‖S‖ gives Σ‖y_i‖² + n − 2‖S‖ there.
func Fidelity(p *partition.Problem, members []int) float64 {
	var total, unit float64
	n := float64(len(members))
	for k := range p.Dim {
		var s, ss float64
		for _, u := range members {
			y := float64(p.Values[u*p.Dim+k])
			s += y
			ss += y * y
		}
		total += ss
		if k < p.Sphere {
			unit += s * s
		} else if n > 0 {
			total -= s * s / n
		}
	}
	if p.Sphere > 0 {
		total += n - 2*math.Sqrt(unit)
	}
	return total
}

// Trivial returns the energies of the partition into single vertices and of
// that into the graph's connected components.
func Trivial(p *partition.Problem) (single, whole float64) {
	n := p.Graph.Vertices()
	ids := make([]uint32, n)
	all, _ := Parts(p, ids)
	for u := range ids {
		ids[u] = uint32(u)
	}
	return Energy(p, ids), Energy(p, all)
}

// Solve runs a solver with the given number of threads and panics on errors.
func Solve(s partition.Solver, p *partition.Problem, threads int) *partition.Result {
	r, err := s.Solve(parallel.Run{Threads: threads}, p)
	if err != nil {
		panic(err)
	}
	return r
}

// Above returns by how much a solver's energy is above the optimum on random
// small graphs, as shares on average and at worst, and on how many of them by more
// than a hundredth.
func Above(solver partition.Solver, graphs int) (mean, worst float64, over int) {
	random := rand.New(rand.NewPCG(7, 7))
	for range graphs {
		p := Random(random, 2+random.IntN(8), 1+random.IntN(7), .15+.6*random.Float64())
		best, _ := Optimum(p)
		if r := Solve(solver, p, 1); best > 0 {
			more := r.Energy/best - 1
			mean += more / float64(graphs)
			worst = max(worst, more)
			if more > .01 {
				over++
			}
		}
	}
	return mean, worst, over
}
