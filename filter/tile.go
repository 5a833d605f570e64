// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"superpoint/embed"
	"superpoint/filter/cloud"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/steps"
	"superpoint/partition/base/parallel"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
)

// Frame is the position of a tile in its survey, with the values that all tiles share.
type Frame struct {
	Origin [3]float64 // metres; origin of positions, the center of the survey
	Corner [2]float64 // metres; least x and y of the survey
	method.Measured
	Points int    // of the survey
	Core   []bool // which points of the view are in the core
	Region Region // of which the view has all points, at any height
}

// Region is an area of the plane; positions are in the units of the view. Several workers call its functions.
type Region interface {
	// Clear returns the distance in metres from a position to the border.
	Clear(x, y float64) float64
	// Square reports whether all positions within reach metres of one along x and along y are in the region.
	Square(x, y, reach float64) bool
}

// EmbeddedTile has neighbours, embedding and edges of a view, in the order of its cloud.
// For the core's points they equal the full cloud's.
type EmbeddedTile struct {
	Cloud      *neighbor.Cloud
	ID         []uint64 // the same in all tiles
	Dim        int
	Embedding  []float32 // points × Dim
	Scattering []float32 // near_scattering, for models with volume; else nil
	Edges      *neighbor.Edges
	Outputs    *Segmentation // without the superpoints
}

// Tiling fails for options with which tiles cannot have the superpoints of the full
// cloud. Call Describe first.
func (f *Filter) Tiling() error {
	s, err := f.options.Resolve(f.model)
	if err != nil {
		return err
	}
	scaled := ""
	if card := models.CardOf(f.model); card != nil {
		scaled = card.Inputs.Scaled()
	}
	switch o := f.options; {
	case !method.Named(o.Method).GMPP:
		err = fmt.Errorf("option method: %s needs all points of a survey at once"+oneByOne, o.Method)
	case o.Solver != method.Auto && o.Solver != method.Local:
		err = fmt.Errorf("option solver: %s needs all points of a survey at once; use %s", o.Solver,
			method.Local)
	case scaled != "":
		err = fmt.Errorf(
			"option model: %s scales %s by the values of all points of a survey; choose another model, or "+
				"process files one by one (pdal superpoint segment)", f.model.Name, scaled)
	case s.Delaunay:
		err = errors.New("option delaunay: it needs all points of a survey at once" + oneByOne)
	}
	if err != nil {
		return err
	}
	for _, w := range Outputs() {
		if w.whole != "" && w.names(f) != nil {
			return fmt.Errorf("option %s: %s", w.Option, w.whole)
		}
	}
	return nil
}

// Embed finds neighbors, edges and embedding of the points of a tile with its halo. It
// fails with a *local.HaloError if the halo is too narrow for the core. Unlike in a view the edges come
// before the embedding: they tell whether the halo is wide enough, so that one too narrow costs no embedding.
func (f *Filter) Embed(run steps.Run, view *cloud.View, frame Frame) (*EmbeddedTile, error) {
	s, err := f.settings(view)
	if err != nil {
		return nil, err
	}
	s = s.WithMeasured(&frame.Measured)
	done, err := f.reserve(view, &s)
	if err != nil {
		return nil, err
	}
	defer done()
	defer f.device.Release()
	c := steps.NewClock(run, f.options.Threads, view.Len())
	at, err := steps.Do(c, steps.Neighbors, func(run parallel.Run) (*steps.Located, error) {
		return steps.LocateMetres(run, f.device, view, s.KNN, frame.Points, f.log)
	})
	if err != nil {
		return nil, err
	}
	s = s.WithSpacing(at.Cloud, at.Lists)
	edges, err := steps.Do(c, steps.Graph, func(run parallel.Run) (*neighbor.Edges, error) {
		return f.ownEdges(run.Quiet(), view, at, s.Graph, frame)
	})
	if err != nil {
		return nil, err
	}
	e, err := steps.Do(c, steps.Embedding, func(run parallel.Run) (*steps.Embeddings, error) {
		from := embed.Anchor{Corner: &frame.Corner, Floor: &frame.BoxFloor}
		return steps.EmbedView(run, f.device, f.model, view, at, s.Spacing, from, f.options.OutputInputs())
	})
	if err != nil {
		return nil, err
	}
	return steps.Do(c, steps.Partition, func(run parallel.Run) (*EmbeddedTile, error) {
		run = run.Quiet()
		if err := edges.Isolate(run, at.Cloud, at.Lists, s.Graph.Nearest, e.Isolated); err != nil {
			return nil, err
		}
		id, err := at.Cloud.IDs(frame.Origin, frame.Spacing, run)
		if err != nil {
			return nil, err
		}
		outputs, err := f.tileOutputs(run, view, at, e)
		return &EmbeddedTile{
			Cloud: at.Cloud, ID: id, Dim: e.Dim, Embedding: e.Values, Scattering: e.Scattering,
			Edges: edges, Outputs: outputs,
		}, err
	})
}

