// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/golang/geo/r3"
	"github.com/hschendel/stl"

	"superpoint/filter/georef"
	"superpoint/testdata/must"
)

// blockFile is an STL file of blocks with the origin in its header.
type blockFile struct {
	*stl.Solid
	origin r3.Vector
}

// blocks returns the blocks of a host.
func blocks(t *testing.T, h *fakeHost) (made blockFile) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.stl")
	h.run("objects", "made.las", path)
	made.Solid = must.Get(stl.ReadFile(path))(t)
	_, err := fmt.Sscanf(string(made.BinaryHeader), "superpoint buildings, origin %g %g %g m", &made.origin.X,
		&made.origin.Y, &made.origin.Z)
	must.OK(t, err)
	return made
}

func vector(v stl.Vec3) r3.Vector {
	return r3.Vector{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])}
}

// TestBlocks: the triangles of a gabled hall and of a flat house with a court are closed surfaces with the
// volumes of the blocks, seen from outside, with normals that point there, at the place of the buildings.
func TestBlocks(t *testing.T) {
	for name, metres := range map[string]float64{"metres": 1, "feet": 0.3048} {
		h := hall(t)
		for i := range h.columns.X {
			h.columns.X[i] /= metres
			h.columns.Y[i] /= metres
			h.columns.Z[i] /= metres
		}
		h.columns.Reference = georef.Reference{HorizontalUnit: metres, VerticalUnit: metres}
		made := blocks(t, h)
		edges := map[[2]stl.Vec3]int{}
		volume := 0.0
		low, high := vector(made.Triangles[0].Vertices[0]), vector(made.Triangles[0].Vertices[0])
		for _, triangle := range made.Triangles {
			a := vector(triangle.Vertices[0])
			b := vector(triangle.Vertices[1])
			c := vector(triangle.Vertices[2])
			normal := b.Sub(a).Cross(c.Sub(a))
			normal = normal.Mul(1 / normal.Norm())
			must.Hold(t, normal.Sub(vector(triangle.Normal)).Norm() < 1e-5, "%s: normal %v, want %v", name,
				triangle.Normal, normal)
			volume += a.Dot(b.Cross(c)) / 6
			for k, from := range triangle.Vertices {
				edges[[2]stl.Vec3{from, triangle.Vertices[(k+1)%3]}]++
				at := vector(from)
				low = r3.Vector{X: min(low.X, at.X), Y: min(low.Y, at.Y), Z: min(low.Z, at.Z)}
				high = r3.Vector{X: max(high.X, at.X), Y: max(high.Y, at.Y), Z: max(high.Z, at.Z)}
			}
		}
		for edge, count := range edges {
			must.Equal(t, count, 1, "%s: triangles with the edge %v", name, edge)
			across := edges[[2]stl.Vec3{edge[1], edge[0]}]
			must.Equal(t, across, 1, "%s: triangles across the edge %v", name, edge)
		}
		// the hall of 20 m × 10 m with a block of 6 m, and the house of 30 m × 20 m × 5 m with a court of
		// 10 m × 8 m
		const want = 200*6 + (600-80)*5
		must.Hold(t, math.Abs(volume-want) < 0.06*want, "%s: volume %v, want about %v", name, volume, want)
		for what, c := range map[string][2]r3.Vector{
			"lowest":  {low.Add(made.origin), {X: 600010, Y: 5000010, Z: 100}},
			"highest": {high.Add(made.origin), {X: 600040, Y: 5000050, Z: 106}},
		} {
			must.Hold(t, c[0].Sub(c[1]).Norm() < 1.5,
				"%s: %s place %v, want about %v", name, what, c[0], c[1])
		}
	}
}

// TestBlocksWithoutBuildings: a cloud without buildings, or in degrees, is an error and leaves no file.
func TestBlocksWithoutBuildings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made.stl")
	h := hallTo(t, 9)
	must.Fail(Run(h, []string{"objects", "made.las", path}))(t, path, "no building", "GeoPackage")
	h = hall(t)
	inDegrees(t, h)
	err := Run(h, []string{"objects", "made.las", path})
	must.Fail(err)(t, path, "STL", "degrees", "filters.reprojection")
	_, err = os.Stat(path)
	must.Hold(t, os.IsNotExist(err), "%s is there after errors", path)
}
