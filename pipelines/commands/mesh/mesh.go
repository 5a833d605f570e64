// SPDX-License-Identifier: BSD-3-Clause

// Package mesh is the command mesh: superpoints as triangles.
package mesh

import (
	"fmt"
	"image"
	"math"
	"strings"

	"github.com/golang/geo/r3"
	"github.com/hschendel/stl"

	"superpoint/filter/message"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/render"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/patch"
)

const meshUsage = `[options] FILE OUTPUT.stl

Writes planar superpoints as triangles: the points of each are projected to their best
plane and triangulated there, without triangles with an edge above --max_edge. The result
is binary STL in metres. It has 32-bit floats, so coordinates are relative to an origin,
which is in the header and in the output of the command: add it to get coordinates of the file.
Normals point up (for walls, east or north). Each superpoint has a colour, in viewers that
support colours in STL.

The file needs superpoints: run pdal superpoint segment first.

  pdal superpoint mesh segmented.laz roofs.stl
  pdal superpoint mesh --planarity 0.6 --residual 0.05 --min_points 50 segmented.laz planes.stl

The options:`

// meshes is one run of mesh.
type meshes struct {
	*table.Superpoints
	planarity, residual, maxEdge float64
	minPoints                    int
	origin                       layers.Origin
}

// Command is the command mesh.
func Command() command.Command {
	return command.Command{Name: "mesh", Line: "planar superpoints as triangles: STL",
		Usage: meshUsage, Define: meshCommand, Bytes: 280}
}

func meshCommand(a *command.Arguments) func(names []string) error {
	m := &meshes{Superpoints: table.NewSuperpoints(a)}
	m.Shape = "triangle"
	a.OutputOption("`file` to write, STL")
	a.FloatOption(&m.planarity, "planarity", 0.4, 0, 1, "smallest planarity of a superpoint, in [0, 1]")
	a.LengthOption(&m.residual, "residual", 0.1,
		"largest standard deviation of its points from their plane, metres")
	a.IntOption(&m.minPoints, "min_points", 10, 3, math.MaxInt32, "smallest number of points")
	a.LengthOption(&m.maxEdge, "max_edge", 0,
		"longest edge of a triangle, metres (default: three times the superpoint's median edge)")
	origin := a.String("origin", "",
		"`X,Y,Z` of the origin in metres (default: the minimum, rounded down to 100 m)")
	return func(names []string) error { return m.write(names, *origin) }
}

// Write writes the meshes relative to origin, "" for the default.
func (m *meshes) write(names []string, origin string) error {
	from, to, err := m.Args.OpenOne(names, layers.TrianglesEnding)
	if err != nil {
		return err
	}
	if origin != "" {
		if err := m.setOrigin(origin); err != nil {
			return err
		}
	}
	if err := m.Read(from, nil, nil); err != nil {
		return err
	}
	if err := m.CheckMetres(from); err != nil {
		return err
	}
	if origin == "" {
		m.setDefaultOrigin()
	}
	triangles, planes, err := m.triangles()
	if err != nil {
		return err
	}
	if planes == 0 {
		return fmt.Errorf(
			"%s: none of %s has %d points, planarity %v and a residual of at most %v m; loosen "+
				"the options", from, message.Count(m.Groups.Len(), "superpoint"), m.minPoints,
			m.planarity, m.residual)
	}
	err = layers.WriteTriangles(to, "superpoint mesh", m.origin, triangles)
	if err == nil {
		m.Host.Log(message.Info, fmt.Sprintf("%s: %d of %s planar, %s, %s", to.Path(), planes,
			message.Count(m.Groups.Len(), "superpoint"), message.Count(len(triangles), "triangle"), m.origin))
	}
	return err
}

// setDefaultOrigin sets the origin to the minimum coordinates of the superpoints.
func (m *meshes) setDefaultOrigin() {
	least := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	for k := range m.Forms {
		f := &m.Forms[k]
		for axis := range least {
			least[axis] = min(least[axis], f.Min[axis]*f.Scale[axis])
		}
	}
	m.origin = layers.OriginOf(least)
}

