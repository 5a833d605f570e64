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

// Frame says where a tile lies in its survey, and what the survey fixes for all.
type Frame struct {
	Origin [3]float64 // metres; positions count from there, as from the middle of a view
	method.Fixed
	Points int                 // of the survey
	Core   func(i int) bool    // whether a point of the view is the tile's own
	Rim    func(i int) float64 // metres from a point of the view to where the view ends
	Column func(i int) bool    // whether all points above and below a point are in the view
	// whether all points no farther than so many metres along each axis are in the view
	Cube   func(i int, reach float64) bool
	Around *embed.Cells // of the survey around the view; nil where the model reads nothing there
}

// Embedded is what is found around the points of a view, in the order of its cloud. Of
// the points of the core it is that of the full cloud.
type Embedded struct {
	Cloud     *neighbor.Cloud
	ID        []uint64 // the same in all tiles
	Dim       int
	Embedding []float32 // points × Dim
	Placed    []float32 // placements, see embed.PlacementWidth; nil for none
	Edges     *neighbor.Edges
	Outputs   *Segmentation // without the superpoints
}

// Tiled says what a survey must know to cut a cloud into tiles.
type Tiled struct {
	Sphere    int              // columns of the embedding that stay on the unit sphere
	Reference float64          // spacing of points that the model scales a cloud to; 0 = none
	Elevation *embed.Elevation // how the model measures heights above the surroundings; nil if it does not
	Context   float64          // spacings along each axis that an embedding looks around a point
	Classes   bool             // a classifier is asked for
}

// Tiled fails, with what to do instead, for options with which tiles cannot give the
// superpoints of the full cloud. Call Describe first.
func (f *Filter) Tiled() (t Tiled, err error) {
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
	t = Tiled{Elevation: f.card().Surroundings(), Context: f.card().ContextReach(), Classes: f.classifier != nil}
	if f.options.Sphere {
		t.Sphere = f.columns()
	}
	if f.model.Spaced() {
		t.Reference = f.model.Card.Inputs.Spacing
	}
	return t, nil
}

// card says what the model reads; nil for values of the points themselves.
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
	if err := f.choose(view.names()); err != nil {
		return nil, err
	}
	j := &job{Filter: f, run: run, view: view, seconds: map[string]float64{}, around: frame.Around,
		origin: &frame.Origin, points: frame.Points}
	var err error
	if j.settings, err = f.options.resolve(f.model); err != nil {
		return nil, err
	}
	if err := j.checkMemory(); err != nil {
		return nil, err
	}
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
	err = j.step(stepPartition, func(run parallel.Run) error { return p.prepare(run.Quiet(), j, frame) })
	return p, err
}

// findEdges finds the edges, and whether they and all that embeddings read are those of
// the full cloud. An embedding reads a point's neighbors and theirs.
func (p *Embedded) findEdges(run parallel.Run, j *job, frame Frame) (err error) {
	n := j.cloud.Len()
	rim := make([]float64, n)
	for i, from := range j.cloud.Order {
		if rim[i] = frame.Rim(int(from)); rim[i] > neighbor.Farthest {
			rim[i] = math.Inf(1) // nothing looks farther
		}
	}
	p.Edges, err = neighbor.Begun(j.cloud, j.lists, j.settings.adjacency, j.settings.around,
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
		known := p.Edges.Sure[i] && p.Edges.Listed[i] && named(uint32(i)) && wide(uint32(i))
		for _, k := range j.lists.Of(i) {
			known = known && p.Edges.Listed[k] && named(k) && wide(k)
		}
		for _, k := range p.Edges.Of(uint32(i)) {
			known = known && named(k)
		}
		if !known {
			inexact = append(inexact, uint32(i))
		}
	}
	if len(inexact) > 0 {
		return &local.HaloError{Points: len(inexact), Step: "embed",
			Places: p.missing(j, inexact, func(u uint32) (float64, bool) {
				need := p.Edges.Need[u]
				if !wide(u) {
					need = max(need, math.Sqrt(3)*reach)
				}
				return need, need >= rim[u] || !named(u) || !wide(u)
			})}
	}
	return nil
}

// contextReach returns how far from a point, along each axis, all points must be known,
// in metres; 0 where the neighbors are enough.
func (j *job) contextReach(spacing float64) float64 {
	const slack = 1e-3 // positions are rounded
	if reach := j.card().ContextReach(); reach > 0 {
		return reach*spacing + slack
	}
	return 0
}

// missing returns around which places more must be known for some points to be exact, by
// how far around each it is needed and whether it is not.
func (p *Embedded) missing(j *job, inexact []uint32,
	need func(u uint32) (float64, bool)) (places []local.Place) {
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
			places = append(places, local.Place{At: j.cloud.Position(u).Add(j.cloud.Origin), Radius: radius})
		}
	}
	return places
}

// prepare finds IDs and what is written of every point. Classes are those of the
// superpoints of the tile with its halo alone.
func (p *Embedded) prepare(run parallel.Run, j *job, frame Frame) (err error) {
	if p.ID, err = j.cloud.IDs(frame.Origin, frame.Spacing, run); err != nil {
		return err
	}
	p.Outputs = &Segmentation{ID: make([]uint32, j.cloud.Len()), First: 1, order: j.cloud.Order}
	if j.classifier != nil {
		j.settings.fixed = &frame.Fixed
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

// Gathered are points of a survey with all that was found around them: those of a tile's
// core and points around it, with all edges between them.
type Gathered struct {
	Cloud     *neighbor.Cloud // without a tree
	Graph     *neighbor.Graph
	Dim       int
	Embedding []float32
	Placed    []float32 // placements, see embed.PlacementWidth; nil for none
}

// Problem returns the partition problem of the points.
func (f *Filter) Problem(run parallel.Run, p *Gathered, frame Frame) (*partition.Problem, error) {
	s, err := f.options.resolve(f.model)
	if err != nil {
		return nil, err
	}
	if s.spacingWeight > 0 {
		s.spatialWeight = s.spacingWeight / frame.Spacing
	}
	problem, err := method.Problem(run, &method.Input{Settings: f.options.method(&s), Cloud: p.Cloud, Graph: p.Graph,
		Embedding: p.Embedding, Dim: p.Dim, Placed: p.Placed, Origin: &frame.Origin, Log: f.log})
	if err != nil {
		return nil, err
	}
	problem.Lambda, problem.MinSize = frame.Lambda, frame.MinSize
	return problem, nil
}
