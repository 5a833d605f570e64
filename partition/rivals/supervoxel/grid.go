// SPDX-License-Identifier: BSD-3-Clause

package supervoxel

import (
	"fmt"
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/cube"
	"superpoint/partition/neighbor"
)

// mostCells bounds the number of a cell along an axis: smaller cells are hardly meant.
const mostCells = 1 << 20

// Grid groups positions by the cubes (cells) of a regular grid. Cell borders are at
// multiples of the resolution in the coordinate system, so they do not depend on
// the extent of the cloud. Occupied cells are numbered by their first position.
type Grid struct {
	Resolution float64  // side of a cell, metres
	Cell       []uint32 // cell of every position

	unit  float64
	shift [3]float64 // of the positions' origin from the grid's origin, in cells
	table cube.Table[struct{}]
}

// NewGrid groups positions, in units from origin as in neighbor.Cloud, by cells of
// the given side in metres. It fails if the side is not positive, or so small that
// an axis would have more than two million cells.
func NewGrid(at [][3]int32, unit float64, origin r3.Vector, resolution float64) (*Grid, error) {
	if !(resolution > 0) || math.IsInf(resolution, 0) {
		return nil, fmt.Errorf("supervoxel: cells of %v m; give a length above 0", resolution)
	}
	g := &Grid{Resolution: resolution, unit: unit, Cell: make([]uint32, len(at))}
	for a, o := range [3]float64{origin.X, origin.Y, origin.Z} {
		g.shift[a] = o/resolution - math.Floor(o/resolution)
	}
	for _, p := range at {
		for a, v := range p {
			if w := g.cells(v, a); math.Abs(w) >= mostCells-2 {
				return nil, fmt.Errorf(
					"supervoxel: cells of %v m are too small for a cloud that reaches %.0f m from its "+
						"middle; use at least %.3g m as seed_resolution, and as voxel_resolution of vccs",
					resolution, math.Abs(float64(v))*unit, math.Abs(float64(v))*unit/(mostCells-4))
			}
		}
	}
	for i, p := range at {
		if k := g.Of(p); i > 0 && k == g.table.Keys[g.Cell[i-1]] {
			g.Cell[i] = g.Cell[i-1]
		} else {
			g.Cell[i] = uint32(g.table.Add(k))
		}
	}
	return g, nil
}

// Len returns the number of occupied cells.
func (g *Grid) Len() int { return len(g.table.Keys) }

// Of returns the cell that contains a position.
func (g *Grid) Of(p [3]int32) (k cube.Key) {
	for a, v := range p {
		k[a] = int32(math.Floor(g.cells(v, a)))
	}
	return k
}

// Center returns the centre of a cell in units from the positions' origin.
func (g *Grid) Center(cell uint32) [3]float64 {
	var m [3]float64
	for a, v := range g.table.Keys[cell] {
		m[a] = (float64(v) + 0.5 - g.shift[a]) * g.Resolution / g.unit
	}
	return m
}

// Around calls visit for the occupied cells among the 26 neighbours of a cell.
func (g *Grid) Around(cell uint32, visit func(cell uint32)) {
	g.table.Around(g.table.Keys[cell], func(at int) { visit(uint32(at)) })
}

// Members returns the indices of the positions in each cell.
func (g *Grid) Members() arrays.Groups { return arrays.GroupBy(g.Cell, g.Len()) }

func (g *Grid) cells(v int32, axis int) float64 {
	return float64(v)*(g.unit/g.Resolution) + g.shift[axis]
}

// Tolerance is the largest relative error of the number of segments that a search
// accepts.
const Tolerance = 0.05

// Maximum numbers of evaluations of a search. Each evaluation of Fit's second search segments the
// whole cloud.
const (
	maxTries    = 24
	maxSegments = 6
)

// Relative widths of the bracket at which a search stops. Below closest, no
// resolution in between is worth an evaluation. A number of seeds that is above
// the target at one end of a bracket narrower than jump, and below it at the
// other, has a discontinuity there: a smooth count changes much less than the
// tolerance over such a bracket.
const (
	closest = 1e-6
	jump    = 1e-3
)

// Size is the size of segments, by one of its fields; the other is 0.
type Size struct {
	Resolution float64 // seed resolution R, metres
	TargetSize float64 // mean points of a segment, within Tolerance where possible
}

// Check returns an error unless one field is given and can be used.
func (s Size) Check() error {
	switch {
	case (s.Resolution != 0) == (s.TargetSize != 0):
		return fmt.Errorf("supervoxel: seed resolution %v m and target size %v; give one of them",
			s.Resolution, s.TargetSize)
	case s.TargetSize == 0 && !(s.Resolution > 0 && !math.IsInf(s.Resolution, 1)):
		return fmt.Errorf("supervoxel: seed resolution %v m; give a length above 0", s.Resolution)
	case s.TargetSize != 0 && !(s.TargetSize >= 1 && !math.IsInf(s.TargetSize, 1)):
		return fmt.Errorf("supervoxel: mean size of %v points; give a number of at least 1, for example 100",
			s.TargetSize)
	}
	return nil
}

