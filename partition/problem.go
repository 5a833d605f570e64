// Package partition states the generalized minimal partition problem
// (Landrieu and Obozinski 2017, doi:10.1137/17M1113436; equation 1 of Landrieu
// and Boussaha 2019) and the energy that every solver is measured by:
//
//	E(f) = Σ_i ‖f_i − y_i‖² + Σ_{i,j} w_ij [f_i ≠ f_j],   w_ij = λ exp(−‖e_i − e_j‖²/σ)
//
// with y = [e, α·xyz] and every unordered pair of neighbours counted once.
// A partition's f is the mean of y over each component. Results do not depend
// on the number of threads.
package partition

import (
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Problem is one instance of the generalized minimal partition problem.
type Problem struct {
	Graph    *neighbor.Graph
	Dim      int       // columns of Values
	Values   []float32 // |V| × Dim, row major: the embedding, then α times the position in metres
	Contrast []float32 // |E|, in Graph.Head's order: exp(−‖e_i − e_j‖²/σ), in [0, 1]
	Lambda   float64   // regularization strength λ = λ̃/(4c), see Lambda
	MinSize  int       // smallest component, in vertices; isolated smaller ones survive
	Sphere   int       // leading columns of Values whose f is kept on the unit sphere; 0 keeps the mean

	// Before tells whether vertex u comes before v in an order that does not
	// depend on how the vertices are numbered; nil for the order of the numbers.
	// The local solver decides by it between equals.
	Before func(u, v uint32) bool

	// Key is a number of vertex u for which Before is quicker to know: where that
	// of u is less than that of v, u comes before v. nil for none.
	Key func(u uint32) uint64
}

// Result is a partition into components that are connected in the graph.
type Result struct {
	Component []uint32 // |V|, dense from 0, numbered by first vertex
	Count     int      // number of components
	Energy    float64  // E of the partition
}

// Solver finds a partition of low energy.
type Solver interface {
	Solve(run parallel.Run, p *Problem) (*Result, error)
}
