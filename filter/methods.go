package filter

import "superpoint/partition/parallel"

// method is one way to make superpoints.
type method struct {
	gmpp    bool                                 // solves the generalized minimal partition problem
	embeds  bool                                 // needs the embedding step and so a model
	prepare func(j *job, run parallel.Run) error // before the neighbour lists go; may be nil
	solve   func(j *job, run parallel.Run) error // sets component and count
}

// methods returns the methods by the names of the option.
func methods() map[string]method {
	return map[string]method{
		"ssp":        {gmpp: true, embeds: true, solve: (*job).solveGMPP},
		"geom-graph": {gmpp: true, embeds: true, solve: (*job).solveGMPP},
	}
}
