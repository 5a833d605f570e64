// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"
	"slices"

	"github.com/golang/geo/r3"
)

// Part has the properties of a group of triangles.
type Part struct {
	Class    uint8
	Material Material
	Object   uint16
	Color    [3]uint8 // black means the material's own
}

// Mesh is a set of triangles; both sides are visible.
type Mesh struct {
	Triangles [][3][3]float32
	Of        []uint16 // part of each triangle
	Parts     []Part
}

// frame is a placement of a solid in a mesh: a rotation about the vertical, then a translation.
type frame struct {
	origin   r3.Vector
	cos, sin float64
}

func at(x, y, z, turn float64) frame {
	return frame{r3.Vector{X: x, Y: y, Z: z}, math.Cos(turn), math.Sin(turn)}
}

// builder adds shapes to a mesh in the current frame, as the current part.
type builder struct {
	mesh  *Mesh
	frame frame
	part  uint16
}

func build() *builder { return &builder{mesh: &Mesh{}, frame: at(0, 0, 0, 0)} }

// use sets the part of the following shapes.
func (b *builder) use(p Part) {
	for i, q := range b.mesh.Parts {
		if p == q {
			b.part = uint16(i)
			return
		}
	}
	b.part = uint16(len(b.mesh.Parts))
	b.mesh.Parts = append(b.mesh.Parts, p)
}

func v(x, y, z float64) r3.Vector { return r3.Vector{X: x, Y: y, Z: z} }

func (b *builder) place(p r3.Vector) [3]float32 {
	f := &b.frame
	return [3]float32{
		float32(f.origin.X + f.cos*p.X - f.sin*p.Y),
		float32(f.origin.Y + f.sin*p.X + f.cos*p.Y),
		float32(f.origin.Z + p.Z),
	}
}

func (b *builder) triangle(p, q, r r3.Vector) {
	b.mesh.Triangles = append(b.mesh.Triangles, [3][3]float32{b.place(p), b.place(q), b.place(r)})
	b.mesh.Of = append(b.mesh.Of, b.part)
}

// quad adds a plane quadrilateral by its corners in order.
func (b *builder) quad(p, q, r, s r3.Vector) {
	b.triangle(p, q, r)
	b.triangle(p, r, s)
}

// box adds the cuboid between two corners.
func (b *builder) box(x0, y0, z0, x1, y1, z1 float64) {
	b.hull(level(x0, y0, x1, y1, z0), level(x0, y0, x1, y1, z1))
}

// level returns the corners of a level rectangle.
func level(x0, y0, x1, y1, z float64) [4]r3.Vector {
	return [4]r3.Vector{v(x0, y0, z), v(x1, y0, z), v(x1, y1, z), v(x0, y1, z)}
}

// hull adds the solid between two quadrilaterals whose corners correspond.
func (b *builder) hull(low, high [4]r3.Vector) {
	b.quad(low[0], low[1], low[2], low[3])
	b.quad(high[0], high[1], high[2], high[3])
	for i := range 4 {
		k := (i + 1) % 4
		b.quad(low[i], low[k], high[k], high[i])
	}
}

// rod adds a straight tapered prism of that many sides, open at its ends.
func (b *builder) rod(p, q r3.Vector, rp, rq float64, sides int) {
	axis := q.Sub(p)
	side := axis.Ortho()
	other := axis.Normalize().Cross(side)
	corner := func(at r3.Vector, radius float64, k int) r3.Vector {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
		return at.Add(side.Mul(c * radius)).Add(other.Mul(s * radius))
	}
	for k := range sides {
		b.quad(corner(p, rp, k), corner(p, rp, k+1), corner(q, rq, k+1), corner(q, rq, k))
	}
}

// drum adds an upright or lying closed prism from p to q.
func (b *builder) drum(p, q r3.Vector, radius float64, sides int) {
	b.rod(p, q, radius, radius, sides)
	axis := q.Sub(p)
	b.rod(p, p.Add(axis.Mul(1e-3)), 0, radius, sides)
	b.rod(q, q.Sub(axis.Mul(1e-3)), 0, radius, sides)
}

// relief is the height of the terrain: three octaves of smooth noise.
type relief struct {
	seed uint64
	high float64 // m, half the range of the longest waves
	long float64 // m, their length
}

// at returns the height at world coordinates, in metres.
func (r relief) at(x, y float64) float64 {
	return r.high*Noise(r.seed, x/r.long, y/r.long) +
		r.high*.25*Noise(r.seed+1, x/(r.long*.33), y/(r.long*.33)) +
		r.high*.03*Noise(r.seed+2, x/(r.long*.08), y/(r.long*.08))
}

// terrain is the ground of one block as a grid of cells.
type terrain struct {
	x0, y0  float64 // world coordinates of the block's corner
	xs, ys  []float64
	height  func(x, y float64) float64 // of a corner, block coordinates
	surface func(x, y float64) Part    // of a cell, by its middle
}

func (t terrain) build(b *builder) {
	z := make([]float64, len(t.xs)*len(t.ys))
	for j, y := range t.ys {
		for i, x := range t.xs {
			z[j*len(t.xs)+i] = t.height(x, y)
		}
	}
	corner := func(i, j int) (x, y, h float64) { return t.xs[i], t.ys[j], z[j*len(t.xs)+i] }
	for j := range len(t.ys) - 1 {
		for i := range len(t.xs) - 1 {
			b.use(t.surface((t.xs[i]+t.xs[i+1])/2, (t.ys[j]+t.ys[j+1])/2))
			b.quad(v(corner(i, j)), v(corner(i+1, j)), v(corner(i+1, j+1)), v(corner(i, j+1)))
		}
	}
}

// lines returns grid lines from 0 to length at most step apart, through every
// one of the given lines.
func lines(length, step float64, through ...float64) []float64 {
	stops := append([]float64{0, length}, through...)
	slices.Sort(stops)
	list := []float64{0}
	for _, s := range stops {
		last := list[len(list)-1]
		if s <= last {
			continue
		}
		n := int((s-last)/step + .999)
		for k := 1; k < n; k++ {
			list = append(list, last+(s-last)*float64(k)/float64(n))
		}
		list = append(list, s)
	}
	return list
}
