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
	lists  bool                                 // needs the neighbour lists when it partitions
	reads  []string                             // dimensions read beside the model's, if the view has them
	solve  func(j *job, run parallel.Run) error // sets component and count
}

// methods returns the methods by the names of the option.
func methods() map[string]method {
	return map[string]method{
		"ssp":         {gmpp: true, embeds: true, learns: true, solve: (*job).solveGMPP},
		"ssp-cluster": {embeds: true, learns: true, solve: (*job).solveCluster},
		"geom-graph":  {gmpp: true, embeds: true, solve: (*job).solveGMPP},
		"vccs":        {lists: true, reads: []string{"Red", "Green", "Blue"}, solve: (*job).solveVCCS},
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
