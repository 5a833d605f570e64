package filter

import (
	"errors"
	"fmt"
	"math"

	"github.com/golang/geo/r3"

	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/partition"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Frame says where a tile lies in its survey, and what the survey fixes for all.
type Frame struct {
	Origin  [3]float64          // metres; positions count from there, as from the middle of a view
	Spacing float64             // metres; what the order of points counts by
	Lambda  float64             // λ
	Core    func(i int) bool    // whether a point of the view is the tile's own
	Rim     func(i int) float64 // metres from a point of the view to where the view ends
	Column  func(i int) bool    // whether all points above and below a point are in the view
	// whether all points no farther than so many metres along each axis are in the view
	Cube   func(i int, reach float64) bool
	Around *embed.Cells // of the survey around the view; nil where the model reads nothing there
}

// Part is what is found of the points of a view by looking around them, in the
// order of its cloud. Of the points of the core it is that of the whole survey.
type Part struct {
	Cloud     *neighbor.Cloud
	ID        []uint64 // the same in all tiles
	Dim       int
	Embedding []float32 // points × Dim
	Edges     *neighbor.Edges
	Outputs   *Segmentation
}

// Narrow is a view that ends too near to points of its core.
type Narrow struct {
	Points int // of the core about which it does not tell enough
	Balls  []Ball
}

// Ball is a place around which all points must be known, in metres.
type Ball struct {
	At     r3.Vector
	Radius float64
}

func (e *Narrow) Error() string {
	return fmt.Sprintf("the view ends too near to %d points of the core; take a wider one", e.Points)
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
	case f.model.Card.Inputs.Scaled() != "":
		return fmt.Errorf("model %s scales %s by the values of all points", f.model.Name, f.model.Card.Inputs.Scaled())
	case s.target > 0:
		return errors.New("target_size searches λ in each tile; use regularization")
	case s.delaunay:
		return errors.New("delaunay looks at all points at once")
	case o.Color || o.Vote != "" || o.Classes != "":
		return errors.New("color, vote and classes are made tile by tile")
	}
	return nil
}

// Part looks around the points of a view. It fails with a *Narrow if the view ends
// too near to those of the core.
func (f *Filter) Part(run Run, view *View, frame Frame) (*Part, error) {
	j, err := f.partOf(run, view)
	if err != nil {
		return nil, err
	}
	if err := j.checkMemory(); err != nil {
		return nil, err
	}
	defer j.device.Release()
	if err := j.step(stepNeighbors, j.findNeighbors); err != nil {
		return nil, err
	}
	p := &Part{Cloud: j.cloud}
	if err := j.step(stepGraph, func(run parallel.Run) error { return p.join(run.Quiet(), j, frame) }); err != nil {
		return nil, err
	}
	j.around = frame.Around
	if err := j.step(stepEmbedding, j.embed); err != nil {
		return nil, err
	}
	p.Dim, p.Embedding = j.dim, j.embedding
	err = j.step(stepPartition, func(run parallel.Run) error { return p.finish(run.Quiet(), j, frame) })
	return p, err
}

// partOf is the work on a view.
func (f *Filter) partOf(run Run, view *View) (j *job, err error) {
	if err := f.choose(view.names()); err != nil {
		return nil, err
	}
	j = &job{Filter: f, run: run, view: view, seconds: map[string]float64{}}
	j.settings, err = f.options.resolve(f.model)
	return j, err
}

