package filter

import (
	"errors"
	"fmt"
	"math"

	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/partition"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Frame is the position of a tile in its survey, with the values that all tiles share.
type Frame struct {
	Origin [3]float64 // metres; origin of positions, the center of the survey
	method.Measured
	Points int                 // of the survey
	Core   func(i int) bool    // reports whether point i of the view is in the core
	Rim    func(i int) float64 // metres from point i of the view to the border of the view
	Column func(i int) bool    // reports whether the view has all points above and below point i
	// reports whether the view has all points within reach metres of point i along each axis
	Cube         func(i int, reach float64) bool
	Surroundings *embed.Cells // of the survey around the view; nil if the model does not need them
}

// Embedded has neighbours, embedding and edges of a view, in the order of its cloud.
// Those of the core's points equal those of the full cloud.
type Embedded struct {
	Cloud     *neighbor.Cloud
	ID        []uint64 // the same in all tiles
	Dim       int
	Embedding []float32 // points × Dim
	Placed    []float32 // placements, see embed.PlacementWidth; nil for none
	Edges     *neighbor.Edges
	Outputs   *Segmentation // without the superpoints
}

// Tiling has the properties of model and options that the tiles of a survey depend on.
type Tiling struct {
	Sphere    int              // columns of the embedding that stay on the unit sphere
	Reference float64          // spacing of points that the model scales a cloud to; 0 = none
	Elevation *embed.Elevation // how the model measures heights above the surroundings; nil if it does not
	Context   float64          // spacings along each axis that an embedding looks around a point
	Classes   bool             // points are classified
}

// Tiling fails for options with which the superpoints of tiles cannot equal those of
// the full cloud. Call Describe first.
func (f *Filter) Tiling() (t Tiling, err error) {
	s, err := f.options.resolve(f.model)
	if err != nil {
		return t, err
	}
	const single = "; leave it out, or process files one by one (pdal superpoint segment --unique)"
	switch o := f.options; {
	case o.Graph == graphGrid:
		err = errors.New("option graph: grid needs the whole raster; leave it out, or process the raster by " +
			"pdal superpoint segment")
	case !method.Named(o.Method).GMPP:
		err = fmt.Errorf("option method: %s needs all points of a survey at once"+single, o.Method)
	case o.Solver != method.Auto && o.Solver != method.Local:
		err = fmt.Errorf("option solver: %s needs all points of a survey at once; use %s", o.Solver, method.Local)
	case f.inputs() == nil:
		err = errors.New("option features: their range is that of all points of a survey" + single)
	case f.inputs().Scaled() != "":
		err = fmt.Errorf("option model: %s scales %s by the values of all points of a survey; choose another model, or "+
			"process files one by one (pdal superpoint segment --unique)", f.model.Name, f.inputs().Scaled())
	case s.delaunay:
		err = errors.New("option delaunay: it needs all points of a survey at once" + single)
	case o.Color:
		err = errors.New("option color: colors of superpoints that touch need all of a survey at once; leave it out, and " +
			"color by the id")
	case o.Vote != "":
		err = errors.New("option vote: votes of superpoints need all tiles of a survey" + single)
	}
	if err != nil {
		return t, err
	}
	t = Tiling{Elevation: f.card().GroundSettings(), Context: f.card().ContextReach(), Classes: f.classifier != nil}
	if f.options.Sphere {
		t.Sphere = f.columns()
	}
	if f.model.Spaced() {
		t.Reference = f.model.Card.Inputs.Spacing
	}
	return t, nil
}

// card returns the card of the model; nil if features replace it.
func (f *Filter) card() *embed.Card {
	if f.model == nil {
		return nil
	}
	if by, ok := f.model.Embedder.(interface{ Card() *embed.Card }); ok && f.model.Card == nil {
		return by.Card()
	}
	return f.model.Card
}

func (f *Filter) inputs() *embed.Channels {
	if c := f.card(); c != nil {
		return &c.Inputs
	}
	return nil
}

// Embed finds neighbors, embedding and edges of the points of a tile with its halo. It
// fails with a *local.HaloError if the halo is too narrow for the core.
func (f *Filter) Embed(run Run, view *View, frame Frame) (*Embedded, error) {
	j, err := f.newJob(run, view)
	if err != nil {
		return nil, err
	}
	j.settings.setMeasured(&frame.Measured)
	j.surroundings, j.origin, j.points = frame.Surroundings, &frame.Origin, frame.Points
	done, err := j.reserve()
	if err != nil {
		return nil, err
	}
	defer done()
	defer j.device.Release()
	if err := j.step(stepNeighbors, j.findNeighbors); err != nil {
		return nil, err
	}
	p := &Embedded{Cloud: j.cloud}
	err = j.step(stepGraph, func(run parallel.Run) error { return p.findEdges(run.Quiet(), j, frame) })
	if err != nil {
		return nil, err
	}
	if err := j.step(stepEmbedding, j.embed); err != nil {
		return nil, err
	}
	p.Dim, p.Embedding, p.Placed = j.dim, j.embedding, j.placed
	err = j.step(stepPartition, func(run parallel.Run) error {
		if err := p.Edges.Isolate(run.Quiet(), j.cloud, j.lists, j.settings.adjacency, j.isolated); err != nil {
			return err
		}
		return p.prepare(run.Quiet(), j, frame)
	})
	return p, err
}

// findEdges builds the edges. It fails with a *local.HaloError unless the edges of the
// core's points, and all that their embeddings read, equal those of the full cloud. An
// embedding reads the neighbors of a point and the neighbors of these; whether an edge to an
// isolated point stays, the neighbors of both ends.
func (p *Embedded) findEdges(run parallel.Run, j *job, frame Frame) (err error) {
	n := j.cloud.Len()
	rim := make([]float64, n)
	for i, from := range j.cloud.Order {
		if rim[i] = frame.Rim(int(from)); rim[i] > neighbor.Farthest {
			rim[i] = math.Inf(1) // no search goes farther
		}
	}
	p.Edges, err = neighbor.OwnEdges(j.cloud, j.lists, j.settings.adjacency, j.settings.lineKNN,
		func(i uint32) float64 { return rim[i] }, run)
	if err != nil {
		return err
	}
	named := func(k uint32) bool { return frame.Column(int(j.cloud.Order[k])) }
	reach := j.contextReach(frame.Spacing)
	wide := func(k uint32) bool { return reach == 0 || frame.Cube(int(j.cloud.Order[k]), reach) }
	var inexact []uint32
	for i, from := range j.cloud.Order {
		if !frame.Core(int(from)) {
			continue
		}
		known := p.Edges.Exact[i] && p.Edges.Listed[i] && named(uint32(i)) && wide(uint32(i))
		for _, k := range j.lists.Of(i) {
			known = known && p.Edges.Listed[k] && named(k) && wide(k)
		}
		for _, k := range p.Edges.Of(uint32(i)) {
			known = known && p.Edges.Listed[k] && named(k)
		}
		if !known {
			inexact = append(inexact, uint32(i))
		}
	}
	if len(inexact) > 0 {
		return &local.HaloError{Points: len(inexact), Step: "embed",
			Places: p.missing(j, inexact, func(u uint32) (float64, bool) {
				need := p.Edges.Radius[u]
				if !wide(u) {
					need = max(need, math.Sqrt(3)*reach)
				}
				return need, need >= rim[u] || !named(u) || !wide(u)
			})}
	}
	return nil
}

// contextReach returns the distance in metres, along each axis, within which the
// embedding of a point reads other points; 0 if it reads neighbors only.
func (j *job) contextReach(spacing float64) float64 {
	const slack = 1e-3 // positions are rounded
	if reach := j.card().ContextReach(); reach > 0 {
		return reach*spacing + slack
	}
	return 0
}

// missing returns the places that keep points from being exact, each with the radius of
// the points that are needed around it. need returns that radius for a point, and whether
// the view lacks some of these points.
func (p *Embedded) missing(j *job, inexact []uint32,
	need func(u uint32) (float64, bool)) (places []local.Ball) {
	seen := make([]bool, j.cloud.Len())
	for _, u := range inexact {
		seen[u] = true
	}
	const hops = 3 // to neighbors, other ends of edges, and their neighbors
	for range hops {
		last := inexact
		for _, u := range last {
			for _, row := range [][]uint32{j.lists.Of(int(u)), p.Edges.Of(u)} {
				for _, k := range row {
					if !seen[k] {
						seen[k], inexact = true, append(inexact, k)
					}
				}
			}
		}
	}
	for _, u := range inexact {
		if radius, is := need(u); is {
			places = append(places, local.Ball{At: j.cloud.Position(u).Add(j.cloud.Origin), Radius: radius})
		}
	}
	return places
}

// prepare computes the IDs and the outputs. Classes are those of the superpoints of the
// tile with its halo, not of the survey.
func (p *Embedded) prepare(run parallel.Run, j *job, frame Frame) (err error) {
	if p.ID, err = j.cloud.IDs(frame.Origin, frame.Spacing, run); err != nil {
		return err
	}
	p.Outputs = &Segmentation{ID: make([]uint32, j.cloud.Len()), First: 1, order: j.cloud.Order}
	if j.classifier != nil {
		if err := j.buildGraph(run, true); err != nil {
			return err
		}
		by := method.Named(j.options.Method)
		if err := j.solve(run, &by); err != nil {
			return err
		}
	}
	return p.Outputs.prepare(j, run)
}

// Problem returns the partition problem of a tile's core and a halo around it. in has the points with
// all edges between them: Cloud (without a tree), Graph, Dim, Embedding and Placed.
func (f *Filter) Problem(run parallel.Run, in *method.Input, frame Frame) (*partition.Problem, error) {
	s, err := f.options.resolve(f.model)
	if err != nil {
		return nil, err
	}
	if s.spacingWeight > 0 {
		s.SpatialWeight = s.spacingWeight / frame.Spacing
	}
	in.Settings, in.Origin, in.Log = s.Settings, &frame.Origin, f.log
	problem, err := method.Problem(run, in)
	if err != nil {
		return nil, err
	}
	problem.Lambda, problem.MinSize = frame.Lambda, frame.MinSize
	return problem, nil
}
