// SPDX-License-Identifier: BSD-3-Clause

package method

import (
	"fmt"
	"math"

	"github.com/golang/geo/r3"

	"superpoint/embed"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
)

// solvePartition solves the partition problem of a cloud for each level.
func solvePartition(run parallel.Run, in *Input) (*Result, error) {
	s, err := newPartitionProblem(run, in)
	if err != nil {
		return nil, err
	}
	// in is not read any more, so its embedding can be freed: the values of the problem have a copy
	finest, err := s.solveLevel(run, s.solver, 0)
	if err != nil {
		return nil, err
	}
	r := &Result{Level: *finest}
	finer := finest
	for level := 1; level < len(s.TargetSize); level++ {
		above, err := s.solver.(problem.NestingSolver).Above(run.Quiet(), s.problem, &finer.Result)
		if err != nil {
			return nil, err
		}
		if finer, err = s.solveLevel(run.Quiet(), above, level); err != nil {
			return nil, err
		}
		r.Coarser = append(r.Coarser, *finer)
	}
	if r.Embedding = s.embedding; r.Embedding == nil {
		r.Embedding = s.problem.Leading(s.dim)
	}
	return r, nil
}

// partitionProblem is the generalized minimal partition problem of a cloud (equation 1 of the paper), which
// is solved at a given λ̃ or at the λ̃ that gives the wanted size.
type partitionProblem struct {
	Settings
	problem   *problem.Problem
	solver    problem.Solver
	dim       int
	embedding []float32 // nil if the leading columns of the problem's values are the embedding
	border    []bool
	log       message.Log
}

// newPartitionProblem builds the partition problem. It has no reference to the embedding of the input, unless
// the values are damped.
func newPartitionProblem(run parallel.Run, in *Input) (*partitionProblem, error) {
	solver, err := newSolver(in.Solver)
	if err != nil {
		return nil, err
	}
	p, err := Problem(run.Quiet(), in)
	if err != nil {
		return nil, err
	}
	if Ordered(in.Solver) { // the order that the tiles of a survey have too
		p.Order = in.Cloud.Ordered(in.Spacing)
	}
	s := &partitionProblem{Settings: in.Settings, problem: p, solver: solver, dim: in.Dim,
		border: in.Border, log: in.Log}
	if in.Scattering != nil { // the values are damped by it
		s.embedding = in.Embedding
	}
	return s, nil
}

// Problem returns the partition problem of an embedding.
func Problem(run parallel.Run, in *Input) (*problem.Problem, error) {
	t := problem.Terms{Embedding: in.Embedding, Dim: in.Dim, EdgeDecay: in.EdgeDecay,
		Weight:   in.SpatialWeight,
		Position: in.position(), Rounded: Ordered(in.Solver)}
	if t.Scattering = in.Scattering; in.Volume != nil {
		t.DampingOf, t.WeightOf = in.Volume.Ramps()
	}
	p, err := problem.Build(run, in.Graph, t)
	if err == nil {
		p.Isolated = in.Isolated
	}
	return p, err
}

// position returns the function of positions in metres.
func (in *Input) position() func(u uint32) r3.Vector {
	if in.Origin == nil {
		return in.Cloud.Position
	}
	return in.Cloud.From(*in.Origin)
}

// solveLevel solves the problem for the strength, or the wanted size, of a level, 0 for the finest.
func (s *partitionProblem) solveLevel(run parallel.Run, solver problem.Solver, level int) (*Level, error) {
	targetSize := 0.0
	if s.TargetSize != nil {
		targetSize = s.TargetSize[level]
	}
	p := s.problem
	var strength problem.Strength
	switch {
	case s.Measured == nil && targetSize > 0:
		return s.search(run, solver, targetSize)
	case s.Measured == nil:
		strength = AtRegularization(&s.Settings, p.Graph, p.Isolated)
	case level == 0:
		strength = s.Measured.Strength
	default:
		strength = s.Measured.Coarser[level-1]
	}
	p.Lambda = strength.Lambda
	p.MinSize = strength.MinSize
	result, err := solver.Solve(run, p)
	if err != nil {
		return nil, err
	}
	if targetSize > 0 && result.Count > 0 {
		s.warnOfSize(p.MeanSize(result, targetSize, nil), targetSize, strength.Regularization)
	}
	return &Level{Result: *result, Strength: strength}, nil
}

// search searches for the λ̃ that gives the wanted mean size. The smallest size is the option min_size or the
// model's share of the wanted size (default: a tenth), for any λ̃.
func (s *partitionProblem) search(run parallel.Run, solver problem.Solver, targetSize float64) (
	*Level, error) {
	p := s.problem
	if s.MinGiven {
		p.MinSize = min(s.MinSize, int(targetSize))
	} else {
		p.MinSize = embed.SmallestOf(s.MinShare, targetSize)
	}
	found, err := problem.SearchTarget(run, solver, p, targetSize, s.border)
	if err != nil {
		return nil, err
	}
	if !found.Reached && s.border == nil {
		s.warnOfSize(found.Mean, targetSize, found.Regularization)
	}
	return &Level{Result: *found.Result, Strength: problem.Strength{
		Regularization: found.Regularization,
		MinSize:        found.MinSize,
		Lambda:         problem.Lambda(p.Graph, p.Isolated, found.Regularization),
	}}, nil
}

// AtRegularization returns λ and the smallest size for the option regularization and a graph.
func AtRegularization(s *Settings, graph *neighbor.Graph, isolated []bool) problem.Strength {
	return problem.Strength{
		Regularization: s.Regularization,
		Lambda:         problem.Lambda(graph, isolated, s.Regularization),
		MinSize:        max(1, problem.MinSize(s.MinSize, s.Regularization)),
	}
}

// sizeTolerance is the largest ratio of mean and wanted size without a warning.
const sizeTolerance = 1.25

// warnOfSize warns if a mean size misses the wanted one.
func (s *partitionProblem) warnOfSize(mean, targetSize, regularization float64) {
	if math.Abs(math.Log(mean/targetSize)) > math.Log(sizeTolerance) {
		s.log.Warn(
			fmt.Sprintf(
				"option target_size: %v cannot be reached on this view; the nearest mean size is %.4g "+
					"points, at regularization %.4g", targetSize, mean, regularization))
	}
}
