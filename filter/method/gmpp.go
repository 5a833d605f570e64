// SPDX-License-Identifier: BSD-3-Clause

package method

import (
	"fmt"
	"math"

	"github.com/golang/geo/r3"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
)

// solveGMPP partitions the graph by the generalized minimal partition problem
// (equation 1 of the paper), with a given λ̃ or with the λ̃ that gives the wanted
// size.
func solveGMPP(run parallel.Run, in *Input) (*Result, error) {
	solver, err := newSolver(in.Solver)
	if err != nil {
		return nil, err
	}
	p, err := Problem(run.Quiet(), in)
	if err != nil {
		return nil, err
	}
	moved := in.Scattering == nil // into the problem, which has a copy
	if in.Scattering = nil; moved {
		in.Embedding = nil
	}
	r, err := solveProblem(run, in, solver, p)
	if err == nil && moved {
		r.Moved = p.Leading(in.Dim)
	}
	return r, err
}

// solveProblem solves a problem for the strength, or the wanted size, of the settings.
func solveProblem(run parallel.Run, in *Input, solver problem.Solver, p *problem.Problem) (*Result, error) {
	if Ordered(in.Solver) { // the order that the tiles of a survey have too
		p.Order = in.Cloud.Ordered(in.Spacing)
	}
	r := new(Result)
	if err := in.solveLevel(run, solver, p, &r.Level, 0); err != nil {
		return nil, err
	}
	finer := &r.Level
	r.Coarser = make([]Level, len(in.Coarser))
	for k := range r.Coarser {
		above, err := solver.(problem.NestingSolver).Above(run.Quiet(), p, &finer.Result)
		if err != nil {
			return nil, err
		}
		finer = &r.Coarser[k]
		if err := in.solveLevel(run.Quiet(), above, p, finer, k+1); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// solveLevel solves a problem for the strength, or the wanted size, of a level, 0 for the finest.
func (in *Input) solveLevel(run parallel.Run, solver problem.Solver, p *problem.Problem, to *Level, level int) error {
	target := in.Target
	if level > 0 {
		target = in.Coarser[level-1]
	}
	switch measured := in.Measured; {
	case measured == nil && target > 0:
		return in.solveTarget(run, solver, p, to, target)
	case measured == nil:
		to.Strength = in.AtRegularization()
	case level == 0:
		to.Strength = measured.Strength
	default:
		to.Strength = measured.Coarser[level-1]
	}
	p.Lambda, p.MinSize = to.Lambda, to.MinSize
	result, err := solver.Solve(run, p)
	if err != nil {
		return err
	}
	if to.Result = *result; target > 0 && result.Count > 0 {
		in.warnOfSize(p.MeanSize(result, target, nil), target, to.Regularization)
	}
	return nil
}

// AtRegularization returns λ and the smallest size for the option regularization and the graph.
func (in *Input) AtRegularization() problem.Strength {
	return problem.Strength{Regularization: in.Regularization,
		Lambda:  problem.Lambda(in.Graph, in.Isolated, in.Regularization),
		MinSize: max(1, problem.MinSize(in.MinSize, in.Regularization))}
}

// warnOfSize warns if a mean size misses the wanted one.
func (in *Input) warnOfSize(mean, target, regularization float64) {
	if math.Abs(math.Log(mean/target)) > math.Log(sizeTolerance) {
		in.Log.Warn(fmt.Sprintf("option target_size: %v cannot be reached on this view; the nearest mean size is %.4g "+
			"points, at regularization %.4g", target, mean, regularization))
	}
}

// Problem returns the partition problem of an embedding.
func Problem(run parallel.Run, in *Input) (*problem.Problem, error) {
	t := problem.Terms{Embedding: in.Embedding, Dim: in.Dim, EdgeDecay: in.EdgeDecay, Weight: in.SpatialWeight,
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

// solveTarget searches for the λ̃ that gives the wanted mean size. The smallest size is
// the option min_size or the model's share of the wanted size (default: a tenth), for
// any λ̃.
func (in *Input) solveTarget(run parallel.Run, solver problem.Solver, p *problem.Problem, to *Level,
	target float64) error {
	if in.MinGiven {
		p.MinSize = min(in.MinSize, int(target))
	} else {
		p.MinSize = embed.SmallestOf(in.MinShare, target)
	}
	found, err := problem.SearchTarget(run, solver, p, target, in.Border)
	if err != nil {
		return err
	}
	if !found.Reached && in.Border == nil {
		in.warnOfSize(found.Mean, target, found.Regularization)
	}
	to.Result = *found.Result
	to.Strength = problem.Strength{Regularization: found.Regularization, MinSize: found.MinSize,
		Lambda: problem.Lambda(in.Graph, in.Isolated, found.Regularization)}
	return nil
}

// sizeTolerance is the largest ratio of mean and wanted size without a warning.
const sizeTolerance = 1.25
