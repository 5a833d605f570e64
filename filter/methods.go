package filter

import (
	"maps"
	"slices"

	"superpoint/partition/parallel"
)

// method is one way to make superpoints.
type method struct {
	gmpp   bool                                 // solves the generalized minimal partition problem
	embeds bool                                 // needs the embedding step and so a model
	learns bool                                 // takes learned models
	graph  bool                                 // partitions the adjacency graph
	lists  bool                                 // needs the neighbour lists when it partitions
	reads  func(o *Options) need                // what it reads beside the model's dimensions; nil for nothing
	solve  func(j *job, run parallel.Run) error // sets component and count
}

// need is dimensions that an option makes a method read.
type need struct {
	option string
	names  []string
}

// needs returns what the method of the options reads beside the model's
// dimensions.
func (o *Options) needs() need {
	if reads := methods()[or(o.Method, "ssp")].reads; reads != nil {
		return reads(o)
	}
	return need{}
}

// methods returns the methods by the names of the option.
func methods() map[string]method {
	return map[string]method{
		"ssp":         {gmpp: true, embeds: true, learns: true, graph: true, solve: (*job).solveGMPP},
		"ssp-cluster": {embeds: true, learns: true, graph: true, solve: (*job).solveCluster},
		"geom-graph":  {gmpp: true, embeds: true, graph: true, solve: (*job).solveGMPP},
		"vccs":        {lists: true, reads: vccsReads, solve: (*job).solveVCCS},
		"lin":         {lists: true, solve: (*job).solveLin},
	}
}

// Learned says whether a method takes learned models.
func Learned(name string) bool { return methods()[name].learns }

// Methods returns the names of the methods of this build, the default first.
func Methods() []string {
	names := []string{"ssp"}
	for _, name := range slices.Sorted(maps.Keys(methods())) {
		if name != "ssp" {
			names = append(names, name)
		}
	}
	return names
}
