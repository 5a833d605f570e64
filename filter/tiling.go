package filter

import (
	"cmp"
	"errors"

	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/partition"
	"superpoint/partition/neighbor"
)

// Tiling is what cutting a survey into tiles must know.
type Tiling struct {
	Halo      float64 // metres of surroundings, beyond the neighbours, that an embedding depends on
	Spaced    bool    // the result depends on the spacing of the points, which a survey must fix once
	Reference float64 // above 0: Halo is of a cloud with this spacing
	KNN       int     // neighbours that are searched
	// λ̃ where λ = λ̃/(4c) is given by it; 0 for other methods and with target_size.
	// c = |E|/|V| differs from tile to tile, and a survey must fix λ, not λ̃.
	Regularization float64
	MinSize        int // smallest superpoint that goes with it, in points
	Sphere         int // columns of the embedding that stay on the unit sphere
	// how the model measures heights above the surroundings, at its reference spacing; nil if it does not
	Elevation *embed.Elevation
	Context   float64 // spacings along each axis within which points change an embedding; 0: neighbors alone
}

// Tiling says what tiles need. Call Describe first. It fails for options whose
// result cannot be the same in tiles.
func (f *Filter) Tiling() (Tiling, error) {
	if f.options.Graph == graphGrid {
		return Tiling{}, errors.New("option graph: grid works on a whole raster; process rasters without tiles, or use " +
			"graph knn")
	}
	s, err := f.options.resolve(f.model)
	if err != nil {
		return Tiling{}, err
	}
	t := Tiling{KNN: max(s.knn, 1)}
	if method.Named(f.options.Method).GMPP {
		t.Spaced = s.spacingWeight > 0
		if s.target == 0 {
			t.Regularization = s.regularization
			t.MinSize = max(1, partition.MinSize(s.minSize, s.regularization))
			if f.options.Sphere {
				t.Sphere = f.columns()
			}
		}
	}
	t.Spaced = t.Spaced || s.delaunay && s.maxEdge == 0
	if f.model == nil {
		return t, nil
	}
	if f.model.Card != nil {
		t.Elevation, t.Context = f.model.Card.Surroundings(), f.model.Card.ContextReach()
	}
	if f.model.Spaced() {
		t.Spaced, t.Reference = true, f.model.Card.Inputs.Spacing
	}
	if h, ok := f.model.Embedder.(interface{ Halo() float64 }); ok {
		t.Halo = h.Halo()
	} else if f.model.Card != nil {
		t.Halo = f.model.Card.Halo()
	}
	return t, nil
}

// Adjacency returns the graph that f partitions the workspace's view on, and
// the index in the view of each of its vertices.
func (w *Workspace) Adjacency(run Run, f *Filter) (graph *neighbor.Graph, order []uint32, err error) {
	s, err := f.options.resolve(f.model)
	if err != nil {
		return nil, nil, err
	}
	key := graphKey{adjacency: s.adjacency, around: s.around}
	if s.delaunay {
		key.delaunay = cmp.Or(s.maxEdge, edgeSpacings*cmp.Or(s.spacing, w.Spacing()))
	}
	g, _, err := w.graph(run.parallel(stepGraph, w.threads).Quiet(), key)
	if err != nil {
		return nil, nil, err
	}
	return g.Graph, w.cloud.Order, nil
}
