package survey

import (
	"errors"
	"math"
	"strconv"

	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/method"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

const (
	reachSpacings  = 8.0
	aroundSpacings = 16.0  // of halo to look around points, as a rule, beyond the context that is read
	exactSpacings  = 100.0 // of halo to follow merges and moves of points, as a rule
	widening       = 1.5   // of a halo that is too narrow
)

// planExact makes the plan one of exact tiles, or tells why that cannot be.
func (p *plan) planExact(f *filter.Filter, tiling filter.Tiling, reference georef.Reference, least,
	most [3]float64) error {
	if err := f.Whole(); err != nil {
		return err
	}
	if p.Edges == 0 || p.Spacing == 0 {
		return errors.New("there are too few points to measure their spacing")
	}
	spacing := p.Spacing // as every tile reads it
	if given, err := strconv.ParseFloat(p.Options["spacing"], 64); err == nil {
		spacing = given
	}
	p.Exact = &exact{Lambda: tiling.Regularization / (4 * p.Edges), MinSize: tiling.MinSize, Sphere: tiling.Sphere,
		Reach: reachSpacings * p.Spacing, Spacing: spacing, Context: tiling.Context}
	for a := range 3 {
		const steps = 1e5 // to the metre: the middle as the whole cloud has it
		lo, hi := math.Round(least[a]*steps), math.Round(most[a]*steps)
		p.Exact.Origin[a] = math.Floor(lo/2+hi/2) / steps
	}
	_, _, up, err := reference.Metres(parallel.Run{}, []float64{0}, []float64{0}, []float64{1}, func(string) {})
	if err != nil {
		return err
	}
	p.Exact.Vertical = up[0]
	if e := tiling.Elevation; e != nil {
		unit := neighbor.Unit
		if tiling.Reference > 0 { // the network reads the cloud as if it were scaled
			unit *= tiling.Reference / spacing
		}
		p.Exact.Ground = &ground{Side: e.Side(unit), Height: e.Height(unit), Reach: e.Reach()}
	}
	p.Options["solver"] = method.Local
	return nil
}
