package filter

import (
	"superpoint/embed"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/raster"
	"superpoint/partition/neighbor"
)

// settings are the options after the model has filled in what was left open.
type settings struct {
	regularization float64 // λ̃; the start of the search if target is set
	target         float64 // wanted points per superpoint; 0 = none
	minSize        int     // smallest superpoint at λ̃ = 1, in points
	minGiven       bool    // minSize comes from the options
	spatialWeight  float64 // α, per metre
	spacingWeight  float64 // α times the point spacing; above 0 it gives spatialWeight once the spacing is known
	spacing        float64 // of the points in metres; 0 until it is measured
	edgeDecay      float64 // σ
	knn            int     // neighbours that are searched
	adjacency      int     // neighbours joined in the graph
	around         int     // neighbours that show where scan lines are, to join them; 0 = they are not joined
	delaunay       bool
	maxEdge        float64 // metres; 0 until it follows from the spacing
}

// edgeSpacings is the longest Delaunay edge in spacings of the points: 0.5 m, the
// paper's, in a cloud of 60 points/m².
const edgeSpacings = 4

// resolve joins options and a model's settings; model is nil for methods
// without embeddings.
func (o *Options) resolve(m *models.Model) (settings, error) {
	from := embed.DefaultPartition()
	neighbors := models.DefaultKNN
	if m != nil {
		from, neighbors = m.Settings, m.Neighbors
	}
	s := settings{
		regularization: or(o.Regularization, or(from.Regularization, 1)),
		target:         o.TargetSize,
		minSize:        or(o.MinSize, from.MinSize),
		minGiven:       o.MinSize > 0,
		spatialWeight:  from.SpatialWeight,
		spacingWeight:  from.SpacingWeight,
		spacing:        o.Spacing,
		edgeDecay:      or(o.EdgeDecay, or(from.EdgeDecay, embed.DefaultPartition().EdgeDecay)),
		knn:            or(o.KNN, max(neighbors, o.AdjacencyKNN)),
		adjacency:      or(o.AdjacencyKNN, from.AdjacencyKNN),
		delaunay:       from.Delaunay,
		maxEdge:        or(o.MaxEdge, from.MaxEdge),
	}
	if o.SpatialWeight != nil {
		s.spatialWeight, s.spacingWeight = *o.SpatialWeight, 0
	}
	if o.Delaunay != nil {
		s.delaunay = *o.Delaunay
	}
	if err := o.withoutEffect(m, &s); err != nil {
		return s, err
	}
	if o.Graph == "grid" {
		s.knn, s.adjacency = 0, or(o.AdjacencyKNN, raster.Adjacency)
		return s, nil
	}
	if o.AdjacencyKNN == 0 {
		s.adjacency = min(s.adjacency, s.knn)
	}
	if o.joinsLines(m) {
		s.around = min(neighbor.Around, s.knn)
	}
	return s, nil
}

// joinsLines tells whether the graph has edges across scan lines. Geom-graph and
// models that say so keep to nearest neighbours, as they were published.
func (o *Options) joinsLines(m *models.Model) bool {
	switch {
	case o.AcrossLines != nil:
		return *o.AcrossLines
	case m == nil || o.Method == "geom-graph":
		return false
	}
	return o.featured() || m.Card != nil && !m.Card.Partition.NearestOnly
}

// or returns the first value unless it is zero.
func or[T comparable](value, otherwise T) T {
	var zero T
	if value != zero {
		return value
	}
	return otherwise
}

// work is what the memory of a view depends on with the filter's options.
func (f *Filter) work(s settings) memory.Work {
	o := f.options
	w := memory.Work{
		Neighbors: s.knn, Dimensions: len(o.labels()), Delaunay: s.delaunay, Grid: o.Graph == "grid", Lin: o.Method == "lin",
	}
	if o.Solver == "cut-pursuit" {
		w.Pursuit = s.adjacency
	}
	if method.Named(o.Method).Embeds {
		w.Adjacent = s.adjacency
		if f.model != nil {
			w.Columns = f.model.Embedder.Dim()
			w.Dimensions += len(f.model.Needs)
		}
	}
	return w
}

// needs returns what the method of the options reads beside the model's
// dimensions.
func (o *Options) needs() method.Need {
	m, s := method.Named(o.Method), o.method(&settings{})
	return m.Reads(&s)
}

// method returns what a method has to know of the settings.
func (o *Options) method(s *settings) method.Settings {
	return method.Settings{
		Solver: o.Solver, Regularization: s.regularization, Target: s.target, MinSize: s.minSize, MinGiven: s.minGiven,
		SpatialWeight: s.spatialWeight, EdgeDecay: s.edgeDecay, Sphere: o.Sphere,
		SeedResolution: o.SeedResolution, VoxelResolution: o.VoxelResolution,
		Spatial: o.SpatialImportance, Normal: o.NormalImportance, Color: o.ColorImportance,
	}
}
