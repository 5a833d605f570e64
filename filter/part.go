package filter

import (
	"errors"
	"fmt"
	"math"

	"superpoint/filter/method"
	"superpoint/partition"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Frame says where a tile lies in its survey, and what the survey fixes for all.
type Frame struct {
	Origin [3]float64          // metres; positions count from there, as from the middle of a view
	Lambda float64             // λ
	Rim    func(i int) float64 // metres along the ground from a point of the view to where the tile ends
}

// Part is a view up to the partition problem, in the order of its cloud.
type Part struct {
	Problem *partition.Problem
	ID      []uint64 // of each point, the same in all tiles that have all points around it
	Order   []uint32 // index in the view of each point
	Sure    []bool   // whether its value, and the edges that it begins, are those of the whole survey
	Outputs *Segmentation

	cloud *neighbor.Cloud
}

// At returns where a point lies along the ground, in metres from the cloud's middle.
func (p *Part) At(u uint32) (x, y float64) {
	at := p.cloud.Position(u)
	return at.X, at.Y
}

// Whole tells whether tiles with these options can give the superpoints of the
// whole, or why not. Call Describe first.
func (f *Filter) Whole() error {
	s, err := f.options.resolve(f.model)
	switch o := f.options; {
	case err != nil:
		return err
	case !method.Named(o.Method).GMPP:
		return fmt.Errorf("method %s works on all points at once", o.Method)
	case o.Solver != method.Auto && o.Solver != method.Local:
		return fmt.Errorf("solver %s looks at all points at once", o.Solver)
	case f.model == nil || f.model.Card == nil:
		return errors.New("only learned models are sure to see no farther than they say")
	case len(f.model.Needs) > 0:
		return fmt.Errorf("model %s scales %s by the values of all points", f.model.Name, f.model.Needs[0])
	case s.target > 0:
		return errors.New("target_size searches λ in each tile; use regularization")
	case s.delaunay:
		return errors.New("delaunay looks at all points at once")
	case o.Color || o.Vote != "" || o.Classes != "":
		return errors.New("color, vote and classes are made tile by tile")
	}
	return nil
}

// Part runs the steps up to the partition problem on a tile.
func (f *Filter) Part(run Run, view *View, frame Frame) (*Part, error) {
	if err := f.choose(view.names()); err != nil {
		return nil, err
	}
	t, err := f.Tiling()
	if err != nil {
		return nil, err
	}
	j := &job{Filter: f, run: run, view: view, seconds: map[string]float64{}}
	if j.settings, err = f.options.resolve(f.model); err != nil {
		return nil, err
	}
	j.settings.foliage.ForestDamping = 0 // that is for the whole to say: a survey is no cut tree
	if err := j.checkMemory(); err != nil {
		return nil, err
	}
	defer j.device.Release()
	if err := j.step(stepNeighbors, j.findNeighbors); err != nil {
		return nil, err
	}
	if err := j.step(stepEmbedding, j.embed); err != nil {
		return nil, err
	}
	p := &Part{cloud: j.cloud, Order: j.cloud.Order}
	if err := j.step(stepGraph, func(run parallel.Run) error {
		if err := j.buildGraph(run, true); err != nil {
			return err
		}
		surround := t.Halo
		if t.Reference > 0 {
			surround *= j.settings.spacing / t.Reference
		}
		return p.certify(run.Quiet(), j, frame, surround)
	}); err != nil {
		return nil, err
	}
	j.lists = nil
	err = j.step(stepPartition, func(run parallel.Run) error { return p.problem(run, j, frame) })
	return p, err
}

// certify finds IDs, and which points are sure. An embedding is, where the
// surroundings that it reads are complete; the trust in it, where also those of
// the neighbours are; where a point of foliage stands, if also those on its way are.
func (p *Part) certify(run parallel.Run, j *job, frame Frame, surround float64) error {
	rim := func(i uint32) float64 { return frame.Rim(int(j.cloud.Order[i])) }
	listed, edges, err := neighbor.Certain(j.cloud, j.lists, j.settings.adjacency, j.settings.around, rim, run)
	if err != nil {
		return err
	}
	if j.lists.K < min(j.settings.knn, j.cloud.Len()) { // fewer than wanted, so the whole may have others
		for i := range listed {
			listed[i] = math.IsInf(rim(uint32(i)), 1)
		}
	}
	least := max(surround, 2*neighbor.CellEdge*j.cloud.Unit)
	known := make([]bool, j.cloud.Len())
	if err := run.For(len(known), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			known[i] = listed[i] && rim(uint32(i)) > least
			for _, k := range j.lists.Of(i) {
				known[i] = known[i] && listed[k]
			}
		}
	}); err != nil {
		return err
	}
	if p.Sure, err = j.foliage.Sure(run, j.lists, j.model.Neighbors, j.settings.foliage, known); err != nil {
		return err
	}
	for i, begun := range edges {
		p.Sure[i] = p.Sure[i] && begun
	}
	p.ID, err = j.cloud.IDs(frame.Origin, run)
	return err
}

// problem makes the partition problem with positions from the survey's origin.
func (p *Part) problem(run parallel.Run, j *job, frame Frame) (err error) {
	in := &method.Input{
		Settings: j.options.method(&j.settings), Cloud: j.cloud, Graph: j.graph, Embedding: j.embedding, Dim: j.dim,
		Foliage: j.foliage, Origin: &frame.Origin, Log: j.log,
	}
	if p.Problem, err = method.Problem(run.Quiet(), in); err != nil {
		return err
	}
	p.Problem.Lambda = frame.Lambda
	p.Problem.MinSize = max(1, partition.MinSize(in.MinSize, in.Regularization))
	p.Outputs = &Segmentation{ID: make([]uint32, j.cloud.Len()), First: 1, order: j.cloud.Order}
	return p.Outputs.prepare(j, run.Quiet())
}
