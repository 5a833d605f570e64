// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"cmp"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Fan is the number of neighbours of each kind from which a superpoint receives messages.
const Fan = 8

// Graph is the graph of superpoints. For each there are Fan adjacent superpoints, those
// with the longest common border, and Fan whose centroids are nearest in plan: for example
// the ground beneath a roof or a crown, which is not adjacent. Missing neighbours are
// replaced by the superpoint itself.
type Graph struct {
	Touching []int32 // superpoints × Fan
	Near     []int32 // superpoints × Fan
}

// touchNeighbors is the number of nearest neighbours of a point that count as adjacent.
const touchNeighbors = 10

// newGraph computes the graph of superpoints from the neighbours of their points and the
// centroids in f.
func newGraph(run parallel.Run, s *Superpoints, f *Features) (*Graph, error) {
	g := &Graph{Touching: make([]int32, s.Count*Fan), Near: make([]int32, s.Count*Fan)}
	for k := range s.Count {
		for h := range Fan {
			g.Touching[k*Fan+h], g.Near[k*Fan+h] = int32(k), int32(k)
		}
	}
	g.touch(s)
	return g, g.near(run, f)
}

// touch fills in Touching: the length of a common border is its number of pairs of
// neighbouring points.
func (g *Graph) touch(s *Superpoints) {
	links := s.links()
	rows := make([][]touched, s.Count)
	for from := 0; from < len(links); {
		to := from
		for to < len(links) && links[to] == links[from] {
			to++
		}
		a := int32(links[from] >> 32)
		b := int32(uint32(links[from]))
		rows[a] = append(rows[a], touched{b, to - from})
		rows[b] = append(rows[b], touched{a, to - from})
		from = to
	}
	for a, row := range rows {
		slices.SortFunc(row, func(p, q touched) int {
			return cmp.Or(cmp.Compare(q.links, p.links),
				cmp.Compare(p.of, q.of))
		})
		for h := range min(Fan, len(row)) {
			g.Touching[a*Fan+h] = row[h].of
		}
	}
}

// links returns the pairs of superpoints of neighbouring points, sorted: the smaller index in the upper half.
func (s *Superpoints) links() (links []uint64) {
	reach := min(touchNeighbors, s.Neighbors.K)
	for i, a := range s.Component {
		if a == None {
			continue
		}
		for _, j := range s.Neighbors.Of(i)[:reach] {
			if b := s.Component[j]; b != a && b != None {
				links = append(links, uint64(min(a, b))<<32|uint64(max(a, b)))
			}
		}
	}
	slices.Sort(links)
	return links
}

// touched is an adjacent superpoint and the number of pairs of points across the border.
type touched struct {
	of    int32
	links int
}

// near fills in Near: the nearest centroids in plan.
func (g *Graph) near(run parallel.Run, f *Features) error {
	n := f.Len()
	if n < 2 {
		return nil
	}
	x := make([]float64, n)
	y := make([]float64, n)
	z := make([]float64, n)
	for k, p := range f.Place {
		x[k], y[k] = p[0], p[1]
	}
	cloud, err := neighbor.New(x, y, z, run)
	if err != nil {
		return err
	}
	lists, err := cloud.Nearest(min(Fan, n-1), run)
	if err != nil {
		return err
	}
	for i := range n {
		for h, j := range lists.Of(i) {
			g.Near[int(cloud.Order[i])*Fan+h] = int32(cloud.Order[j])
		}
	}
	return nil
}
