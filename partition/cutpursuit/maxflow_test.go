// SPDX-License-Identifier: BSD-3-Clause

package cutpursuit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

type instance struct {
	n      int
	ends   [][2]uint32
	weight []float32
	prefer []float32
}

// random returns a network with weights in eighths, so that every sum is exact.
func random(r *rand.Rand, n int, density float64) instance {
	c := instance{n: n}
	for v := range n {
		for u := range v {
			if r.Float64() < density {
				c.ends = append(c.ends, [2]uint32{uint32(u), uint32(v)})
				c.weight = append(c.weight, float32(r.IntN(16))/8)
			}
		}
		c.prefer = append(c.prefer, float32(r.IntN(49)-24)/8)
	}
	return c
}

func (c instance) cost(side []bool, scale float32) float64 {
	var sum float64
	for i, e := range c.ends {
		if side[e[0]] != side[e[1]] {
			sum += float64(scale * c.weight[i])
		}
	}
	for u, p := range c.prefer {
		if side[u] {
			sum += math.Max(-float64(p), 0)
		} else {
			sum += math.Max(float64(p), 0)
		}
	}
	return sum
}

func (c instance) cut(f *network, scale float32) []bool {
	f.reset(c.n)
	for i, e := range c.ends {
		f.connect(e[0], e[1], c.weight[i])
	}
	side := make([]bool, c.n)
	f.cut(c.prefer, scale, side)
	return side
}

// edmondsKarp returns the value of a maximum flow, on a matrix, along shortest paths (Edmonds and Karp 1972).
func (c instance) edmondsKarp(scale float32) float64 {
	n := c.n
	capacity := make([][]float64, n+2)
	for u := range capacity {
		capacity[u] = make([]float64, n+2)
	}
	for i, e := range c.ends {
		w := float64(scale * c.weight[i])
		capacity[e[0]][e[1]] += w
		capacity[e[1]][e[0]] += w
	}
	for u, p := range c.prefer {
		capacity[n][u], capacity[u][n+1] = math.Max(float64(p), 0), math.Max(-float64(p), 0)
	}
	for flow := 0.; ; {
		parent := slices.Repeat([]int{-1}, n+2)
		parent[n] = n
		for queue := []int{n}; len(queue) > 0 && parent[n+1] < 0; queue = queue[1:] {
			for v, r := range capacity[queue[0]] {
				if r > 0 && parent[v] < 0 {
					parent[v] = queue[0]
					queue = append(queue, v)
				}
			}
		}
		if parent[n+1] < 0 {
			return flow
		}
		least := math.Inf(1)
		for v := n + 1; v != n; v = parent[v] {
			least = min(least, capacity[parent[v]][v])
		}
		for v := n + 1; v != n; v = parent[v] {
			capacity[parent[v]][v] -= least
			capacity[v][parent[v]] += least
		}
		flow += least
	}
}

// TestCutAgainstEdmondsKarp: a cut that costs as much as a flow is one of the least. Real capacities are
// rounded.
func TestCutAgainstEdmondsKarp(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	var f network
	for i := range 400 {
		c, near := random(r, 1+r.IntN(61), .02+.3*r.Float64()), 0.
		if i%2 == 1 {
			near = 1e-5
			for k := range c.weight {
				c.weight[k] = r.Float32()
			}
			for u := range c.prefer {
				c.prefer[u] = float32(r.NormFloat64())
			}
		}
		scale := float32([]float64{.25, .5, 1, 2}[r.IntN(4)])
		got, want := c.cost(c.cut(&f, scale), scale), c.edmondsKarp(scale)
		must.Need(t, math.Abs(got-want) <= near*(1+want),
			"%d vertices, %d edges: cut costs %g, the flow is %g", c.n, len(c.ends), got, want)
	}
}

func TestCutAgainWithOtherPreferences(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	var f, fresh network
	c := random(r, 40, .1)
	side := c.cut(&f, 1)
	for range 20 {
		for u := range c.prefer {
			c.prefer[u] = float32(r.IntN(49)-24) / 8
		}
		f.cut(c.prefer, .5, side)
		must.Need(t, slices.Equal(side, c.cut(&fresh, .5)), "a network that is used again gives another cut")
	}
}

func TestCutDegenerate(t *testing.T) {
	var f network
	must.Equal(t, len((instance{}).cut(&f, 1)), 0, "side of no vertices")
	lone := instance{n: 3, prefer: []float32{1, 0, -1}}
	must.Equal(t, lone.cut(&f, 1), []bool{true, false, false}, "side without edges")
	// Vertex 0 costs 3 on the sink's side, vertex 2 costs 2 on the source's side; the path's edge of least
	// weight is 1–2.
	path := instance{n: 3, prefer: []float32{3, 0, -2}, ends: [][2]uint32{{0, 1}, {2, 1}},
		weight: []float32{1.5, 1}}
	must.Equal(t, path.cut(&f, 1), []bool{true, true, false}, "side of a path")
	must.Equal(t, f.neighbors(1), []uint32{0, 2}, "neighbours of 1")
}
