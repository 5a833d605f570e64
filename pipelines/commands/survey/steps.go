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
			Inputs: inputsOfCut,
			Batch:  cut(allTiles),
		},
		{
			Name:   "embed",
			Over:   folder.Tiles,
			Reads:  "cut of the tiles around",
			Makes:  []string{"N.outputs", "N.points", "N.long"},
			Help:   "neighbors, embedding, edges and outputs of the points of a tile",
			Inputs: inputsOfEmbed,
			Do:     embedTile,
		},
		{
			Name:   "coarsen",
			Over:   folder.Tiles,
			Reads:  "embed of the tiles around, long edges of all",
			Makes:  []string{"N.atoms", "N.state"},
			Help:   "initial components of the points of a tile, of at most 16 points",
			Inputs: folder.DependsOn("embed"),
			Do:     coarsen,
		},
		{
			Name:   "merge",
			Over:   folder.Once,
			Reads:  "coarsen of all tiles",
			Makes:  []string{"atoms", "components"},
			Help:   "the partition of the reduced graph of all initial components",
			Inputs: folder.DependsOn("coarsen"),
			Do:     merge,
		},
		{
			Name:   "refine",
			Over:   folder.Tiles,
			Reads:  "coarsen of the tile, merge",
			Makes:  []string{"N.pieces"},
			Help:   "boundary refinement in a tile, and the connected parts of components there",
			Inputs: folder.DependsOn("merge"),
			Do:     refine,
		},
		{
			Name:   "number",
			Over:   folder.Once,
			Reads:  "refine of all tiles",
			Makes:  []string{"N.ids"},
			Help:   "adjacent parts of all tiles merged to superpoints, and their ids",
			Inputs: folder.DependsOn("refine"),
			Do:     number,
		},
		{
			Name:   classifyStep,
			Over:   folder.Once,
			Reads:  "cut, embed and refine of all tiles, number",
			Makes:  []string{"N.classes"},
			Help:   "the classes of all points, with the option classes",
			Inputs: folder.DependsOn("number"),
			Do:     classify,
		},
		{
			Name:   "label",
			Over:   folder.Tiles,
			Reads:  "embed and refine of the tile, number, classify",
			Makes:  []string{"N.las"},
			Help:   "the outputs of a tile with their ids",
			Inputs: inputsOfLabel,
			Do:     label,
		},
		{
			Name:   "write",
			Over:   folder.Sources,
			Reads:  "label of its tiles, cut",
			Makes:  []string{"out/….laz"},
			Help:   "the points of a source, in their order, with the outputs",
			Inputs: inputsOfWrite,
			Batch:  write,
		},
	}
}