// ownEdges builds the edges of a tile. It fails with a *local.HaloError unless the edges of the
// core's points, and all that their embeddings read, equal the full cloud's. An embedding reads
// the neighbors of a point and their neighbors; whether an edge to an isolated point stays
// depends on the neighbors of both ends.
func (f *Filter) ownEdges(run parallel.Run, v *cloud.View, at *steps.Located, how neighbor.GraphOptions,
	frame Frame) (*neighbor.Edges, error) {
	rim := frame.rims(run, v, at.Cloud.Order)
	edges, err := neighbor.OwnEdges(at.Cloud, at.Lists, how,
		func(i uint32) float64 { return rim[i] }, run)
	if err != nil {
		return nil, err
	}
	// The order of points reads two cells of its keys, an embedding the points within Reach.
	cells := neighbor.NewCells(frame.Spacing, neighbor.Unit)
	named := 2 * cells.Edge() * neighbor.Unit
	wide := max(named, f.Reach(frame.Spacing))
	square := func(k uint32, reach float64) bool {
		from := at.Cloud.Order[k]
		return frame.Region.Square(v.X[from], v.Y[from], reach)
	}
	isExact := func(i int) bool {
		known := edges.Exact[i] && square(uint32(i), wide)
		for _, k := range at.Lists.Of(i) {
			known = known && edges.Inside[k] && square(k, wide)
		}
		for _, k := range edges.Of(uint32(i)) {
			known = known && edges.Inside[k] && square(k, named)
		}
		return known
	}
	n := len(at.Cloud.Order)
	inexact := slices.Concat(parallel.Map(run, n, parallel.Block(n), func(lo, hi int) (all []uint32) {
		for i := lo; i < hi; i++ {
			if frame.Core[at.Cloud.Order[i]] && !isExact(i) {
				all = append(all, uint32(i))
			}
		}
		return all
	})...)
	if len(inexact) > 0 {
		return nil, &local.HaloError{Points: len(inexact), Step: "embed",
			Places: missing(at, edges, inexact, func(u uint32) (float64, bool) {
				need := edges.Radius[u]
				narrow := !square(u, wide)
				if narrow {
					need = max(need, math.Sqrt2*wide)
				}
				return need, need >= rim[u] || narrow
			})}
	}
	return edges, nil
}

// rims returns the distance of each point to the border of the region, in the order of a cloud; infinite
// where it is farther than any search radius.
func (frame *Frame) rims(run parallel.Run, v *cloud.View, order []uint32) []float64 {
	rim := make([]float64, len(order))
	run.Each(len(order), parallel.Block(len(order)), func(i int) {
		from := order[i]
		rim[i] = frame.Region.Clear(v.X[from], v.Y[from])
		if rim[i] > neighbor.Farthest {
			rim[i] = math.Inf(1)
		}
	})
	return rim
}

// missing returns the places that keep points from being exact, each with the radius of
// the points that are needed around it. need returns that radius for a point, and whether
// the view lacks some of these points.
func missing(at *steps.Located, edges *neighbor.Edges, inexact []uint32,
	need func(u uint32) (float64, bool)) (places []local.Ball) {
	seen := make([]bool, at.Cloud.Len())
	for _, u := range inexact {
		seen[u] = true
	}
	const hops = 3 // to neighbors, other ends of edges, and their neighbors
	for range hops {
		last := inexact
		for _, u := range last {
			for _, row := range [][]uint32{at.Lists.Of(int(u)), edges.Of(u)} {
				for _, k := range row {
					if !seen[k] {
						seen[k] = true
						inexact = append(inexact, k)
					}
				}
			}
		}
	}
	for _, u := range inexact {
		if radius, is := need(u); is {
			places = append(places, local.Ball{At: at.Cloud.Position(u).Add(at.Cloud.Origin), Radius: radius})
		}
	}
	return places
}

// tileOutputs computes the outputs of a tile that need neither its superpoints nor its classes.
func (f *Filter) tileOutputs(run parallel.Run, view *cloud.View, at *steps.Located, e *steps.Embeddings) (
	*Segmentation, error) {
	t := &partitioned{filter: f, view: view, Points: &steps.Points{Located: at, Embeddings: e}}
	out := &Segmentation{ID: make([]uint32, at.Cloud.Len()), First: 1, order: at.Cloud.Order}
	return out, out.prepare(t, run, superpointOutputs())
}

// Problem returns the partition problem of a tile's core and a halo around it. in has the points with
// all edges between them: Cloud (without a tree), Graph, Dim, Embedding and Scattering.
func (f *Filter) Problem(run parallel.Run, in *method.Input, frame Frame) (*problem.Problem, error) {
	s, err := f.options.Resolve(f.model)
	if err != nil {
		return nil, err
	}
	if s.SpacingWeight > 0 {
		s.SpatialWeight = s.SpacingWeight / frame.Spacing
	}
	in.Settings = s.Settings
	in.Origin = &frame.Origin
	in.Log = f.log
	problem, err := method.Problem(run, in)
	if err != nil {
		return nil, err
	}
	problem.Lambda, problem.MinSize = frame.Lambda, frame.MinSize
	return problem, nil
}
