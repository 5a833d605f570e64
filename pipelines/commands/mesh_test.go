// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/golang/geo/r3"
	"github.com/hschendel/stl"

	"superpoint/filter/georef"
	"superpoint/testdata/must"
)

func (m *fakeHost) mesh(args ...string) *stl.Solid {
	m.t.Helper()
	path := filepath.Join(m.t.(*testing.T).TempDir(), "a.stl")
	m.run(append([]string{"mesh", "made.las", path}, args...)...)
	return must.Get(stl.ReadFile(path))(m.t)
}

// areaAndNormals sums the area of triangles, and fails the test unless each
// turns the way of its normal, which is n.
func areaAndNormals(t *testing.T, triangles []stl.Triangle, n [3]float64) (area float64) {
	t.Helper()
	want := r3.Vector{X: n[0], Y: n[1], Z: n[2]}
	vector := func(v stl.Vec3) r3.Vector { return r3.Vector{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])} }
	for i, tri := range triangles {
		at := vector(tri.Vertices[0])
		c := vector(tri.Vertices[1]).Sub(at).Cross(vector(tri.Vertices[2]).Sub(at))
		area += c.Norm() / 2
		if c.Mul(1/c.Norm()).Sub(want).Norm() > 1e-3 || vector(tri.Normal).Sub(want).Norm() > 1e-5 {
			t.Fatalf("triangle %d: %+v turns to %v, want %v", i, tri, c, n)
		}
	}
	return area
}

// TestMeshByHand has a level square, a roof of 45°, a wall, and a blob that is no plane.
func TestMeshByHand(t *testing.T) {
	m := &fakeHost{stepsHost: stepsHost{t: t}}
	level, roof, wall, blob := square(600000, 5000000, 250, 4), square(0, 0, 0, 4), square(0, 0, 0, 4), square(0, 0, 0, 4)
	for i := range level {
		p, q := roof[i], wall[i]
		roof[i] = [3]float64{600050 + p[0], 5000000 + p[1], 250 + p[0]}
		wall[i] = [3]float64{600080, 5000000 + q[0], 250 + q[1]}
		blob[i] = [3]float64{600100 + q[0], 5000000 + q[1], 250 + float64(i*i%5)}
	}
	m.add(1, 1, level...)
	m.add(2, 1, roof...)
	m.add(3, 1, wall...)
	m.add(4, 1, blob...)
	m.add(5, 1, level[:3]...) // too few points
	solid := m.mesh()
	if want := "superpoint mesh, origin 600000 5000000 200 m"; string(solid.BinaryHeader[:len(want)]) != want {
		t.Errorf("header %q", solid.BinaryHeader)
	}
	if len(solid.Triangles) != 3*32 {
		t.Fatalf("%d triangles, want 3 × 32", len(solid.Triangles))
	}
	s := math.Sqrt(0.5)
	for k, c := range []struct {
		area   float64
		normal [3]float64
	}{{16, [3]float64{0, 0, 1}}, {16 / s, [3]float64{-s, 0, s}}, {16, [3]float64{1, 0, 0}}} {
		if area := areaAndNormals(t, solid.Triangles[32*k:32*k+32], c.normal); math.Abs(area-c.area) > 0.01 {
			t.Errorf("superpoint %d has %v m², want %v", k+1, area, c.area)
		}
	}
	for _, v := range solid.Triangles[0].Vertices {
		if v[2] != 50 || v[0] < 0 || v[0] > 4 || v[0] != float32(math.Round(float64(v[0]))) {
			t.Errorf("vertex %v", v)
		}
	}
	if a, b := solid.Triangles[0].Attributes, solid.Triangles[32].Attributes; a>>15 != 1 || b>>15 != 1 || a == b {
		t.Errorf("colours %x and %x", a, b)
	}
	moved := m.mesh("--origin", "600000,5000000,250", "--residual", "5", "--planarity", "0")
	if len(moved.Triangles) <= 96 || moved.Triangles[0].Vertices[0][2] != 0 {
		t.Errorf("%d triangles, %+v", len(moved.Triangles), moved.Triangles[0])
	}
}

func TestMeshRefuses(t *testing.T) {
	m := twoSquares(t)
	m.columns.Reference.Kind = georef.Geographic
	m.columns.Reference.WKT = ""
	for i := range m.columns.X {
		m.columns.X[i], m.columns.Y[i] = 7, 50
	}
	out := filepath.Join(t.TempDir(), "a.stl")
	must.Fail(Run(m, []string{"mesh", "made.las", out}))(t)                                   // degrees
	must.Fail(Run(twoSquares(t), []string{"mesh", "--min_points", "17", "made.las", out}))(t) // no superpoint is left
}
