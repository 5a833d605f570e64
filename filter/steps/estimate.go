// SPDX-License-Identifier: BSD-3-Clause

package steps

import (
	"superpoint/embed/classes"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/option"
)

// BytesPerPoint returns an estimate of the peak memory of a view in bytes per point, without the
// memory of the host: the difference of pdal's peak resident memory with and without the stage,
// for 640,510 points of aerial lidar (AHN3) and two threads. It may be wrong by some 10 % for
// clouds with more edges or duplicates; edges across scan lines do not change it. The heap grows
// up to it (memory.Reserve). TestMemoryPerPoint compares it with measurements on a simulated
// scene. m and classifier are nil without a model and without classes.
func BytesPerPoint(o *option.Options, m *models.Model, classifier *classes.Model,
	s *option.Settings) float64 {
	dimensions := 0
	if o.Vote != "" {
		dimensions++
	}
	bytes := 306.0 // ssp, learned model, the solver auto: 293
	above := func(n, usual int) float64 { return float64(max(0, n-usual)) }
	bytes += 2.7 * above(s.KNN, 20) // 447 at knn=64
	if method.Named(o.Method).Embeds {
		bytes += 12.5 * above(s.Graph.Nearest, 10) // 1,055 at knn=64, adjacency_knn=64
		if m != nil {
			bytes += 24 * above(m.Embedder.Dim(), 4) // itself, the problem's values, the solver's means
			if m.Card != nil && m.Card.ContextReach() > 0 {
				bytes += 20 // cubes and their corners; 264 in all
			}
			dimensions += len(m.Needs)
		}
	}
	bytes += 20 * float64(dimensions) // the host's copy, and the copy in the cloud's order
	if s.Delaunay {
		bytes += 430 // 626 in all
	}
	if o.Method == method.Lin {
		bytes += 300 // 637 in all
	}
	bytes += 8 * float64(max(0, len(o.TargetSize)-1)) // superpoints of coarser levels
	if o.Classes != "" {
		bytes += 100 // lists of neighbors and dimensions that are kept for it; 320 in all
	}
	if o.ClassProbabilities {
		bytes += 4 * float64(len(classifier.Card.Classes))
	}
	if o.Solver == method.CutPursuit {
		bytes += 48 * float64(s.Graph.Nearest) // on all of the graph: 822 at 10
	}
	return bytes
}
