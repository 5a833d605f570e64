package command

import (
	"errors"
	"math"

	"superpoint/filter/patch"
	"superpoint/partition/arrays"
)

// cover is the part of a plane that the points of a superpoint cover.
type cover struct {
	*patch.Triangulation
	kept   []bool // triangles without an edge that is too long
	coarse int64  // lattice steps in a step of the triangulation
}

// reach says how long an edge within a cover may be, in metres, given the median
// edge of its triangulation.
type reach func(median float64) float64

// widest is the longest edge of a cover by default: in medians of its own
// edges, and in those of the whole file, so that walls, whose points lie closely
// when seen from above, are not torn.
const (
	widestOwn  = 3
	widestFile = 2
)

// newCover triangulates positions on a lattice, 0 and above, whose steps are
// step metres in each direction. Points that span no triangle give an error,
// patch.ErrFlat.
func newCover(at [][2]int64, step [2]float64, most reach) (*cover, error) {
	points := make([]patch.Point, len(at))
	var err error
	for c := (&cover{coarse: 1}); c.coarse <= 1e6; c.coarse *= 10 { // coarser where it is too wide, or rounding broke it
		inside := true
		for i, p := range at {
			x, y := (p[0]+c.coarse/2)/c.coarse, (p[1]+c.coarse/2)/c.coarse
			inside = inside && max(x, y) < patch.Limit
			points[i] = patch.Point{X: int32(x), Y: int32(y)}
		}
		if !inside {
			continue
		}
		if c.Triangulation, err = patch.Triangulate(points); err == nil {
			length := c.length(step)
			c.kept = c.Within(length, most(c.median(length)))
			return c, nil
		} else if errors.Is(err, patch.ErrFlat) {
			break
		}
	}
	return nil, patch.ErrFlat
}

// length returns the length of edges in metres.
func (c *cover) length(step [2]float64) func(a, b patch.Point) float64 {
	x, y := step[0]*float64(c.coarse), step[1]*float64(c.coarse)
	return func(a, b patch.Point) float64 { return math.Hypot(float64(a.X-b.X)*x, float64(a.Y-b.Y)*y) }
}

// median returns the median edge, of some thousand evenly picked ones if there
// are more.
func (c *cover) median(length func(a, b patch.Point) float64) float64 {
	const enough = 1 << 12
	every, n := len(c.Corner)/enough+1, 0
	var all []float64
	c.Edges(func(a, b patch.Point) {
		if n++; n%every == 0 {
			all = append(all, length(a, b))
		}
	})
	return arrays.Median(all)
}

// spacing returns the median edge of a file's superpoints seen along z: the
// median over some hundred of them. It is 0.5 m where no superpoint spans a
// triangle.
func (s *superpoints) spacing() float64 {
	const enough = 256
	var all []float64
	for k := 0; k < s.groups.Len(); k += s.groups.Len()/enough + 1 {
		s.seenFromAbove(k, func(median float64) float64 {
			all = append(all, median)
			return 0
		})
	}
	if len(all) == 0 {
		return 0.5
	}
	return arrays.Median(all)
}

// lattice returns the positions of superpoint k on the lattice of place()
// decimals, from their least corner, which is returned too.
func (s *superpoints) lattice(k int) (at [][2]int64, least [2]int64) {
	steps := math.Pow10(s.place())
	points := s.groups.Points(k)
	at = make([][2]int64, len(points))
	least = [2]int64{math.MaxInt64, math.MaxInt64}
	for i, p := range points {
		at[i] = [2]int64{int64(math.Round(s.columns.X[p] * steps)), int64(math.Round(s.columns.Y[p] * steps))}
		least[0], least[1] = min(least[0], at[i][0]), min(least[1], at[i][1])
	}
	for i := range at {
		at[i][0] -= least[0]
		at[i][1] -= least[1]
	}
	return at, least
}

// step returns the metres in a step of the lattice of superpoint k.
func (s *superpoints) step(k int) [2]float64 {
	f, steps := &s.forms[k], math.Pow10(s.place())
	return [2]float64{f.Scale[0] / steps, f.Scale[1] / steps}
}

// seenFromAbove returns the cover of superpoint k in X and Y, and the place of
// its lattice; nil if its points span no triangle.
func (s *superpoints) seenFromAbove(k int, most reach) (c *cover, least [2]int64) {
	at, least := s.lattice(k)
	c, err := newCover(at, s.step(k), most)
	if err != nil {
		return nil, least
	}
	return c, least
}
