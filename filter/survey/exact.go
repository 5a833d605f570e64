package survey

import (
	"errors"
	"fmt"
	"math"

	"superpoint/filter"
)

// exact is what all tiles share where they give together the superpoints of the
// whole: nothing in a tile's result may depend on where it ends. See README.md of
// package local for the steps, and Tile there for what a tile hands on.
//
// Not local, and fixed here or in the plan's options: the spacing of points, λ (by
// edges a point), the origin that positions count from, the smallest size. The
// order of points is that of neighbour's keys.
type exact struct {
	Origin  [3]float64 `json:"origin"` // metres
	Lambda  float64    `json:"lambda"`
	MinSize int        `json:"min_size"`         // smallest superpoint, in points
	Sphere  int        `json:"sphere,omitempty"` // columns on the unit sphere
	Reach   float64    `json:"reach"`            // metres; longer edges, along the ground, are handed on one by one
}

const (
	reachSpacings = 8.0
	exactSpacings = 80.0 // of halo: as far as merges and moves of points are followed, as a rule
	widening      = 1.5  // of a halo that is too narrow
)

// planExact makes the plan one of exact tiles, or tells why that cannot be.
func (p *plan) planExact(f *filter.Filter, tiling filter.Tiling, least, most [3]float64) error {
	if err := f.Whole(); err != nil {
		return err
	}
	if p.Edges == 0 || p.Spacing == 0 {
		return errors.New("there are too few points to measure their spacing")
	}
	p.Exact = &exact{Lambda: tiling.Regularization / (4 * p.Edges), MinSize: tiling.MinSize, Sphere: tiling.Sphere,
		Reach: reachSpacings * p.Spacing}
	for a := range 3 {
		const steps = 1e5 // to the metre: the middle as the whole cloud has it
		lo, hi := math.Round(least[a]*steps), math.Round(most[a]*steps)
		p.Exact.Origin[a] = math.Floor(lo/2+hi/2) / steps
	}
	p.Options["solver"] = "local"
	return nil
}

func (e *exact) check() error {
	for _, v := range e.Origin {
		if !finite(math.Abs(v), 0) {
			return fmt.Errorf("exact: origin %v is out of range", e.Origin)
		}
	}
	if !(finite(e.Lambda, 0) && finite(e.Reach, 0) && e.Lambda > 0 && e.Reach > 0) || e.MinSize < 1 || e.Sphere < 0 {
		return fmt.Errorf("exact: λ %v, smallest size %d, sphere %d or reach %v is out of range", e.Lambda, e.MinSize,
			e.Sphere, e.Reach)
	}
	return nil
}
