// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"maps"
	"math"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// triangulateAll returns the triangulation of a cloud's distinct points.
func triangulateAll(t *testing.T, c *Cloud) *triangulation {
	t.Helper()
	var distinct []uint32
	for i := range c.XYZ {
		if i == 0 || c.XYZ[i] != c.XYZ[i-1] {
			distinct = append(distinct, uint32(i))
		}
	}
	return must.Get(triangulate(c.lattice(distinct), parallel.Run{}))(t)
}

// checkCells checks that no point (of some 60, others for every cell) is inside the circumsphere of a finite
// cell, that cells are linked in both directions and have positive orientation, and that every point is a
// vertex.
func checkCells(t *testing.T, tr *triangulation) {
	t.Helper()
	used := make([]bool, len(tr.at))
	for n := range tr.cells {
		c := &tr.cells[n]
		if c.mark == gone {
			continue
		}
		for i, b := range c.beside {
			back := false
			for j, a := range tr.cells[b].beside {
				back = back || int(a) == n && sameFacet(&c.vertex, i, &tr.cells[b].vertex, j)
			}
			must.Need(t, tr.cells[b].mark != gone,
				"cell %d is not linked to %d across side %d: tr.cells[b].mark is gone", n, b, i)
			must.Need(t, back, "cell %d is not linked to %d across side %d: back is false", n, b, i)
		}
		if tr.infinite(c) >= 0 {
			continue
		}
		q := tr.positions(&c.vertex)
		must.Need(t, orientation(q[0], q[1], q[2], q[3]) == 1, "cell %v is flat or inverted", c.vertex)
		for p := n % (1 + len(tr.at)/60); p < len(tr.at); p += 1 + len(tr.at)/60 {
			must.Need(t, inSphere(q[0], q[1], q[2], q[3], tr.at[p]) <= 0,
				"point %d is inside the sphere of %v", p, c.vertex)
		}
		for _, v := range c.vertex {
			if v < tr.pole() {
				used[v] = true
			}
		}
	}
	for p, u := range used {
		if !u {
			must.Need(t, len(tr.cells) == 0, "point %d is in no cell: len(tr.cells) is not 0", p)
		}
	}
}

func TestDelaunaySpheresAreEmpty(t *testing.T) {
	for name, cols := range degenerate() {
		t.Run(name, func(t *testing.T) { checkCells(t, triangulateAll(t, mustNew(t, cols, 1))) })
	}
}

// TestDelaunayFillsTheHull: with empty spheres there can still be gaps.
func TestDelaunayFillsTheHull(t *testing.T) {
	tr := triangulateAll(t, mustNew(t, degenerate()["lattice"], 1))
	six := 0.0
	for i := range tr.cells {
		if c := &tr.cells[i]; c.mark != gone && tr.infinite(c) < 0 {
			q := tr.positions(&c.vertex)
			det, _ := det3(q[1].minus(q[0]), q[2].minus(q[0]), q[3].minus(q[0]))
			six += det
		}
	}
	must.Hold(t, six == 6*9*9*9, "cells have volume %v, want 9³", six/6)
}

// TestDelaunayAgainstBruteForce compares with every tetrahedron of four points
// whose sphere is empty, which in general position are the triangulation.
func TestDelaunayAgainstBruteForce(t *testing.T) {
	for seed := range uint64(20) {
		c := mustNew(t, uniform(5+int(seed)%12, seed), 1)
		at := triangulateAll(t, c).at
		want := map[[2]uint32]bool{}
		for i := range at {
			for j := range i {
				for k := range j {
					for l := range k {
						if emptySphere(at, i, j, k, l) {
							for _, e := range [][2]int{{j, i}, {k, i}, {l, i}, {k, j}, {l, j}, {l, k}} {
								want[[2]uint32{uint32(e[0]), uint32(e[1])}] = true
							}
						}
					}
				}
			}
		}
		g := must.Get(Delaunay3D(c, 1e9, parallel.Run{}))(t)
		checkGraph(t, g)
		must.Equal(t, edgeSet(g), want, "edges of %d points", len(at))
	}
}

func emptySphere(at []vec, i, j, k, l int) bool {
	a, b := at[i], at[j]
	if orientation(a, b, at[k], at[l]) < 0 {
		a, b = b, a
	}
	for p := range at {
		if p != i && p != j && p != k && p != l && inSphere(a, b, at[k], at[l], at[p]) >= 0 {
			return false
		}
	}
	return true
}

// TestDelaunayOfPlanesAgainstBruteForce does the same for circles, with points on a level and on a tilted
// plane.
func TestDelaunayOfPlanesAgainstBruteForce(t *testing.T) {
	for seed := range uint64(20) {
		flat := uniform(4+int(seed)%20, seed+100)
		var tilted columns
		for i := range flat.x {
			x, y := math.Round(flat.x[i]*1e4)/1e4, math.Round(flat.y[i]*1e4)/1e4
			tilted.add(3*x, 4*x, 5*y) // 5 times the flat points, turned
			flat.x[i], flat.y[i], flat.z[i] = x, y, 7
		}
		for _, cols := range []columns{flat, tilted} {
			c := mustNew(t, cols, 1)
			x, y := make([]float64, len(flat.x)), make([]float64, len(flat.x))
			for i, o := range c.Order {
				x[i], y[i] = math.Round(flat.x[o]*1e4), math.Round(flat.y[o]*1e4)
			}
			g := must.Get(Delaunay3D(c, 1e9, parallel.Run{}))(t)
			checkGraph(t, g)
			must.Equal(t, edgeSet(g), circleEdges(x, y), "edges of %d points", len(x))
		}
	}
}