// setOrigin parses the option origin.
func (m *meshes) setOrigin(text string) error {
	parts := strings.Split(text, ",")
	for a, part := range parts {
		v, err := command.Number(strings.TrimSpace(part), -1e9, 1e9)
		if err != nil || len(parts) != len(m.origin) {
			return fmt.Errorf(
				"option origin: %q is not three numbers, comma separated, for example 600000,5000000,0", text)
		}
		m.origin[a] = v
	}
	return nil
}

// triangles returns the triangles of planar superpoints, by id, and the number
// of these superpoints.
func (m *meshes) triangles() (all []stl.Triangle, planes int, err error) {
	own := make([][]stl.Triangle, m.Groups.Len())
	err = m.Groups.Each(m.Run("meshes"), func(k int, points []uint32) {
		f := &m.Forms[k]
		if len(points) >= m.minPoints && float64(f.Planarity) >= m.planarity && f.Sigma[2] <= m.residual {
			own[k] = m.plane(k, points)
		}
	})
	for _, some := range own {
		all = append(all, some...)
		if some != nil {
			planes++
		}
	}
	return all, planes, err
}

// finestStep is the lattice step of positions in a plane, in metres.
const finestStep = 0.001

// plane returns the triangles of one superpoint.
func (m *meshes) plane(k int, points []uint32) []stl.Triangle {
	f := &m.Forms[k]
	u, v := basis(r3.Vector{X: f.Normal[0], Y: f.Normal[1], Z: f.Normal[2]})
	at := make([]image.Point, len(points))
	for i, p := range points {
		d := r3.Vector{X: (m.Columns.X[p] - f.Mean[0]) * f.Scale[0],
			Y: (m.Columns.Y[p] - f.Mean[1]) * f.Scale[1],
			Z: (m.Columns.Z[p] - f.Mean[2]) * f.Scale[2]} // from the centroid, metres
		at[i] = image.Pt(int(math.Round(d.Dot(u)/finestStep)), int(math.Round(d.Dot(v)/finestStep)))
	}
	c, err := table.NewFootprint(at, [2]float64{finestStep, finestStep}, func(median float64) float64 {
		if m.maxEdge > 0 {
			return m.maxEdge
		}
		return table.OwnEdgeFactor * median
	})
	if err != nil {
		return nil
	}
	place := func(p patch.Point) (at stl.Vec3) {
		a := finestStep * float64(c.Least.X+int(p.X)*c.Coarse)
		b := finestStep * float64(c.Least.Y+int(p.Y)*c.Coarse)
		for axis, w := range [3][2]float64{{u.X, v.X}, {u.Y, v.Y}, {u.Z, v.Z}} {
			at[axis] = float32(f.Mean[axis]*f.Scale[axis] - m.origin[axis] + a*w[0] + b*w[1])
		}
		return at
	}
	normal := stl.Vec3{float32(f.Normal[0]), float32(f.Normal[1]), float32(f.Normal[2])}
	colour := viscam(m.Groups.ID[k])
	var all []stl.Triangle
	for i, kept := range c.Kept {
		if kept {
			t := stl.Triangle{Normal: normal, Attributes: colour}
			for corner := range t.Vertices {
				t.Vertices[corner] = place(c.At[c.Corner[3*i+corner]])
			}
			all = append(all, t)
		}
	}
	return all
}

// basis returns unit vectors u and v with u × v = n.
func basis(n r3.Vector) (u, v r3.Vector) {
	axis := r3.Vector{X: 1}
	if math.Abs(n.X) > 0.7 {
		axis = r3.Vector{Y: 1}
	}
	v = n.Cross(axis)
	length := v.Norm()
	v = r3.Vector{X: v.X / length, Y: v.Y / length, Z: v.Z / length}
	return v.Cross(n), v
}

// viscam returns the colour of a superpoint as the attribute of an STL triangle:
// five bits each of red, green and blue, and the highest bit set (the convention of VisCAM
// and SolidView).
func viscam(id uint32) uint16 {
	c := render.ObjectColor(id)
	return 1<<15 | uint16(c[0]>>3)<<10 | uint16(c[1]>>3)<<5 | uint16(c[2]>>3)
}
