// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"fmt"
	"math"

	"github.com/golang/geo/r3"
	"github.com/hschendel/stl"

	"superpoint/filter/message"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/patch"
)

// writeBlocks writes the blocks of the buildings as STL. It fails for degrees.
func (o *Finding) writeBlocks(to *atomicfile.Output) error {
	if err := o.checkVolumes(to, "STL"); err != nil {
		return err
	}
	if len(o.Buildings) == 0 {
		return fmt.Errorf("%s: there is no building, and few programs read STL without triangles; "+
			"write a GeoPackage", to.Path())
	}
	origin := o.blockOrigin()
	var all []stl.Triangle
	for k := range o.Buildings {
		x := &o.Buildings[k]
		for _, polygon := range x.Outline {
			lids, err := patch.Fill(polygon)
			if err != nil {
				return fmt.Errorf("%s: building %d: %w", to.Path(), k+1, err)
			}
			all = append(all, o.blockOf(x, lids, origin)...)
		}
	}
	if err := layers.WriteTriangles(to, "superpoint buildings", origin, all); err != nil {
		return err
	}
	o.Args.Host.Log(message.Info, fmt.Sprintf("%s: %s, %s", to.Path(),
		message.Count(len(all), "triangle"), origin))
	return nil
}

// blockOrigin returns the origin of the blocks.
func (o *Finding) blockOrigin() layers.Origin {
	first := o.firstCorner()
	least := [3]float64{float64(first.X) * o.Stride[0], float64(first.Y) * o.Stride[1], math.Inf(1)}
	for k := range o.Buildings {
		least[2] = min(least[2], o.Buildings[k].Ground)
	}
	return layers.OriginOf(least)
}

// blockOf returns the closed surface of the block of a building over triangles that cover one of its
// polygons: the triangles at both heights, and a wall of two triangles where an edge has a triangle on one
// side only.
func (o *Finding) blockOf(x *Mapped, lids [][3]patch.Point, origin layers.Origin) (made []stl.Triangle) {
	corner := func(p patch.Point, height float64) stl.Vec3 {
		return stl.Vec3{
			float32(float64(x.Origin.X+int(p.X))*o.Stride[0] - origin[0]),
			float32(float64(x.Origin.Y+int(p.Y))*o.Stride[1] - origin[1]),
			float32(height - origin[2]),
		}
	}
	low, high := x.Ground, x.Ground+x.Block()
	edges := map[[2]patch.Point]bool{}
	for _, lid := range lids {
		for k, from := range lid {
			edges[[2]patch.Point{from, lid[(k+1)%3]}] = true
		}
	}
	for _, lid := range lids {
		made = append(made, facet(corner(lid[0], high), corner(lid[1], high), corner(lid[2], high)),
			facet(corner(lid[0], low), corner(lid[2], low), corner(lid[1], low)))
		for k, from := range lid {
			to := lid[(k+1)%3]
			if edges[[2]patch.Point{to, from}] {
				continue
			}
			made = append(made, facet(corner(from, low), corner(to, low), corner(to, high)),
				facet(corner(from, low), corner(to, high), corner(from, high)))
		}
	}
	return made
}

// facet returns a triangle with its normal, which points to where its corners are counter-clockwise.
func facet(a, b, c stl.Vec3) stl.Triangle {
	vector := func(v stl.Vec3) r3.Vector {
		return r3.Vector{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])}
	}
	n := vector(b).Sub(vector(a)).Cross(vector(c).Sub(vector(a)))
	n = n.Mul(1 / n.Norm())
	normal := stl.Vec3{float32(n.X), float32(n.Y), float32(n.Z)}
	return stl.Triangle{Normal: normal, Vertices: [3]stl.Vec3{a, b, c}}
}
