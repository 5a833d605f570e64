// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"math"
	"slices"

	"superpoint/testdata/las"
)

// Measures of terrain, and the set of their cells.
const (
	terrainSet   = "terrain"
	terrainRMSE  = "RMSE"
	terrainWrong = "off by 0.5 m"
)

// terrainOf compares terrain with that of the labels in every square metre with a point, from the heights of points
// over them. A cell without terrain is off.
func terrainOf(p *las.Points, name string) shares {
	heights := map[string][]float64{own: p.Extra["own"], smrf: p.Extra["smrf"]}
	all, seen := shares{}, map[[2]float64]bool{}
	var cells []int // a point of each
	for i, x := range p.X {
		at := [2]float64{math.Floor(x), math.Floor(p.Y[i])}
		if !seen[at] {
			seen[at], cells = true, append(cells, i)
		}
	}
	for method, over := range heights {
		square, compared, wrong := 0.0, 0.0, 0.0
		for _, i := range cells {
			d := over[i] - p.Extra["labels"][i]
			if math.Abs(d) > .5 {
				wrong++
			}
			if math.Abs(over[i]) < emptyCell {
				square, compared = square+d*d, compared+1
			}
		}
		all[share{terrainSet, name, method, terrainRMSE}] = math.Sqrt(square / max(1, compared))
		all[share{terrainSet, name, method, terrainWrong}] = wrong / float64(len(cells))
	}
	return all
}

// emptyCell is a height in metres that only points over an empty cell (−9999) have.
const emptyCell = 5000

// Terrain is the terrain of map beside that of SMRF's ground.
func (p *page) Terrain() (string, error) {
	s, err := p.shares()
	t := newTable("tile", "of training", "RMSE, m", "with SMRF", "cells off by 0.5 m, %", "with SMRF")
	for _, name := range s.clouds(terrainSet, own, terrainRMSE) {
		row := []string{name, map[bool]string{true: "yes"}[!slices.Contains(s.clouds("val", own, accuracy), name)]}
		for _, m := range []string{own, smrf} {
			row = append(row, fmt.Sprintf("%.3f", s[share{terrainSet, name, m, terrainRMSE}]))
		}
		for _, m := range []string{own, smrf} {
			row = append(row, fmt.Sprintf("%.2f", 100*s[share{terrainSet, name, m, terrainWrong}]))
		}
		t.row(row...)
	}
	return t.text(), err
}
