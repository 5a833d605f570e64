package filter

import (
	"cmp"
	"errors"
	"fmt"

	"superpoint/embed"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/raster"
	"superpoint/partition/neighbor"
)

// settings are the options, with the model's values where an option is not given.
type settings struct {
	regularization float64          // λ̃; the start of the search if target is set
	target         float64          // wanted points per superpoint; 0 = none
	measured       *method.Measured // on a sample; nil = the view itself is measured
	minSize        int              // smallest superpoint at λ̃ = 1, in points
	minGiven       bool             // minSize comes from the options
	minShare       float64          // smallest superpoint as a share of target
	spatialWeight  float64          // α, per metre
	spacingWeight  float64          // α times the point spacing; above 0 it gives spatialWeight once the spacing is known
	spacing        float64          // of the points in metres; 0 until it is measured
	edgeDecay      float64          // σ
	knn            int              // neighbours that are searched
	adjacency      int              // neighbours joined in the graph
	lineKNN        int              // neighbours from which scan lines are found; 0 = no edges across them
	delaunay       bool
	maxEdge        float64 // metres; 0 until it follows from the spacing
	clusters       *embed.Clusters
}

// edgeSpacings is the length of the longest Delaunay edge in spacings of the points. It
// gives the paper's 0.5 m in a cloud of 60 points/m².
const edgeSpacings = 4

// resolve returns the settings for a model; m is nil for methods without embeddings. It
// fails for options that have no effect with the model.
func (o *Options) resolve(m *models.Model) (settings, error) {
	from := embed.DefaultPartition()
	neighbors := models.DefaultKNN
	if m != nil {
		from, neighbors = m.Settings, m.Neighbors
	}
	s := settings{
		regularization: cmp.Or(o.Regularization, cmp.Or(from.Regularization, 1)),
		target:         o.TargetSize,
		minSize:        cmp.Or(o.MinSize, from.MinSize),
		minGiven:       o.MinSize > 0,
		minShare:       from.MinShare,
		spatialWeight:  from.SpatialWeight,
		spacingWeight:  from.SpacingWeight,
		spacing:        o.Spacing,
		edgeDecay:      cmp.Or(o.EdgeDecay, cmp.Or(from.EdgeDecay, embed.DefaultPartition().EdgeDecay)),
		knn:            cmp.Or(o.KNN, max(neighbors, o.AdjacencyKNN)),
		adjacency:      cmp.Or(o.AdjacencyKNN, from.AdjacencyKNN),
		delaunay:       from.Delaunay,
		maxEdge:        cmp.Or(o.MaxEdge, from.MaxEdge),
		clusters:       from.Clusters,
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
	if o.Graph == graphGrid {
		s.knn, s.adjacency = 0, cmp.Or(o.AdjacencyKNN, raster.Adjacency)
		return s, nil
	}
	if o.AdjacencyKNN == 0 {
		s.adjacency = min(s.adjacency, s.knn)
	}
	if o.joinsLines(m) {
		s.lineKNN = min(neighbor.Around, s.knn)
	}
	return s, nil
}

// joinsLines reports whether the graph has edges across scan lines. By default
// geom-graph and models with nearest_only, as published, have none.
func (o *Options) joinsLines(m *models.Model) bool {
	switch {
	case o.AcrossLines != nil:
		return *o.AcrossLines
	case m == nil || o.Method == method.GeomGraph:
		return false
	}
	return o.usesFeatures() || m.Card != nil && !m.Card.Partition.NearestOnly
}

// work returns what the memory of a view depends on.
func (f *Filter) work(s settings) memory.Work {
	o := f.options
	w := memory.Work{
		Neighbors: s.knn, Dimensions: len(o.labels()), Delaunay: s.delaunay, Grid: o.Graph == graphGrid,
		Lin:     o.Method == method.Lin,
		Classes: o.Classes != "",
	}
	if o.Solver == method.CutPursuit {
		w.Pursuit = s.adjacency
	}
	if method.Named(o.Method).Embeds {
		w.Adjacent = s.adjacency
		if f.model != nil {
			w.Columns = f.model.Embedder.Dim()
			w.Context = f.model.Card != nil && f.model.Card.ContextReach() > 0
			w.Dimensions += len(f.model.Needs) + len(f.model.Wants)
		}
	}
	return w
}

// needs returns the dimensions that the method reads in addition to the model's.
func (o *Options) needs() method.Need {
	m, s := method.Named(o.Method), o.method(&settings{})
	return m.Reads(&s)
}

// method returns the settings of the method.
func (o *Options) method(s *settings) method.Settings {
	return method.Settings{
		Solver: o.Solver, Regularization: s.regularization, Target: s.target, Measured: s.measured,
		MinSize: s.minSize, MinGiven: s.minGiven, MinShare: s.minShare,
		SpatialWeight: s.spatialWeight, EdgeDecay: s.edgeDecay, Sphere: o.Sphere,
		SeedResolution: o.SeedResolution, VoxelResolution: o.VoxelResolution,
		Spatial: o.SpatialImportance, Normal: o.NormalImportance, Color: o.ColorImportance,
		Embed: o.EmbeddingImportance, Clusters: s.clusters,
	}
}

// withoutEffect fails for options that have no effect with the model; m is nil for
// methods without a model, and before it is loaded.
func (o *Options) withoutEffect(m *models.Model, s *settings) error {
	by := method.Named(o.Method)
	if m == nil && by.Embeds {
		return nil
	}
	if m != nil && m.Fixed && o.KNN != 0 && o.KNN != m.Neighbors {
		return fmt.Errorf("option knn: %d; model %s embeds the %d neighbours that it was trained with; leave knn out, or "+
			"use model geometric", o.KNN, m.Name, m.Neighbors)
	}
	if o.MaxEdge > 0 && !s.delaunay {
		return errors.New("option max_edge: the graph has no Delaunay edges without delaunay=true; add that, or leave " +
			"max_edge out")
	}
	goes := by.GMPP && (s.spacingWeight > 0 || method.Ordered(o.Solver)) && o.Graph != graphGrid
	if o.Spacing > 0 && !goes && !(m != nil && m.Spaced()) && !(s.delaunay && s.maxEdge == 0) {
		return errors.New("option spacing: the model, the weights, the edges and the solver do not use it; leave it out")
	}
	return nil
}
