// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"math"
	"math/rand/v2"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
)

// Graph is neighbor.FromEdges for pairs, without the loops among them. It panics
// if a pair has a vertex out of range.
func Graph(vertices int, pairs [][2]int) *neighbor.Graph {
	var edges [][2]uint32
	for _, p := range pairs {
		if p[0] != p[1] {
			edges = append(edges, [2]uint32{uint32(p[0]), uint32(p[1])})
		}
	}
	g, err := neighbor.FromEdges(vertices, edges)
	if err != nil {
		panic(err)
	}
	return g
}

// Random returns a problem on n vertices: edges with probability density,
// values around a few centres, contrasts in [0, 1], λ̃ between 0.2 and 6.
func Random(random *rand.Rand, n, dim int, density float64) *problem.Problem {
	var pairs [][2]int
	for u := range n {
		for v := range u {
			if random.Float64() < density {
				pairs = append(pairs, [2]int{u, v})
			}
		}
	}
	g := Graph(n, pairs)
	centres := make([]float64, 3*dim)
	for i := range centres {
		centres[i] = random.NormFloat64()
	}
	values := make([]float32, n*dim)
	for u := range n {
		c := random.IntN(3)
		for k := range dim {
			values[u*dim+k] = float32(centres[c*dim+k] + .4*random.NormFloat64())
		}
	}
	contrast := make([]float32, g.Edges())
	for i := range contrast {
		contrast[i] = float32(random.Float64())
	}
	regularization := .2 * math.Pow(30, random.Float64())
	return &problem.Problem{Graph: g, Dim: dim, Values: values, Contrast: contrast,
		Lambda: problem.Lambda(g, nil, regularization), MinSize: 1}
}

// Weigh sets random weights of the vertices of a problem of two columns or more, and returns it.
func Weigh(random *rand.Rand, p *problem.Problem) *problem.Problem {
	p.Weight = make([]float32, p.Graph.Vertices())
	for u := range p.Weight {
		p.Weight[u] = 1 + float32(random.IntN(3*problem.WeightSteps+1))/problem.WeightSteps
	}
	return p
}

// Grid returns a problem similar to a lidar surface: side × side vertices with 6.5
// edges each, and as values a unit embedding of 4 columns, constant on patches except
// for noise, and a scaled position.
func Grid(side int, regularization float64, minSize int) *problem.Problem {
	random := rand.New(rand.NewPCG(1, 1))
	n := side * side
	var pairs [][2]int
	steps := [][2]int{{1, 0}, {2, 0}, {-1, 1}, {0, 1}, {1, 1}, {0, 2}, {2, 1}}
	for u := range n {
		for i, s := range steps {
			x, y := u%side+s[0], u/side+s[1]
			if x >= 0 && x < side && y < side && (i < 6 || u%2 == 0) {
				pairs = append(pairs, [2]int{u, y*side + x})
			}
		}
	}
	g := Graph(n, pairs)
	patch := make([][4]float64, (side/12+1)*(side/9+1))
	for i := range patch {
		for k := range 4 {
			patch[i][k] = random.NormFloat64()
		}
	}
	values := make([]float32, n*7)
	embedding := make([]float32, n*4)
	for u := range n {
		x, y := u%side, u/side
		c, e := &patch[y/9*(side/12+1)+x/12], embedding[u*4:u*4+4]
		var s float64
		for k := range e {
			e[k] = float32(c[k] + .25*random.NormFloat64())
			s += float64(e[k]) * float64(e[k])
		}
		for k := range e {
			e[k] /= float32(math.Sqrt(s))
		}
		copy(values[u*7:], e)
		values[u*7+4], values[u*7+5] = .02*float32(x), .02*float32(y)
	}
	built, err := problem.Build(parallel.Run{}, g, problem.Terms{Embedding: embedding, Dim: 4, EdgeDecay: .5})
	if err != nil {
		panic(err)
	}
	return &problem.Problem{Graph: g, Dim: 7, Values: values, Contrast: built.Contrast,
		Lambda: problem.Lambda(g, nil, regularization), MinSize: minSize}
}

// Optimum returns the lowest energy of all partitions of at most 12 vertices
// into connected components of at least MinSize vertices (smaller only where a
// connected part of the graph is), and such a partition.
func Optimum(p *problem.Problem) (float64, []uint32) {
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
	p       *problem.Problem
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
