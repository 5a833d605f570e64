package survey

import (
	"errors"
	"math"

	"superpoint/filter"
	"superpoint/filter/method"
)

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
	p.Options["solver"] = method.Local
	return nil
}
