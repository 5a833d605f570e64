// SPDX-License-Identifier: BSD-3-Clause

// Package survey partitions clouds that do not fit into memory, tile by tile, as if they were one.
package survey

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"superpoint/filter/host"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/job"
)

// Open reads the plan of a folder.
func Open(h host.Host, folder string) (*Survey, error) {
	path := filepath.Join(folder, planFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing; plan first: pdal superpoint survey plan --output %s FILE…",
			path, folder)
	}
	if err != nil {
		return nil, err
	}
	p, err := plan.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	if err := p.CheckVersion(); err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	options, unpin, err := job.PinOptions(folder, p.Options, nil)
	if err == nil {
		err = p.CheckContent(options.Content)
	}
	if err != nil {
		unpin()
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	return &Survey{
		Overrides: map[string]string{},
		host:      h,
		folder:    folder,
		plan:      p,
		reading:   options.Reading,
		unpin:     unpin,
		sum:       job.Checksum(text),
		found:     newMarkCache(),
		steps:     Steps(),
	}, nil
}

// Steps lists the steps behind the plan, in order.
func Steps() []Step {
	return []Step{
		{"cut", Sources, "source K", []string{"N/K.las"},
			"the points of a source by tile",
			(*Survey).inputsOfCut, nil, cut(allTiles)},
		{"embed", Tiles, "cut of the tiles around", []string{"N.outputs", "N.points", "N.long"},
			"neighbors, embedding, edges and outputs of the points of a tile",
			(*Survey).inputsOfEmbed, (*Survey).embed, nil},
		{"coarsen", Tiles, "embed of the tiles around, long edges of all", []string{"N.atoms", "N.state"},
			"initial components of the points of a tile, of at most 16 points",
			dependsOn("embed"), (*Survey).coarsen, nil},
		{"merge", Once, "coarsen of all tiles", []string{"atoms", "components"},
			"the partition of the reduced graph of all initial components",
			dependsOn("coarsen"), (*Survey).merge, nil},
		{"refine", Tiles, "coarsen of the tile, merge", []string{"N.pieces"},
			"boundary refinement in a tile, and the connected parts of components there",
			dependsOn("merge"), (*Survey).refine, nil},
		{"number", Once, "refine of all tiles", []string{"N.ids"},
			"adjacent parts of all tiles merged to superpoints, and their ids",
			dependsOn("refine"), (*Survey).number, nil},
		{classifyStep, Once, "cut, embed and refine of all tiles, number", []string{"N.classes"},
			"the classes of all points, with the option classes",
			dependsOn("number"), (*Survey).classify, nil},
		{"label", Tiles, "embed and refine of the tile, number, classify", []string{"N.las"},
			"the outputs of a tile with their ids",
			(*Survey).inputsOfLabel, (*Survey).label, nil},
		{"write", Sources, "label of its tiles, cut", []string{"out/….laz"},
			"the points of a source, in their order, with the outputs",
			(*Survey).inputsOfWrite, nil, (*Survey).write},
	}
}
