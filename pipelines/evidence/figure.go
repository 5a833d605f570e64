// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"slices"

	"superpoint/pipelines/commands/compare"
)

// curves is the name of the figure of the paper's systems.
const curves = "curves.svg"

// drawCurves returns the paper's figure of its systems: OOA and F against the number of components, by kinds of
// clouds. nil if there are no cells.
func drawCurves(folder string) ([]byte, error) {
	all, err := load(folder, contest()...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var drawn []cell
	var systems, titles []string
	for _, a := range contenders() {
		systems = append(systems, a.name)
	}
	for _, k := range kinds() {
		for _, size := range distinct(k.of(all), sizeOf) {
			some, clouds := common(k.of(all), size, compare.ByPieces, contenders())
			for _, a := range contenders() {
				if best := a.best(some, clouds); len(best) > 0 {
					drawn = append(drawn, sum(best, k.title(clouds), a.name))
				}
			}
		}
		if n := len(drawn); n > 0 && !slices.Contains(titles, drawn[n-1].Set) {
			titles = append(titles, drawn[n-1].Set)
		}
	}
	var text bytes.Buffer
	err = compare.WriteFigure(&text, drawn, titles, systems, []compare.Measure{
		{Name: "OOA (%)", Of: compared()[0].Of}, {Name: "F (%)", Of: compared()[1].Of}})
	return text.Bytes(), err
}

// sum adds cells, and divides by the number of seeds.
func sum(some []cell, set, system string) cell {
	total := cell{Set: set, System: system, Option: compare.ByPieces, Value: some[0].Value}
	for i := range some {
		total.Add(some[i].Counts)
	}
	total.Pieces /= int64(len(distinct(some, seedOf)))
	return total
}
