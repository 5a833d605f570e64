// SPDX-License-Identifier: BSD-3-Clause

// Package problem defines the generalized minimal partition problem
// (Landrieu and Obozinski 2017, doi:10.1137/17M1113436; equation 1 of Landrieu
// and Boussaha 2019) and the energy that solvers minimise:
//
//	E(f) = Σ_i ‖f_i − y_i‖² + Σ_{i,j} w_ij [f_i ≠ f_j],   w_ij = λ exp(−‖e_i − e_j‖²/σ)
//
// with y = [e, α·xyz] and every unordered pair of neighbours counted once.
// For a partition, f is the mean of y over each component. Vertices may have weights
// b_i of the horizontal position, as cut pursuit allows: ‖f_i − y_i‖² is then
// ‖·‖² over the columns before, plus b_i ‖·‖² over the last two, whose f is the weighted mean.
// Results do not depend on the number of threads.
package problem

import (
	"math"

	"github.com/golang/geo/r3"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Energy returns E of the partition component, whose ids are dense in
// [0, count). Sums are in float64 and in an order that does not depend on the
// number of threads. If it is cancelled, it ends the computation of the caller, see parallel.Catch.
func (p *Problem) Energy(run parallel.Run, component []uint32, count int) float64 {
	return p.EnergyOf(run.Quiet(), component, nil, p.componentMeans(component, count))
}

// EnergyOf is Energy with known means: value has the mean of each component, components × Dim. end, if not
// nil, has the ends of those rows of edges that may be between components; other rows end at their start.
func (p *Problem) EnergyOf(run parallel.Run, component, end []uint32, value []float64) float64 {
	if end == nil {
		end = p.Graph.Start[1:]
	}
	n := p.Graph.Vertices()
	plain := p.Dim - p.Weighted()
	partial := make([]float64, (n+vertexBlock-1)/vertexBlock)
	run.Do(n, vertexBlock, func(lo, hi int) {
		var fidelity, contour float64
		for u := lo; u < hi; u++ {
			c := component[u]
			f, row := value[int(c)*p.Dim:(int(c)+1)*p.Dim], p.Values[u*p.Dim:(u+1)*p.Dim]
			for k, y := range row[:plain] {
				d := float64(y) - f[k]
				fidelity += d * d
			}
			if p.Weight != nil {
				fidelity += float64(p.Weight[u]) * arithmetic.SquaredDistance(row[plain:], f[plain:])
			}
			for k := p.Graph.Start[u]; k < end[u]; k++ {
				if component[p.Graph.Head[k]] != c {
					contour += float64(p.Contrast[k])
				}
			}
		}
		partial[lo/vertexBlock] = fidelity + p.Lambda*contour
	})
	var e float64
	for _, x := range partial {
		e += x
	}
	return e
}

// componentMeans returns the mean of every component.
func (p *Problem) componentMeans(component []uint32, count int) []float64 {
	f := make([]float64, count*p.Dim)
	size := make([]float64, count)
	mass := make([]float64, count)
	plain := p.Dim - p.Weighted()
	for u, c := range component {
		size[c]++
		sum, row := f[int(c)*p.Dim:(int(c)+1)*p.Dim], p.Values[u*p.Dim:(u+1)*p.Dim]
		for k, y := range row[:plain] {
			sum[k] += float64(y)
		}
		if p.Weight == nil {
			continue
		}
		b := float64(p.Weight[u])
		mass[c] += b
		for k, y := range row[plain:] {
			sum[plain+k] += b * float64(y)
		}
	}
	for c := range size {
		row := f[c*p.Dim : (c+1)*p.Dim]
		for k := range row[:plain] {
			row[k] /= size[c]
		}
		for k := range row[plain:] {
			row[plain+k] /= mass[c]
		}
	}
	return f
}

// NewResult renumbers component in place and computes the partition's energy.
// Ids must be below limit.
func (p *Problem) NewResult(run parallel.Run, component []uint32, limit int) *Result {
	count := arrays.Number(component, limit)
	return &Result{Component: component, Count: count, Energy: p.Energy(run, component, count)}
}

// Problem is one instance of the generalized minimal partition problem.
type Problem struct {
	Graph  *neighbor.Graph
	Dim    int       // columns of Values
	Values []float32 // |V| × Dim, row major: the embedding, then α times the position in metres
	// |V|, weights of the last two columns, which are then the horizontal position: multiples of
	// 1/WeightSteps from 1 on, so that their sums are exact; nil: 1
	Weight   []float32
	Contrast []float32 // |E|, in Graph.Head's order: exp(−‖e_i − e_j‖²/σ), in [0, 1]
	Lambda   float64   // regularization strength λ = λ̃/(4c), see Lambda
	MinSize  int       // smallest component, in vertices; smaller ones without neighbours remain
	Isolated []bool    // vertices that are ignored in Lambda and MeanSize; nil for none

	Order Order // by which the local solver breaks ties; nil: the numbers of the vertices

	built   bool    // by Build: only Values may be invalid
	rounded bool    // contrasts are multiples of 1/ContrastSteps
	largest float32 // magnitude of the values, if Build computed it; else 0
}

// Order is an order of vertices that does not depend on their numbers.
type Order interface {
	Precedes(u, v uint32) bool // reports whether vertex u precedes v
	Key(u uint32) uint64       // of two vertices with different keys that with the smaller one precedes
}

// WeightSteps is the number of steps of weights from one integer to the next.
const WeightSteps = 16

// MostWeight is the largest weight.
const MostWeight = 1 << 10

// WeightedColumns is the number of columns with weights, the last ones.
const WeightedColumns = 2

// Weighted returns the number of columns that have weights.
func (p *Problem) Weighted() int {
	if p.Weight == nil {
		return 0
	}
	return WeightedColumns
}

// Largest returns the largest magnitude of the values, NaN if one is NaN.
func (p *Problem) Largest(run parallel.Run) float32 {
	if p.largest > 0 {
		return p.largest
	}
	return arrays.Largest(parallel.Map(run, len(p.Values), vertexBlock*8, func(lo, hi int) float32 {
		return arrays.Largest(p.Values[lo:hi])
	}))
}

// Leading returns the first columns of the values, |V| × columns.
func (p *Problem) Leading(columns int) []float32 {
	if columns == p.Dim {
		return p.Values
	}
	n := p.Graph.Vertices()
	out := make([]float32, 0, n*columns)
	for u := range n {
		out = append(out, p.Values[u*p.Dim:u*p.Dim+columns]...)
	}
	return out
}

// Result is a partition into components that are connected in the graph.
type Result struct {
	// |V|, dense from 0, numbered by first vertex; by that first in Order if the local solver has one
	Component []uint32
	Count     int     // number of components
	Energy    float64 // E of the partition
}

// Solver finds a partition of low energy.
type Solver interface {
	Solve(run parallel.Run, p *Problem) (*Result, error)
}

// NestingSolver is a solver of nested partitions.
type NestingSolver interface {
	Solver
	// Above returns a solver of p, with any λ and smallest size, whose components are unions of components
	// of r.
	Above(run parallel.Run, p *Problem, r *Result) (Solver, error)
}

// Strength is a regularization and what follows from it.
type Strength struct {
	Regularization float64 `json:"regularization"` // λ̃
	Lambda         float64 `json:"lambda"`         // λ
	MinSize        int     `json:"min_size"`       // smallest component, in vertices
}

// Terms are the inputs of the paper's problem.
type Terms struct {
	Embedding []float32 // e, |V| × Dim, row major
	Dim       int
	EdgeDecay float64 // σ of the contrast, positive
	Weight    float64 // α, per metre; 0: values have no positions
	// position of a vertex in metres; not called if Weight is 0
	Position func(v uint32) r3.Vector
	// |V|, near_scattering of the vertices; nil: as where it is 0
	Scattering          []float32
	DampingOf, WeightOf func(scattering float32) float32 // see Build; nil: 0 and 1
	Rounded             bool                             // contrasts are rounded, see Problem.Rounded
}

// Build returns the problem of equation 1 of Landrieu and Boussaha 2019 on a graph:
// values [e, α·position] and edges of contrast exp(−‖e_i − e_j‖²/σ). With Scattering, DampingOf and an
// α, values are [(1 − d²)·e, α·position] for a damping of d, and σ of an edge
// is 1 + (d_i + d_j)/3 times that. With WeightOf, too, vertices have weights, and the position
// is in the order z, x, y. Lambda and MinSize are for the caller to set, or for SearchTarget.
func Build(run parallel.Run, g *neighbor.Graph, t Terms) (p *Problem, err error) {
	defer parallel.Catch(&err)
	if t.Weight == 0 || t.Scattering == nil {
		t.DampingOf, t.WeightOf = nil, nil
	}
	p = &Problem{Graph: g, Dim: t.Dim, Values: t.Embedding, Contrast: contrastOf(run, g, &t), built: true,
		rounded: t.Rounded}
	if t.Weight == 0 {
		return p, nil
	}
	p.Dim = t.Dim + 3
	n := g.Vertices()
	p.Values = make([]float32, n*p.Dim)
	if t.WeightOf != nil {
		p.Weight = make([]float32, n)
	}
	const rows = 1 << 9 // which a cache holds while their largest magnitude is found
	p.largest = arrays.Largest(parallel.Map(run, n, rows, func(lo, hi int) float32 {
		for i := lo; i < hi; i++ {
			row := p.Values[i*p.Dim : (i+1)*p.Dim]
			t.fill(uint32(i), row)
			if p.Weight != nil {
				at := row[t.Dim:] // x, y, z become z, x, y: the columns with weights are the last
				z := at[2]
				copy(at[1:], at[:2])
				at[0] = z
				p.Weight[i] = float32(
					math.RoundToEven(float64(t.WeightOf(t.Scattering[i])*WeightSteps)) / WeightSteps)
			}
		}
		return arrays.Largest(p.Values[lo*p.Dim : hi*p.Dim])
	}))
	return p, err
}

// fill sets the values of a vertex.
func (t *Terms) fill(v uint32, row []float32) {
	m := t.Dim
	copy(row, t.Embedding[int(v)*m:int(v+1)*m])
	if d := t.damping(int(v)); d > 0 {
		for k := range m {
			row[k] *= 1 - float32(d*d)
		}
	}
	at := t.Position(v).Mul(t.Weight)
	row[m] = float32(at.X)
	row[m+1] = float32(at.Y)
	row[m+2] = float32(at.Z)
}
