package compare

import (
	"slices"

	"superpoint/filter"
	"superpoint/filter/method"
	"superpoint/filter/models"
)

// Config says what to compare.
type Config struct {
	Inputs       []Input
	Truth        string    // dimension of true classes; 0 = unlabelled
	Instances    string    // dimension of true objects; "" = connected parts of a class
	Output       string    // folder of results.csv, summary.md, figure.svg, figure.png, report.html; made if need be
	Read         []string  // further files that are read, such as models
	Rules        []Rule    // what is special about some files
	Systems      []System  // what to compare; the first is the one whose picture stands first
	Sweep        []float64 // λ̃ of systems that have one
	Targets      []float64 // mean points a segment, for every system
	AdjacencyKNN int       // graph that boundaries are counted on
	Voxel        float64   // side in metres of cubes of which the host leaves one point; 0 = it leaves all
	Threads      int
	Picture      float64 // mean points a segment in the pictures; 0 = no pictures
}

// Input is a file and the data set it belongs to. Files of one data set are
// averaged by their counts.
type Input struct{ Set, Path string }

// System is a method with its options.
type System struct {
	Name    string         // in the table and the figure
	Options filter.Options // without regularization, target_size and seed_resolution
	// in place of all that: the dimension in which files bring segments, such as filters.supervoxel's
	IDs string
}

// Host reads files and listens.
type Host interface {
	Read(path string, dimensions []string) (*filter.View, error)
	Log(level int, text string)
	Progress(step string, fraction float64)
}

// dependsOnFile says whether a system chooses its model by what a file has.
func (c *Config) dependsOnFile(rule *Rule) bool {
	return slices.ContainsFunc(c.Systems, func(s System) bool {
		o := s.options(rule)
		return o.Model == models.Auto && method.Named(o.Method).Learns
	})
}

// searched is the number of neighbours a workspace needs for every system.
func (c *Config) searched() int {
	k := max(c.AdjacencyKNN, 20) // 20: the paper's neighbourhood
	for _, s := range c.Systems {
		k = max(k, s.Options.KNN, s.Options.AdjacencyKNN)
	}
	return k
}

// dimensions lists what any system reads.
func (c *Config) dimensions(r *Rule) []string {
	names := []string{r.Truth}
	if c.Instances != "" {
		names = append(names, c.Instances)
	}
	for i := range c.Systems {
		more, err := filter.Inputs(c.Systems[i].options(r))
		if err != nil {
			continue // the system's own lines will say so
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
	for _, name := range []string{"Red", "Green", "Blue", "Intensity"} { // for the picture of the input
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// rule returns what applies to a file.
func (c *Config) rule(in *Input) Rule { return RuleFor(c.Rules, in.Path, c.Truth) }

// label adds the columns of the truth to a view.
func (c *Config) label(view *filter.View, r *Rule) error {
	class, object, err := r.Labels(view, c.Instances)
	if err != nil {
		return err
	}
	view.Dimensions[classColumn] = class
	if object != nil {
		view.Dimensions[objectColumn] = object
	}
	return nil
}
