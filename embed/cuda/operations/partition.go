package operations

import (
	"slices"

	"superpoint/partition/device"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
)

// neighbors finds the 20 nearest points of every point.
func neighbors(m device.Machine, s *Scene) (r Result, err error) {
	var lists *neighbor.Lists
	if m == nil {
		lists, err = s.Input.Cloud.Nearest(20, run)
	} else {
		var c *neighbor.Resident
		if c, err = neighbor.Upload(m, s.Input.Cloud); err != nil {
			return r, err
		}
		defer c.Close()
		lists, err = c.Nearest(20, run)
	}
	if err != nil {
		return r, err
	}
	return Result{Numbers: lists.Index}, nil
}

// coarsens computes the initial components of the local solver and their graph.
func coarsens(m device.Machine, s *Scene) (Result, error) {
	label, g, err := local.Coarsening(m, run, s.Problem)
	if err != nil {
		return Result{}, err
	}
	return Result{Numbers: slices.Concat(label, g.First, g.Start, g.Head),
		Values: slices.Concat(g.Size, g.Mean, g.Weight)}, nil
}

// moves runs the label moves of the local solver's boundary refinement.
func moves(m device.Machine, s *Scene) (Result, error) {
	_, label, err := local.Moving(m, run, s.Problem)
	return Result{Numbers: label}, err
}
