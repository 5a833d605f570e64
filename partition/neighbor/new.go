// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"
	"math"

	"github.com/golang/geo/r3"

	"superpoint/partition/base/parallel"
)

// maxPoints is the most points of a cloud: indices use 31 bits.
const maxPoints = math.MaxInt32

// finest is the number of steps per metre of the finest unit, 10 µm.
const finest = 1e5

// block is the number of points of a task in loops with equal work per point.
const block = 1 << 13

// New quantises positions in metres and sorts them into tree order. Unit is 1e-5 m,
// multiplied by ten while the extent along an axis exceeds 2³¹−1 units (21.4 km at
// 1e-5 m) or coordinates exceed 2⁵³ units, up to which float64 has all integers. Origin
// is the middle of the cloud, an integer number of units, so XYZ and Order do not change
// by a translation by an integer number of units. Order depends only on the positions;
// exact duplicates are in input order. It returns an error if the arrays differ in
// length, if a coordinate is not finite, and for more than 2³¹−1 points.
//
// Memory: 16 bytes a point for XYZ and Order and about 4.5 for the tree; while
// building 32 more.
//
// Steps: (1) the bounds, and the test that all numbers are finite; (2) the unit and the origin that follow
// from the bounds; (3) rounding to units; (4) the tree, whose construction sorts the points; (5) positions
// and input indices in its order.
func New(x, y, z []float64, run parallel.Run) (*Cloud, error) {
	n := len(x)
	if len(y) != n || len(z) != n {
		return nil, fmt.Errorf("neighbor: %d x, %d y and %d z coordinates; give one of each for every point",
			n, len(y),
			len(z))
	}
	if n > maxPoints {
		return nil, fmt.Errorf(
			"neighbor: %d points, at most %d can be handled at once; split the cloud (filters.splitter)",
			n, maxPoints)
	}
	axes := [3][]float64{x, y, z}
	var lo, hi [3]float64
	for a := range axes {
		var err error
		if lo[a], hi[a], err = extent(axes[a], "xyz"[a:a+1], run); err != nil {
			return nil, err
		}
	}
	g := newLattice(lo, hi)
	// 16 bytes a point: coordinates and the input index, which is below 2³¹.
	items := make([]item, n)
	if err := run.For(n, block, func(from, to int) {
		for i := from; i < to; i++ {
			items[i] = item{g.quantise(x[i], 0), g.quantise(y[i], 1), g.quantise(z[i], 2), int32(i)}
		}
	}); err != nil {
		return nil, err
	}
	var box node // rounding is monotonic
	for a := range axes {
		box.lo[a] = g.quantise(lo[a], a)
		box.hi[a] = g.quantise(hi[a], a)
	}
	return newCloud(g.origin(), g.unit, items, box, run)
}

// newCloud returns the cloud of items, which have a tight box. It sorts them.
//
// box must be tight, since a node is split along its longest side: another box would give another tree and
// order of points.
func newCloud(origin r3.Vector, unit float64, items []item, box node, run parallel.Run) (*Cloud, error) {
	n := len(items)
	t, err := buildTree(items, box, run)
	if err != nil {
		return nil, err
	}
	// One position more than needed: vector code reads 16 bytes at each.
	c := &Cloud{Origin: origin, Unit: unit, Least: box.lo, XYZ: make([][3]int32, n, n+1),
		Order: make([]uint32, n),
		tree:  t}
	return c, run.For(n, block, func(from, to int) {
		for i := from; i < to; i++ {
			p := &items[i]
			c.XYZ[i], c.Order[i] = [3]int32{p[0], p[1], p[2]}, uint32(p[3])
		}
	})
}

// extent returns the least and greatest value, or an error that names the first
// value that is not finite.
func extent(v []float64, name string, run parallel.Run) (lo, hi float64, err error) {
	defer parallel.Catch(&err)
	if len(v) == 0 {
		return 0, 0, nil
	}
	type part struct {
		low, high float64
		bad       int // index of a value that is not finite, or −1
	}
	lo, hi = v[0], v[0]
	for _, p := range parallel.Map(run, len(v), block, func(from, to int) part {
		p := part{v[from], v[from], -1}
		for i, x := range v[from:to] {
			// The difference is NaN for both, and NaN differs from 0. It is one test in place of two.
			if x-x != 0 { // infinite, or not a number
				p.bad = from + i
				break
			}
			if x < p.low {
				p.low = x
			} else if x > p.high {
				p.high = x
			}
		}
		return p
	}) {
		if p.bad >= 0 {
			return 0, 0, fmt.Errorf(
				"neighbor: point %d has %s = %v; remove points without finite coordinates first", p.bad,
				name, v[p.bad])
		}
		lo, hi = min(lo, p.low), max(hi, p.high)
	}
	return lo, hi, nil
}

// OriginOf returns the origin of a cloud with these bounds, in metres.
func OriginOf(least, most [3]float64) [3]float64 {
	g := newLattice(least, most)
	o := g.origin()
	return [3]float64{o.X, o.Y, o.Z}
}

// lattice is the grid that positions are rounded to.
//
// steps and unit are the same number and its reciprocal. 1e5 is exact in float64 and 1e-5 is not: multiplying
// by steps keeps a coordinate with five decimals next to its integer, and dividing by unit would add the
// error of 1e-5.
type lattice struct {
	unit   float64
	steps  float64    // per metre, when unit ≤ 1
	middle [3]float64 // origin in units, whole numbers
}

func newLattice(lo, hi [3]float64) lattice {
	g := lattice{unit: 1 / finest, steps: finest}
	// It ends: extents are finite, and each round divides them by ten. Up to a unit of 1 m steps are used,
	// then multiples of ten.
	for !g.holds(lo, hi) {
		if g.steps > 1 {
			g.steps /= 10
			g.unit = 1 / g.steps
		} else {
			g.steps = 0
			g.unit *= 10
		}
	}
	for a := range lo {
		// Halves are added, because the sum of two large coordinates might not be an integer of float64.
		// Positions are then within about 2³⁰ units of the origin.
		g.middle[a] = math.Floor(g.round(lo[a])/2 + g.round(hi[a])/2)
	}
	return g
}

// It is monotonic, so that rounded bounds are the bounds of rounded points (New).
func (g *lattice) round(v float64) float64 {
	if g.steps > 0 {
		return math.Round(v * g.steps)
	}
	return math.Round(v / g.unit)
}

// h − l ≤ 2³¹ − 1 makes differences of positions fit in 32 bits with their sign, on which all exact distances
// rely.
func (g *lattice) holds(lo, hi [3]float64) bool {
	for a := range lo {
		l := g.round(lo[a])
		h := g.round(hi[a])
		if h-l > math.MaxInt32 || max(-l, h) > 1<<53 {
			return false
		}
	}
	return true
}

// Both terms are integers below 2⁵³, so that the difference is exact. A translation by whole units changes
// both alike.
func (g *lattice) quantise(v float64, axis int) int32 { return int32(g.round(v) - g.middle[axis]) }

func (g *lattice) origin() r3.Vector {
	scale := func(units float64) float64 {
		if g.steps > 0 {
			return units / g.steps
		}
		return units * g.unit
	}
	return r3.Vector{X: scale(g.middle[0]), Y: scale(g.middle[1]), Z: scale(g.middle[2])}
}
