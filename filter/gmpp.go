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

// problem builds the problem of the embedding.
func (j *job) problem(run parallel.Run) (*partition.Problem, error) {
	p, err := partition.Build(run, j.graph, partition.Terms{
		Embedding: j.embedding, Dim: j.dim, EdgeDecay: j.settings.edgeDecay,
		Weight: j.settings.spatialWeight, Position: j.cloud.Position,
	})
	if err != nil {
		return nil, err
	}
	if j.options.Sphere {
		if j.model.Card == nil {
			return nil, fmt.Errorf("option sphere: values of model %s are not on the unit sphere; leave it out, or use a learned model", j.model.Name)
		}
		p.Sphere = j.dim
	}
	return p, nil
}
