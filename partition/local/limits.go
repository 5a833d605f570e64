// SPDX-License-Identifier: BSD-3-Clause

package local

import "superpoint/partition/problem"

// Limits of the steps on points. They are the same for every cloud: if they depended on it, the component of
// a point would depend on points far away.
//
// Together they bound the halo of a tile: a component depends on points within 4·rounds edges of components
// of at most maxInitial points, and then on 3·finePasses edges (README.md has the proof). A greater limit
// needs a wider halo in every survey; the bound is in edges, which are short where points are dense.
const (
	rounds       = 2    // of coarsening
	maxInitial   = 16   // maximum number of points of an initial component
	finePasses   = 4    // of boundary refinement
	smallProblem = 4096 // maximum number of points that are also solved by cut pursuit
)

// Limits of the global merge.
const (
	levelRatio = 1.6   // least ratio of the numbers of vertices of a level and of the next coarser level
	cutShare   = 16    // components are cut on levels of at most 1/cutShare of the vertices,
	alwaysCut  = 5000  // or of at most so many, where cutting is fast
	passes     = 8     // maximum number of passes of boundary refinement on a level
	pairsOnly  = 20000 // maximum number of vertices of a graph in which only pairs merge

	// merging ends when a round reduces the number of components by less than this share,
	// unless there are at most smallProblem
	minReduction = 1. / 12
)

// quanta is the number of steps of the weights of edges in 1: they are multiples of 1/quanta.
const quanta = problem.ContrastSteps
