// SPDX-License-Identifier: BSD-3-Clause

package method

import (
	"fmt"
	"math"

	"github.com/golang/geo/r3"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
	"superpoint/partition/local"
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
	measured := in.Measured
	if measured == nil && in.Target > 0 {
		return solveTarget(run, in, solver, p)
	}
	if measured == nil {
		measured = in.AtRegularization()
	}
	p.Lambda, p.MinSize = measured.Lambda, measured.MinSize
	result, err := solver.Solve(run, p)
	if err != nil {
		return nil, err
	}
	if in.Target > 0 && result.Count > 0 {
		in.warnOfSize(p.MeanSize(result, nil), measured.Regularization)
	}
	return &Result{Component: result.Component, Count: result.Count, Energy: result.Energy,
		Regularization: measured.Regularization, Lambda: measured.Lambda, MinSize: measured.MinSize}, nil
}

// AtRegularization returns λ and the smallest size for the option regularization and the graph.
func (in *Input) AtRegularization() *Measured {
	return &Measured{Regularization: in.Regularization, Lambda: problem.Lambda(in.Graph, in.Isolated, in.Regularization),
		MinSize: max(1, problem.MinSize(in.MinSize, in.Regularization))}
}

// warnOfSize warns if a mean size misses the wanted one.
func (in *Input) warnOfSize(mean, regularization float64) {
	if math.Abs(math.Log(mean/in.Target)) > math.Log(sizeTolerance) {
		in.Log.Warn(fmt.Sprintf("option target_size: %v cannot be reached on this view; the nearest mean size is %.4g "+
			"points, at regularization %.4g", in.Target, mean, regularization))
	}
}

// Problem returns the partition problem of an embedding.
func Problem(run parallel.Run, in *Input) (*problem.Problem, error) {
	t := problem.Terms{Embedding: in.Embedding, Dim: in.Dim, EdgeDecay: in.EdgeDecay, Weight: in.SpatialWeight,
		Position: in.position()}
	if t.Scattering = in.Scattering; in.Volume != nil {
		t.DampingOf, t.WeightOf = in.Volume.Ramps()
	}
	p, err := problem.Build(run, in.Graph, t)
	if err == nil {
		p.Isolated = in.Isolated
	}
	if err == nil && in.Sphere {
		p.Sphere = in.Dim
	}
	if err == nil && Ordered(in.Solver) {
		err = local.Round(run, p.Contrast)
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
func solveTarget(run parallel.Run, in *Input, solver problem.Solver, p *problem.Problem) (*Result, error) {
	if in.MinGiven {
		p.MinSize = min(in.MinSize, int(in.Target))
	} else {
		p.MinSize = embed.SmallestOf(in.MinShare, in.Target)
	}
	found, err := problem.SearchTarget(run, solver, p, in.Target, in.Border)
	if err != nil {
		return nil, err
	}
	if !found.Reached && in.Border == nil {
		in.warnOfSize(found.Mean, found.Regularization)
	}
	return &Result{Component: found.Component, Count: found.Count, Energy: found.Energy, MinSize: found.MinSize,
		Regularization: found.Regularization, Lambda: problem.Lambda(in.Graph, in.Isolated, found.Regularization)}, nil
}

// sizeTolerance is the largest ratio of mean and wanted size without a warning.
const sizeTolerance = 1.25