// Wanted returns the number of segments of n points for a target size.
func Wanted(n int, targetSize float64) int {
	return max(int(math.Round(float64(n)/targetSize)), min(n, 1))
}

// Cubes returns the function from a resolution in metres to the number of cubes of that side that a cloud
// occupies.
func Cubes(c *neighbor.Cloud) func(resolution float64) (int, error) {
	return func(resolution float64) (int, error) {
		g, err := NewGrid(c.XYZ, c.Unit, c.Origin, resolution)
		if err != nil {
			return 0, err
		}
		return g.Len(), nil
	}
}

// Search searches for a resolution whose count is within Tolerance of want. From
// the guess it steps by the power law of surfaces, count ~ r^−2, until two
// resolutions bracket the target, then bisects log r. Counts that increase with
// the resolution somewhere are allowed, but can prevent that it is found. It
// returns the resolution with the count nearest to want, the last one on ties, and
// its count.
func Search(want int, guess float64, count func(resolution float64) (int, error)) (best float64,
	n int, err error) {
	s := newBisection(want, closest, maxTries)
	err = s.run([]float64{guess}, count)
	return s.best, s.n, err
}

// bisection is the state of a search.
type bisection struct {
	want      int
	tries     int     // largest number of evaluations
	end       float64 // relative width of the bracket at which to stop
	low, high float64 // bracket: the count is above want at low, and not above it at high
	best      float64 // resolution whose count is nearest to want
	n         int     // count at best
	gap       float64 // |n − want|
}

func newBisection(want int, end float64, tries int) *bisection {
	return &bisection{want: want, end: end, tries: tries, high: math.Inf(1), gap: math.Inf(1)}
}

// met reports whether the best count is within Tolerance.
func (s *bisection) met() bool { return s.gap <= Tolerance*float64(s.want) }

// bracketed reports whether both ends of the bracket are known.
func (s *bisection) bracketed() bool { return s.low > 0 && s.low < s.high && !math.IsInf(s.high, 1) }

// ended reports whether the bracket is narrower than end.
func (s *bisection) ended() bool { return s.bracketed() && s.high/s.low < 1+s.end }

// run evaluates the resolutions of first, then continues from the last of them.
func (s *bisection) run(first []float64, count func(resolution float64) (int, error)) error {
	for range s.tries {
		r := first[0]
		c, err := count(r)
		if err != nil {
			return err
		}
		if d := math.Abs(float64(c - s.want)); d <= s.gap {
			s.best = r
			s.n = c
			s.gap = d
		}
		if s.met() {
			return nil
		}
		if c > s.want {
			s.low = max(s.low, r)
		} else {
			s.high = min(s.high, r)
		}
		if s.ended() {
			return nil
		}
		if first = first[1:]; len(first) > 0 {
			continue
		}
		next, ok := s.next(r, c)
		if !ok {
			return nil // the count increases with the resolution: there is no bracket
		}
		first = []float64{next}
	}
	return nil
}

// next returns the resolution to evaluate after r, or false if low ≥ high.
func (s *bisection) next(r float64, count int) (float64, bool) {
	step := min(max(math.Sqrt(float64(max(count, 1))/float64(max(s.want, 1))), 0.25), 4)
	switch next := r * step; {
	case next > s.low && next < s.high && (s.low == 0 || math.IsInf(s.high, 1)):
		return next, true
	case s.bracketed():
		return math.Sqrt(s.low * s.high), true
	}
	return 0, false
}

// Fit searches for the resolution at which a method returns the target number of
// segments, first by the number of seeds, which is fast to compute, then by the
// number of segments. It returns the segmentation whose count is nearest to want.
// The number of seeds can have a discontinuity at the target: in a lattice of
// points, whole planes of points change cubes at one resolution. Then the cloud is
// segmented at both sides of the discontinuity first.
func Fit(want int, guess float64, seeds func(resolution float64) (int, error),
	segment func(resolution float64) (*Segmentation, error)) (*Segmentation, error) {
	b := newBisection(want, jump, maxTries)
	if err := b.run([]float64{guess}, seeds); err != nil {
		return nil, err
	}
	first, end := []float64{b.best}, closest
	if !b.met() && b.ended() {
		end = jump
		first = append(first, slices.DeleteFunc([]float64{b.low, b.high},
			func(r float64) bool { return r == b.best })...)
	}
	var best *Segmentation
	gap := func(s *Segmentation) int { return max(s.Count-want, want-s.Count) }
	err := newBisection(want, end, maxSegments).run(first, func(r float64) (int, error) {
		s, err := segment(r)
		if err != nil {
			return 0, err
		}
		if best == nil || gap(s) < gap(best) {
			best = s
		}
		return s.Count, nil
	})
	return best, err
}
