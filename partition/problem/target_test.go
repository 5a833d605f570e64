// SPDX-License-Identifier: BSD-3-Clause

package problem_test

import (
	"testing"

	"superpoint/partition/internal/oracle"
	"superpoint/partition/problem"
	"superpoint/testdata/must"
)

// TestMeanSizeAtTheBorder: in a chain of twelve vertices in components of 3, 3, 2 and 4, a component with a
// vertex at the border counts half, once, whichever of its vertices this is.
func TestMeanSizeAtTheBorder(t *testing.T) {
	var edges [][2]int
	for u := range 11 {
		edges = append(edges, [2]int{u, u + 1})
	}
	p := &problem.Problem{Graph: oracle.Graph(12, edges)}
	r := &problem.Result{Component: []uint32{0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3}, Count: 4}
	for _, c := range []struct {
		name   string
		border []int
		whole  float64 // number of components, halves for components at the border
	}{
		{"no border", nil, 4},
		{"first vertex of one", []int{0}, 3.5},
		{"last vertex of one", []int{5}, 3.5},
		{"all vertices of one", []int{3, 4, 5}, 3.5},
		{"two components", []int{2, 8}, 3},
		{"all components", []int{0, 4, 7, 11}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			var border []bool
			if c.border != nil {
				border = make([]bool, 12)
			}
			for _, u := range c.border {
				border[u] = true
			}
			must.Equal(t, p.MeanSize(r, 1, border), 12/c.whole, "mean size")
		})
	}
}

// TestMeanSizeIgnoresSmallClumps: vertices of connected components with fewer vertices than the target size
// do not count, unless there are no others; nor do isolated vertices.
func TestMeanSizeIgnoresSmallClumps(t *testing.T) {
	// a chain of four in components of 3 and 1; a chain of two in components of 1; an isolated vertex
	p := &problem.Problem{Graph: oracle.Graph(7, [][2]int{{0, 1}, {1, 2}, {2, 3}, {4, 5}}),
		Isolated: []bool{false, false, false, false, false, false, true}}
	r := &problem.Result{Component: []uint32{0, 0, 0, 1, 2, 3, 4}, Count: 5}
	for _, c := range []struct {
		name string
		size float64
		want float64
	}{
		{"all clumps are large enough", 2, 6. / 4},
		{"only the larger clump is, exactly", 4, 4. / 2},
		{"none is: all count", 5, 6. / 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			must.Equal(t, p.MeanSize(r, c.size, nil), c.want, "mean size")
		})
	}
}
