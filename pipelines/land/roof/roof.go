// SPDX-License-Identifier: BSD-3-Clause

// Package roof finds the form of a roof, and the heights of its eave and its ridge, from the planes of its
// superpoints.
//
// Every superpoint proposes the plane fitted to it. Planes are accepted one after the other, the one with
// most cells first, and each takes the cells that are near it (sequential consensus, as in Schnabel et al.
// 2007, doi:10.1111/j.1467-8659.2007.01016.x, without chance). A superpoint that is not planar proposes the
// planes of patches of it. The form follows from the slopes of the planes: two opposite ones are a gable,
// and a third one at the end of their ridge, below both where it is seen, is a hip.
//
// Lengths are in metres. Results depend on the cells and their order only.
package roof

import "math"

// Form is the form of a roof.
type Form uint8

// Forms.
const (
	Unknown Form = iota // planes do not decide
	Flat
	Gabled
	Hipped
	Other // planes decide that it is none of these, for example a single slope
)

// String returns the word for a form.
func (f Form) String() string {
	return [...]string{"unknown", "flat", "gabled", "hipped", "other"}[f]
}

// Roof is the form of a roof with the heights of the main planes' lower and upper edge. They are equal for a
// flat roof, and NaN for an unknown one.
type Roof struct {
	Form        Form
	Eave, Ridge float64 // Z, metres
}

// Nothing is the roof of a building whose planes do not decide.
func Nothing() Roof { return Roof{Unknown, math.NaN(), math.NaN()} }

const (
	fewest     = 30  // cells: a smaller roof is not decided
	decided    = 0.6 // share of the cells that planes must have
	clearly    = 0.8 // the same of a roof that is none of the forms: a missing plane may be half of a gable
	mostlyFlat = 0.6 // share of flat planes, of the cells of all planes, of a flat roof
	mostlyPair = 0.5 // share of opposite planes and hips of a gabled or hipped roof
	mainPair   = 0.2 // share of its largest two opposite planes: blocks of many roofs have no form
	leastHips  = 0.05
)

// Of returns the roof over cells of a side.
func Of(cells []Cell, side float64) Roof {
	if len(cells) < fewest {
		return Nothing()
	}
	planes := find(cells, side)
	total := planes.cells(func(*plane) bool { return true })
	isDecided := float64(total) >= decided*float64(len(cells))
	if !isDecided {
		return Nothing()
	}
	flat := planes.cells((*plane).flat)
	isFlat := float64(flat) >= mostlyFlat*float64(total)
	if isFlat {
		height := planes.largest((*plane).flat).middle()
		return Roof{Flat, height, height}
	}
	main := planes.largest((*plane).sloped)
	if main == nil {
		return Nothing()
	}
	sloped := planes.sloping(main, total)
	mayLackPlane := float64(total) < clearly*float64(len(cells))
	if sloped.Form == Other && mayLackPlane {
		return Nothing()
	}
	return sloped
}

// sloping returns a roof whose largest sloped plane is main; total are the cells of all planes.
func (all planes) sloping(main *plane, total int) Roof {
	pairs := all.pairs()
	var paired, hips int
	for _, p := range all {
		switch {
		case pairs[p] != nil:
			paired += len(p.cells)
		case all.hip(p, pairs):
			hips += len(p.cells)
		}
	}
	first := all.largest(func(p *plane) bool { return pairs[p] != nil })
	if first == nil || float64(paired+hips) < mostlyPair*float64(total) {
		return main.other()
	}
	second := pairs[first]
	if float64(len(first.cells)+len(second.cells)) < mainPair*float64(total) {
		return main.other()
	}
	made := Roof{Form: Gabled, Ridge: first.meets(second)}
	low, _ := first.edges()
	lower, _ := second.edges()
	made.Eave = min(low, lower)
	if float64(hips) >= leastHips*float64(paired+hips) {
		made.Form = Hipped
	}
	if skirt := all.skirt(first); skirt != nil {
		made.Form = Other
		made.Eave, _ = skirt.edges()
	}
	return made
}

// other returns a roof of another form with the edges of its largest plane.
func (p *plane) other() Roof {
	low, high := p.edges()
	return Roof{Other, low, high}
}
