// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"math"

	"superpoint/testdata/las"
)

// Measures of terrain and footprints, and the set of their cells.
const (
	terrainSet   = "terrain"
	terrainRMSE  = "RMSE"
	terrainWrong = "off by 0.5 m"

	footprintIoU       = "footprints IoU"
	footprintPrecision = "footprints precision"
	footprintRecall    = "footprints recall"
)

// square is a square metre with points.
type square struct {
	first int // point
	// of its points, those in a footprint less those in none, and those of class building less the others
	inside, built int
}

// terrainOf compares terrain with that of the labels in every square metre with a point, from the heights of points
// over them. A cell without terrain is off. A cell is of a footprint, and built by labels, if half of its points are.
func terrainOf(p *las.Points, name string) (all rows) {
	const building = 6
	sign := map[bool]int{true: 1, false: -1}
	heights := map[string][]float64{own: p.Extra["own"], smrf: p.Extra["smrf"]}
	at := map[[2]float64]*square{}
	var cells []*square
	for i, x := range p.X {
		key := [2]float64{math.Floor(x), math.Floor(p.Y[i])}
		if at[key] == nil {
			at[key] = &square{first: i}
			cells = append(cells, at[key])
		}
		at[key].inside += sign[p.Extra["Footprint"][i] > 0]
		at[key].built += sign[p.Classification[i] == building]
	}
	count := map[[2]bool]float64{} // of cells, by whether they are of a footprint, and built
	for _, c := range cells {
		count[[2]bool{c.inside >= 0, c.built >= 0}]++
	}
	both, extra, missed := count[[2]bool{true, true}], count[[2]bool{true, false}], count[[2]bool{false, true}]
	all.put(terrainSet, name, own, footprintIoU, both/(both+extra+missed))
	all.put(terrainSet, name, own, footprintPrecision, both/(both+extra))
	all.put(terrainSet, name, own, footprintRecall, both/(both+missed))
	for method, over := range heights {
		square, compared, wrong := 0.0, 0.0, 0.0
		for _, c := range cells {
			i := c.first
			d := over[i] - p.Extra["labels"][i]
			if math.Abs(d) > .5 {
				wrong++
			}
			if math.Abs(over[i]) < emptyCell {
				square, compared = square+d*d, compared+1
			}
		}
		all.put(terrainSet, name, method, terrainRMSE, math.Sqrt(square/max(1, compared)))
		all.put(terrainSet, name, method, terrainWrong, wrong/float64(len(cells)))
	}
	return all
}

// emptyCell is a height in metres that only points over an empty cell (−9999) have.
const emptyCell = 5000
