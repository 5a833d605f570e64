// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"strconv"

	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
)

// unitName returns the name of a unit in the needs of another one.
func unitName(step string, n int) string { return step + " " + strconv.Itoa(n) }

// What a unit reads. A tile may widen its halo while it runs, and so read more. That is no further need:
// embed cuts the sources that it lacks itself, and all tiles are embedded before one is coarsened. To coarsen
// a tile needs all others because of the edges that are longer than the reach, which may end anywhere.

// needsNothing is for the first step.
func needsNothing(*plan.Plan, int) []string { return []string{} }

// needsAll is for a step that reads all units of another step.
func needsAll(step string) func(*plan.Plan, int) []string {
	return func(*plan.Plan, int) []string { return []string{step} }
}

// needsOfEmbed returns the slices of a tile with its halo.
func needsOfEmbed(p *plan.Plan, n int) []string {
	all := []string{}
	for _, k := range p.Tiles[n].Sources {
		all = append(all, unitName("cut", k))
	}
	return all
}

// needsOfRefine returns the state of the tile and the global merge.
func needsOfRefine(_ *plan.Plan, n int) []string { return []string{unitName("coarsen", n), "merge"} }

// needsOfLabel returns the outputs and core components of the tile, and the classes.
func needsOfLabel(_ *plan.Plan, n int) []string {
	return []string{unitName("embed", n), unitName("refine", n), classifyStep}
}

// needsOfWrite returns the rows of the tiles that the source touches.
func needsOfWrite(p *plan.Plan, n int) []string {
	all := []string{}
	for _, t := range p.TilesTouching(n) {
		all = append(all, unitName("label", t))
	}
	return all
}

// haloOfPoints returns the halo in which neighbors are searched.
func haloOfPoints(p *plan.Plan) float64 { return p.Grid.Halo }

// haloOfSolver returns the halo that the solver reads.
func haloOfSolver(p *plan.Plan) float64 { return p.Shared.Halo }

// uneven is the largest ratio that is expected of the points of a tile to those that the bounds of sources
// give.
const uneven = 1.25

// The numbers of memory are the peaks of processes on 0.3, 0.7 and 2 million points of a simulated village,
// rounded up; cut and write include a process of pdal. The merge has 400 bytes for an initial component: one
// for three points, which is more than the village has.

// linear returns the memory of a step that needs base bytes, and a number of bytes for each point.
func linear(base, perPoint float64) folder.Memory {
	return func(_ *plan.Plan, points, _ float64) float64 { return base + perPoint*points }
}

// memoryOfEmbed returns the memory of a step that runs the filter.
func memoryOfEmbed(p *plan.Plan, points, perPoint float64) float64 {
	columns := 8 * float64(3+len(p.Reads))
	return 100e6 + uneven*(1.15*perPoint+columns)*points
}

// memoryOfLabel returns the memory of the step label.
func memoryOfLabel(p *plan.Plan, points, _ float64) float64 {
	outputs := 8 * float64(len(p.Outputs)-p.IDs())
	return 80e6 + uneven*(20+outputs)*points
}
