package filter

import (
	"fmt"
	"math"

	"superpoint/partition"
	"superpoint/partition/parallel"
)

// solveGMPP partitions the graph by the generalized minimal partition problem
// (equation 1 of the paper), with a given λ̃ or with the λ̃ that gives the wanted
// size.
func (j *job) solveGMPP(run parallel.Run) error {
	solver, err := j.solver()
	if err != nil {
		return err
	}
	problem, err := j.problem(j.quiet(run))
	if err != nil {
		return err
	}
	if j.settings.target > 0 {
		return j.solveTarget(run, solver, problem)
	}
	j.strength = j.settings.regularization
	j.lambda, j.minSize = partition.Strength(j.graph, j.strength), max(1, partition.MinSize(j.settings.minSize, j.strength))
	problem.Lambda, problem.MinSize = j.lambda, j.minSize
	result, err := solver.Solve(run, problem)
	if err != nil {
		return err
	}
	j.component, j.count, j.energy = result.Component, result.Count, result.Energy
	return nil
}

// solveTarget searches the λ̃ that gives the wanted mean size. The smallest size
// is the one asked for, or a tenth of the wanted one, and does not change with
// λ̃.
func (j *job) solveTarget(run parallel.Run, solver partition.Solver, problem *partition.Problem) error {
	if j.settings.minGiven {
		problem.MinSize = min(j.settings.minSize, int(j.settings.target))
	}
	found, err := partition.SearchTarget(run, solver, problem, j.settings.target)
	if err != nil {
		return err
	}
	if !found.Reached && math.Abs(math.Log(found.Mean/j.settings.target)) > math.Log(usefulMiss) {
		j.log(LogWarning, fmt.Sprintf("option target_size: %v cannot be reached on this view; the nearest mean size is %.4g points, at regularization %.4g",
			j.settings.target, found.Mean, found.Normalized))
	}
	j.strength, j.minSize = found.Normalized, found.MinSize
	j.lambda = partition.Strength(j.graph, j.strength)
	j.component, j.count, j.energy = found.Component, found.Count, found.Energy
	return nil
}

// usefulMiss is the factor by which a mean size may miss the wanted one without
// a warning.
const usefulMiss = 1.25

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
	p := &partition.Problem{Graph: j.graph, Dim: width, Values: values, Contrast: contrast}
	if j.options.Sphere {
		if j.model.Card == nil {
			return nil, fmt.Errorf("option sphere: values of model %s are not on the unit sphere; leave it out, or use a learned model", j.model.Name)
		}
		p.Sphere = j.dim
	}
	return p, nil
}
