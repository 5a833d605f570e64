// SPDX-License-Identifier: BSD-3-Clause

// Package survey partitions clouds that do not fit into memory, tile by tile, as if they were one. The plan
// is in package plan, the folder of the survey in package folder; here is what the steps compute, and what
// runs them.
package survey

import "superpoint/pipelines/commands/survey/folder"

// Steps lists the steps behind the plan, in order.
func Steps() []folder.Step {
	return []folder.Step{
		{
			Name:   "cut",
			Over:   folder.Sources,
			Reads:  "source K",
			Makes:  []string{"N/K.las"},
			Help:   "the points of a source by tile",
			Needs:  needsNothing,
			Memory: linear(150e6, 10),
			Inputs: inputsOfCut,
			Batch:  cut(allTiles),
		},
		{
			Name:   "embed",
			Over:   folder.Tiles,
			Reads:  "cut of the tiles around",
			Makes:  []string{"N.outputs", "N.points", "N.long"},
			Help:   "neighbors, embedding, edges and outputs of the points of a tile",
			Needs:  needsOfEmbed,
			Halo:   haloOfPoints,
			Memory: memoryOfEmbed,
			Inputs: inputsOfEmbed,
			Do:     embedTile,
		},
		{
			Name:   "coarsen",
			Over:   folder.Tiles,
			Reads:  "embed of the tiles around, long edges of all",
			Makes:  []string{"N.atoms", "N.state"},
			Help:   "initial components of the points of a tile, of at most 16 points",
			Needs:  needsAll("embed"),
			Halo:   haloOfSolver,
			Memory: linear(150e6, uneven*310),
			Inputs: folder.DependsOn("embed"),
			Do:     coarsen,
		},
		{
			Name:   "merge",
			Over:   folder.Once,
			Reads:  "coarsen of all tiles",
			Makes:  []string{"atoms", "components"},
			Help:   "the partition of the reduced graph of all initial components",
			Needs:  needsAll("coarsen"),
			Memory: linear(100e6, 400./3),
			Inputs: folder.DependsOn("coarsen"),
			Do:     merge,
		},
		{
			Name:   "refine",
			Over:   folder.Tiles,
			Reads:  "coarsen of the tile, merge",
			Makes:  []string{"N.pieces"},
			Help:   "boundary refinement in a tile, and the connected parts of components there",
			Needs:  needsOfRefine,
			Halo:   haloOfSolver,
			Memory: linear(80e6, uneven*165),
			Inputs: folder.DependsOn("merge"),
			Do:     refine,
		},
		{
			Name:   "number",
			Over:   folder.Once,
			Reads:  "refine of all tiles",
			Makes:  []string{"N.ids"},
			Help:   "adjacent parts of all tiles merged to superpoints, and their ids",
			Needs:  needsAll("refine"),
			Memory: linear(100e6, 10),
			Inputs: folder.DependsOn("refine"),
			Do:     number,
		},
		{
			Name:   classifyStep,
			Over:   folder.Once,
			Reads:  "cut, embed and refine of all tiles, number",
			Makes:  []string{"N.classes"},
			Help:   "the classes of all points, with the option classes",
			Needs:  needsAll("number"),
			Memory: memoryOfEmbed,
			Inputs: folder.DependsOn("number"),
			Do:     classify,
		},
		{
			Name:   "label",
			Over:   folder.Tiles,
			Reads:  "embed and refine of the tile, number, classify",
			Makes:  []string{"N.las"},
			Help:   "the outputs of a tile with their ids",
			Needs:  needsOfLabel,
			Memory: memoryOfLabel,
			Inputs: inputsOfLabel,
			Do:     label,
		},
		{
			Name:   "write",
			Over:   folder.Sources,
			Reads:  "label of its tiles, cut",
			Makes:  []string{"out/….laz"},
			Help:   "the points of a source, in their order, with the outputs",
			Needs:  needsOfWrite,
			Memory: linear(150e6, 10),
			Inputs: inputsOfWrite,
			Batch:  write,
		},
	}
}
