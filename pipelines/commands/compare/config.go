// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"slices"

	"superpoint/filter"
	"superpoint/pipelines/files/atomicfile"
)

// Config has the options of a comparison.
type Config struct {
	Inputs       []Input
	Truth        string // dimension of true classes; 0 = unlabelled
	Instances    string // dimension of true objects; "" = connected components of a class
	Output       string // folder of the results, created if it is missing
	Files        *atomicfile.Files
	Rules        []Rule // settings of some files
	Systems      []System
	Sweep        []float64 // λ̃ of systems that have one
	Targets      []float64 // mean points per segment, for every system
	AdjacencyKNN int       // neighbours in the graph on which boundaries are counted
	Voxel        float64   // side in metres of cubes that are thinned to one point; 0 = no thinning
	Threads      int
}

// Input is a file and its data set. The counts of the files of a data set are added.
type Input struct{ Set, Path string }

// System is a method with its options.
type System struct {
	Name    string         // in the table and the figure
	Options filter.Options // without regularization, target_size and seed_resolution
	// instead of Options: the dimension of segments in the files, for example of filters.supervoxel
	IDs string
}

// searched returns the number of neighbours that a workspace needs.
func (c *Config) searched() int {
	k := max(c.AdjacencyKNN, 20) // 20: the paper's neighbourhood
	for _, s := range c.Systems {
		k = max(k, s.Options.KNN, s.Options.AdjacencyKNN)
	}
	return k
}

// dimensions returns the dimensions that any system reads.
func (c *Config) dimensions(r *Rule) []string {
	names := []string{r.Truth}
	if c.Instances != "" {
		names = append(names, c.Instances)
	}
	for i := range c.Systems {
		more, err := filter.Inputs(c.Systems[i].options(r))
		if err != nil {
			continue // the trial reports the error
		}
		if from := c.Systems[i].IDs; from != "" {
			more = []string{from}
		}
		for _, name := range more {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// rule returns the rule of a file.
func (c *Config) rule(in *Input) Rule { return RuleFor(c.Rules, in.Path, c.Truth) }