// join finds the edges, and whether they and all that embeddings read are those of
// the whole. An embedding reads a point's neighbours and theirs.
func (p *Part) join(run parallel.Run, j *job, frame Frame) (err error) {
	n := j.cloud.Len()
	rim := make([]float64, n)
	for i, from := range j.cloud.Order {
		rim[i] = frame.Rim(int(from))
	}
	p.Edges, err = neighbor.Begun(j.cloud, j.lists, j.settings.adjacency, j.settings.around,
		func(i uint32) float64 { return rim[i] }, run)
	if err != nil {
		return err
	}
	fewer := j.lists.K < min(j.settings.knn, n) // than wanted, so the whole may have others
	named := func(k uint32) bool { return frame.Column(int(j.cloud.Order[k])) }
	reach := p.contextReach(j, frame)
	wide := func(k uint32) bool { return reach == 0 || frame.Cube(int(j.cloud.Order[k]), reach) }
	var unsure []uint32
	for i, from := range j.cloud.Order {
		if !frame.Core(int(from)) {
			continue
		}
		known := p.Edges.Sure[i] && p.Edges.Listed[i] && named(uint32(i)) && wide(uint32(i)) &&
			(!fewer || math.IsInf(rim[i], 1))
		for _, k := range j.lists.Of(i) {
			known = known && p.Edges.Listed[k] && named(k) && wide(k)
		}
		for _, k := range p.Edges.Of(uint32(i)) {
			known = known && named(k)
		}
		if !known {
			unsure = append(unsure, uint32(i))
		}
	}
	if len(unsure) > 0 {
		return &Narrow{len(unsure), p.wanted(j, unsure, rim, named, reach, wide)}
	}
	return nil
}

// contextReach returns how far from a point, along each axis, all points must be known,
// in metres; 0 where the neighbors are enough.
func (p *Part) contextReach(j *job, frame Frame) float64 {
	const slack = 1e-3 // positions are rounded
	if reach := j.model.Card.ContextReach(); reach > 0 {
		return reach*frame.Spacing + slack
	}
	return 0
}

// wanted returns around which places more must be known for some points to be.
func (p *Part) wanted(j *job, unsure []uint32, rim []float64, named func(u uint32) bool,
	reach float64, wide func(u uint32) bool) (balls []Ball) {
	seen := make([]bool, j.cloud.Len())
	for _, u := range unsure {
		seen[u] = true
	}
	const hops = 3 // to neighbours, other ends of edges, and their neighbours
	for range hops {
		last := unsure
		for _, u := range last {
			for _, row := range [][]uint32{j.lists.Of(int(u)), p.Edges.Of(u)} {
				for _, k := range row {
					if !seen[k] {
						seen[k], unsure = true, append(unsure, k)
					}
				}
			}
		}
	}
	for _, u := range unsure {
		need := p.Edges.Need[u]
		if !wide(u) {
			need = max(need, math.Sqrt(3)*reach)
		}
		if need >= rim[u] || !named(u) || !wide(u) {
			balls = append(balls, Ball{j.cloud.Position(u).Add(j.cloud.Origin), need})
		}
	}
	return balls
}

// finish finds IDs and what is written of every point.
func (p *Part) finish(run parallel.Run, j *job, frame Frame) (err error) {
	if p.ID, err = j.cloud.IDs(frame.Origin, frame.Spacing, run); err != nil {
		return err
	}
	p.Outputs = &Segmentation{ID: make([]uint32, j.cloud.Len()), First: 1, order: j.cloud.Order}
	return p.Outputs.prepare(j, run)
}

// Joined are points of a survey with all that parts have found of them: its core and
// points around it, of which the graph has all edges between them.
type Joined struct {
	Cloud     *neighbor.Cloud // without a tree
	Graph     *neighbor.Graph
	Dim       int
	Embedding []float32
}

// Problem returns the partition problem of the points.
func (f *Filter) Problem(run parallel.Run, p *Joined, frame Frame) (*partition.Problem, error) {
	j := &job{Filter: f}
	var err error
	if j.settings, err = f.options.resolve(f.model); err != nil {
		return nil, err
	}
	s := &j.settings
	if s.spacingWeight > 0 {
		if s.spacing == 0 {
			return nil, errors.New("the spacing of the points is not known")
		}
		s.spatialWeight = s.spacingWeight / s.spacing
	}
	in := &method.Input{Settings: f.options.method(s), Cloud: p.Cloud, Graph: p.Graph, Embedding: p.Embedding, Dim: p.Dim,
		Origin: &frame.Origin, Log: f.log}
	problem, err := method.Problem(run, in)
	if err != nil {
		return nil, err
	}
	problem.Lambda = frame.Lambda
	problem.MinSize = max(1, partition.MinSize(in.MinSize, in.Regularization))
	return problem, nil
}
