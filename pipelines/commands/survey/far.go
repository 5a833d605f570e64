// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/partition/base/tile"
	"superpoint/partition/neighbor"
	"superpoint/pipelines/commands/survey/plan"
)

// mostRead is the number of points up to which a file is read to find those far from all others: three
// coordinates and an order take 32 bytes a point.
const mostRead = 1 << 26

// rewrite is the remedy of a header with wrong bounds.
const rewrite = "rewrite the file with pdal translate"

// explainWidth adds to an error of a survey that is too wide which file makes it so, which of its points are
// far from all others, and a command that leaves them out. Other errors stay.
func explainWidth(p *plan.Plan, h host.Host, work string, err error) error {
	var wide *plan.WideError
	var rounded *georef.PrecisionError
	if errors.As(err, &rounded) {
		err = &plan.WideError{Reason: fmt.Sprintf("positions would be rounded to %g m", rounded.Unit)}
	}
	if !errors.As(err, &wide) {
		return err
	}
	k, whole := widest(p)
	source := &p.Sources[k]
	b := source.Bounds
	extent := fmt.Sprintf("%s reaches from X %.10g to %.10g and from Y %.10g to %.10g", source.Path,
		b[0], b[2], b[1], b[3])
	if whole {
		return fmt.Errorf("%w: %s, far from the other files; leave it out, or check its spatial reference, "+
			"or, if its points are elsewhere, %s%s", err, extent, rewrite, wide.Remedy)
	}
	group, command := farPoints(p, h, work, k)
	if group == "" {
		return fmt.Errorf("%w: %s; leave out points far from all others (filters.outlier), or, if it has "+
			"none, %s%s", err, extent, rewrite, wide.Remedy)
	}
	return fmt.Errorf("%w: %s: %s; leave them out first, with %s%s", err, source.Path, group, command,
		wide.Remedy)
}

// checkReach fails if points are farther from the origin than the order of points allows.
func checkReach(p *plan.Plan) error {
	reach := neighbor.Reach(p.Shared.Spacing)
	for k := range p.Sources {
		b, origin := p.Sources[k].Box(), p.Shared.Origin
		far := max(origin[0]-b.West*p.Unit, b.East*p.Unit-origin[0], origin[1]-b.South*p.Unit,
			b.North*p.Unit-origin[1])
		if far > reach {
			return &plan.WideError{
				Reason: fmt.Sprintf("the survey reaches %.0f km from its middle, and points %.3g m apart "+
					"may be %.0f km from it", far/1000, p.Shared.Spacing, reach/1000),
				Remedy: ", or plan a survey of each part",
			}
		}
	}
	return nil
}

// widest returns the source that makes the survey wide, and whether it lies far from the others as a whole.
// Claim: a source that spans half of the survey has points far from one another. If there is none, a group of
// sources is far from the others, and the one farthest from the median of all is in it.
func widest(p *plan.Plan) (k int, whole bool) {
	all := p.Sources[0].Box()
	var x, y []float64
	for i := range p.Sources {
		b := p.Sources[i].Box()
		all = all.Union(b)
		x, y = append(x, (b.West+b.East)/2), append(y, (b.South+b.North)/2)
		if extentOf(b) > extentOf(p.Sources[k].Box()) {
			k = i
		}
	}
	if extentOf(p.Sources[k].Box()) >= extentOf(all)/2 {
		return k, false
	}
	middle := [2]float64{median(x), median(y)}
	farthest := 0.0
	for i := range x {
		if d := math.Hypot(x[i]-middle[0], y[i]-middle[1]); d > farthest {
			k, farthest = i, d
		}
	}
	return k, true
}

// extentOf returns the longer side of a box.
func extentOf(b tile.Box) float64 { return max(b.East-b.West, b.North-b.South) }

// median returns the lower median of values.
func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}

// farPoints describes the points of a source that are far from its others, and returns a command that leaves
// them out; "" if there are none, or the file cannot be read.
func farPoints(p *plan.Plan, h host.Host, work string, k int) (group, command string) {
	source := &p.Sources[k]
	if source.Points > mostRead {
		return "", ""
	}
	points := make([]*host.Columns, len(p.Sources))
	s := &sampler{Plan: p, host: h, work: work}
	err := s.readSources([]int{k}, make([]map[[2]int64]bool, len(p.Sources)), points)
	if err != nil || points[k] == nil {
		return "", ""
	}
	view := [3][]float64{points[k].X, points[k].Y, points[k].Z}
	metres := [3][]float64{scaled(view[0], p.Unit), scaled(view[1], p.Unit), scaled(view[2], p.Up)}
	group, command = georef.FarGroup(metres, view)
	return group, strings.Replace(command, "INPUT", shellQuoted(source.Path), 1)
}

// scaled returns the product of values with a factor.
func scaled(values []float64, factor float64) []float64 {
	product := make([]float64, len(values))
	for i, v := range values {
		product[i] = v * factor
	}
	return product
}
