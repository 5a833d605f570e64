package local

import (
	"slices"

	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Solver is the local solver.
type Solver struct{}

// Solve implements partition.Solver.
func (Solver) Solve(run parallel.Run, p *partition.Problem) (*partition.Result, error) {
	return solveBy(run, p, processor{})
}

// engine does the steps on the points.
type engine interface {
	coarsen(run parallel.Run, g *reduced.Graph) (label []uint32, atoms *reduced.Graph, err error)
	shift(run parallel.Run, g, part *reduced.Graph, label []uint32, t terms) error
}

// processor is the engine that every machine has.
type processor struct{}

func (processor) coarsen(run parallel.Run, g *reduced.Graph) ([]uint32, *reduced.Graph, error) {
	return coarsen(run, g)
}

func (processor) shift(run parallel.Run, g, part *reduced.Graph, label []uint32, t terms) error {
	return shift(run, g, part, label, t)
}

// solveBy solves with an engine.
func solveBy(run parallel.Run, p *partition.Problem, by engine) (*partition.Result, error) {
	if err := p.Validate(run); err != nil {
		return nil, err
	}
	progress := run.Progress
	run = run.Quiet()
	g, err := newGraph(run, p)
	if err != nil {
		return nil, err
	}
	label, err := solve(run, g, p.MinSize, by, progress)
	if err != nil {
		return nil, err
	}
	r, err := p.NewResult(run, label, len(label))
	if err != nil || len(label) > few {
		return r, err
	}
	return best(run, g, p, r)
}

// best returns the best of r, the partition of cut pursuit, and that one after
// points have moved.
func best(run parallel.Run, g *reduced.Graph, p *partition.Problem, r *partition.Result) (*partition.Result, error) {
	other, err := cutpursuit.Solver{}.Solve(run, p)
	if err != nil {
		return nil, err
	}
	label := slices.Clone(other.Component)
	part, up, err := exactly(run, g, label, other.Count)
	if err != nil {
		return nil, err
	}
	if err := reduced.Relabel(run, label, up); err != nil {
		return nil, err
	}
	label, err = finish(run, g, part, label, p.MinSize, processor{}, terms{least: p.MinSize, passes: passes, keep: true})
	if err != nil {
		return nil, err
	}
	moved, err := p.NewResult(run, label, len(label))
	if err != nil {
		return nil, err
	}
	for _, x := range []*partition.Result{other, moved} {
		if x.Energy < r.Energy {
			r = x
		}
	}
	return r, nil
}

// solve returns the component of every vertex.
func solve(run parallel.Run, g *reduced.Graph, minSize int, by engine, report func(float64)) ([]uint32, error) {
	label, part, err := joined(run, g, minSize, by, report)
	if err != nil {
		return nil, err
	}
	return finish(run, g, part, label, minSize, by, fine(minSize))
}

// joined returns the component of every vertex before points move, and the
// components' graph.
func joined(run parallel.Run, g *reduced.Graph, minSize int, by engine, report func(float64)) ([]uint32,
	*reduced.Graph, error) {
	label, atoms, err := by.coarsen(run, g)
	if err != nil {
		return nil, nil, err
	}
	report(.35)
	up, part, err := join(run, atoms, minSize)
	if err != nil {
		return nil, nil, err
	}
	report(.6)
	return label, part, reduced.Relabel(run, label, up)
}

// fine are the terms on which points move.
func fine(minSize int) terms {
	return terms{least: minSize, passes: finePasses, keep: true, static: true}
}

// finish moves points between the components label, the vertices of part, and
// returns the component of each.
func finish(run parallel.Run, g, part *reduced.Graph, label []uint32, minSize int, by engine, t terms) ([]uint32,
	error) {
	if err := by.shift(run, g, part, label, t); err != nil {
		return nil, err
	}
	count, err := g.Pieces(run, label)
	if err != nil {
		return nil, err
	}
	pieces, up, err := exactly(run, g, label, count)
	if err != nil {
		return nil, err
	}
	if err := reduced.Relabel(run, label, up); err != nil {
		return nil, err
	}
	up, _, err = mend(run, pieces, minSize)
	if err != nil {
		return nil, err
	}
	return label, reduced.Relabel(run, label, up)
}

// newGraph is reduced.New with weights in whole 65536ths, whose sums are exact
// in float32 between components of up to cap0 points: they have at most 256
// edges in common. Contrasts that Round has made so are not copied.
func newGraph(run parallel.Run, p *partition.Problem) (*reduced.Graph, error) {
	g := reduced.New(p)
	g.Before = p.Before
	n := g.Vertices()
	var err error
	if slices.ContainsFunc(p.Contrast, func(c float32) bool { return whole(c) != c }) {
		g.Weight = slices.Clone(p.Contrast)
		err = Round(run, g.Weight)
	}
	if g.Before == nil || err != nil {
		return g, err
	}
	g.Key = make([]uint64, n)
	if p.Key != nil {
		err = run.For(n, block, func(lo, hi int) {
			for u := lo; u < hi; u++ {
				g.Key[u] = p.Key(uint32(u))
			}
		})
	}
	return g, err
}

// Round rounds contrasts to the whole 65536ths that the solver works with.
func Round(run parallel.Run, contrast []float32) error {
	return run.For(len(contrast), 1<<16, func(lo, hi int) {
		for i, c := range contrast[lo:hi] {
			contrast[lo+i] = whole(c)
		}
	})
}

// quanta is the number of steps of a contrast from 0 to 1.
const quanta = 1 << 16

// whole rounds a contrast to a whole number of 65536ths; the addition does it.
// Contrasts from 128 on, which no model has, keep their 24 bits.
func whole(c float32) float32 {
	const shift = 128 // numbers from 128 to 256 have steps of 2⁻¹⁶
	if c >= shift {
		return c
	}
	return float32(c+shift) - shift
}
