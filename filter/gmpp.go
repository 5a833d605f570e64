package filter

import (
	"fmt"

	"superpoint/partition"
	"superpoint/partition/parallel"
)

// solveGMPP partitions the graph by the generalized minimal partition problem
// (equation 1 of the paper), with a given λ̃ or with the λ̃ that gives the wanted
// size.
func (j *job) solveGMPP(run parallel.Run) error {
	solver, err := newSolver(j.options.Solver)
	if err != nil {
		return err
	}
	problem, err := j.problem(j.quiet(run))
	if err != nil {
		return err
	}
	solve := func(run parallel.Run, normalized float64) (*partition.Result, error) {
		problem.Lambda = partition.Strength(j.graph, normalized)
		problem.MinSize = j.smallest(normalized)
		return solver.Solve(run, problem)
	}
	j.strength = j.settings.regularization
	var result *partition.Result
	if j.settings.target > 0 {
		s := search{log: j.log, target: j.settings.target, points: j.cloud.Len(), start: 1, what: "regularization"}
		result, j.strength, err = s.find(run, func(r parallel.Run, x float64) (*partition.Result, error) { return solve(r, x) })
	} else {
		result, err = solve(run, j.strength)
	}
	if err != nil {
		return err
	}
	j.lambda, j.minSize = partition.Strength(j.graph, j.strength), j.smallest(j.strength)
	j.component, j.count, j.energy = result.Component, result.Count, result.Energy
	return nil
}

// smallest returns the smallest component at λ̃: the paper's rule, or, where a
// size is wanted, a tenth of that size, which does not change during the search.
func (j *job) smallest(normalized float64) int {
	s := j.settings
	if s.target > 0 {
		if s.minGiven {
			return min(s.minSize, max(1, int(s.target)))
		}
		return max(1, int(s.target/10))
	}
	return max(1, partition.MinSize(s.minSize, normalized))
}

// problem builds [e, α·xyz] and the contrast of the edges.
func (j *job) problem(run parallel.Run) (*partition.Problem, error) {
	contrast, err := partition.Contrast(j.graph, j.embedding, j.dim, j.settings.edgeDecay, run)
	if err != nil {
		return nil, err
	}
	values, width, alpha := j.embedding, j.dim, j.settings.spatialWeight
	if alpha > 0 {
		width = j.dim + 3
		values = make([]float32, j.cloud.Len()*width)
		err = run.For(j.cloud.Len(), grain, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row := values[i*width : (i+1)*width]
				copy(row, j.embedding[i*j.dim:(i+1)*j.dim])
				p := j.cloud.Position(uint32(i))
				row[j.dim], row[j.dim+1], row[j.dim+2] = float32(alpha*p.X), float32(alpha*p.Y), float32(alpha*p.Z)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return &partition.Problem{Graph: j.graph, Dim: width, Values: values, Contrast: contrast}, nil
}

// newSolver returns a solver by name.
func newSolver(name string) (partition.Solver, error) {
	if solver := solvers()[name]; solver != nil {
		return solver, nil
	}
	return nil, fmt.Errorf("option solver: %q is not part of this build; use auto", name)
}