// circleEdges returns the edges of triangles with empty circles, for whole numbers below 2^17 in general
// position.
func circleEdges(x, y []float64) map[[2]uint32]bool {
	edges := map[[2]uint32]bool{}
	inCircle := func(i, j, k, p int) int {
		var m [3]vec
		for r, q := range []int{i, j, k} {
			dx, dy := x[q]-x[p], y[q]-y[p]
			m[r] = vec{dx, dy, dx*dx + dy*dy}
		}
		return exact3(m[0], m[1], m[2]).Sign()
	}
	for i := range x {
		for j := range i {
			for k := range j {
				turn := (x[j]-x[i])*(y[k]-y[i]) - (y[j]-y[i])*(x[k]-x[i])
				empty := turn != 0
				for p := range x {
					if p != i && p != j && p != k && float64(inCircle(i, j, k, p))*turn > 0 {
						empty = false
					}
				}
				if empty {
					for _, e := range [][2]int{{j, i}, {k, i}, {k, j}} {
						edges[[2]uint32{uint32(e[0]), uint32(e[1])}] = true
					}
				}
			}
		}
	}
	return edges
}

func TestDelaunayEdgesOfDegenerateClouds(t *testing.T) {
	for name, cols := range degenerate() {
		c := mustNew(t, cols, 1)
		g := must.Get(Delaunay3D(c, math.Inf(1), parallel.Run{}))(t)
		checkGraph(t, g)
		_, parts := Components(g)
		must.Equal(t, g.Vertices(), c.Len(), "%s: g.Vertices()", name)
		must.Equal(t, parts, min(1, c.Len()), "%s: parts", name)
		pruned := must.Get(Delaunay3D(c, 0.5, parallel.Run{}))(t)
		want := edgeSet(g)
		maps.DeleteFunc(want, func(e [2]uint32, _ bool) bool {
			return math.Sqrt(float64(c.squared(e[0], e[1])))*c.Unit > 0.5+1e-9
		})
		must.Hold(t, maps.Equal(edgeSet(pruned), want), "%s: %d edges up to 0.5 m, want %d", name,
			pruned.Edges(), len(want))
	}
}

func TestDelaunayOfALineIsAChain(t *testing.T) {
	c := mustNew(t, columns{x: []float64{0, 3, 1, 7}, y: []float64{0, 6, 2, 14}, z: make([]float64, 4)}, 1)
	must.Equal(t, must.Get(Delaunay3D(c, 1e9, parallel.Run{}))(t).Edges(), 3, "edges")
	must.Fail(Delaunay3D(c, math.NaN(), parallel.Run{}))(t)
}

// TestPredicatesAgainstExactIntegers compares signs with unlimited integers
// where float64 is inexact: nearly coplanar and cospherical points of 31 bits.
func TestPredicatesAgainstExactIntegers(t *testing.T) {
	r := random(5)
	for _, size := range []float64{3, 500, 1 << 12, 1 << 22, 1 << 31} {
		for range 2000 {
			var p [5]vec
			for i := range p {
				for a := range 3 {
					p[i][a] = math.Floor(r.Float64() * size)
				}
			}
			if r.IntN(2) == 0 { // nearly coplanar: the third coordinate follows the others
				for i := range p {
					p[i][2] = math.Floor((p[i][0] + p[i][1]) / 2)
				}
			}
			o := orientation(p[0], p[1], p[2], p[3])
			exact := exact3(p[1].minus(p[0]), p[2].minus(p[0]), p[3].minus(p[0])).Sign()
			must.Need(t, o == exact, "orientation of %v: %d, want %d", p[:4], o, exact)
			rows := [4]vec{p[0].minus(p[4]), p[1].minus(p[4]), p[2].minus(p[4]), p[3].minus(p[4])}
			o, exact = inSphere(p[0], p[1], p[2], p[3], p[4]), exactSphere(&rows)
			must.Need(t, o == exact, "inSphere of %v: %d, want %d", p, o, exact)
		}
	}
	axes := [4]vec{{}, {1}, {0, 1}, {0, 0, 1}}
	must.Equal(t, orientation(axes[0], axes[1], axes[2], axes[3]), 1,
		"orientation of the unit tetrahedron")
	must.Equal(t, inSphere(axes[0], axes[1], axes[2], axes[3], vec{1, 1, 0}), 0,
		"sign of a point on the sphere")
	must.Equal(t, inSphere(axes[0], axes[1], axes[2], axes[3], vec{1, 1, 1}), 0,
		"sign of a point on the sphere, opposite")
	must.Equal(t, inSphere(axes[0], axes[1], axes[2], axes[3], vec{2, 0, 0}), -1,
		"sign of a point outside")
	half := [4]vec{{}, {2}, {0, 2}, {0, 0, 2}}
	must.Hold(t, inSphere(half[0], half[1], half[2], half[3], vec{1, 1, 1}) == 1,
		"centre of the sphere is not inside")
}
