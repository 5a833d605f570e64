// SPDX-License-Identifier: BSD-3-Clause

package option

import (
	"cmp"
	"errors"
	"fmt"

	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/partition/neighbor"
)

// Settings are the options, with the model's values where an option is not given.
type Settings struct {
	method.Settings
	// α times the point spacing; above 0 it gives SpatialWeight once the spacing is known
	SpacingWeight float64
	Spacing       float64 // of the points in metres; 0 until it is measured
	KNN           int     // neighbours that are searched
	Graph         neighbor.GraphOptions
	Delaunay      bool // graph.Longest follows from the spacing, unless it is given
}

// Resolve returns the settings for a model; m is nil for methods without embeddings. It
// fails for options that have no effect with the model.
func (o *Options) Resolve(m *models.Model) (Settings, error) {
	from := embed.DefaultPartition()
	neighbors := models.DefaultKNN
	if m != nil {
		from, neighbors = m.Settings, m.Neighbors
	}
	s := Settings{
		Settings:      o.method(&from),
		SpacingWeight: from.SpacingWeight,
		Spacing:       o.Spacing,
		KNN:           cmp.Or(o.KNN, max(neighbors, o.AdjacencyKNN)),
		Graph:         neighbor.GraphOptions{Nearest: cmp.Or(o.AdjacencyKNN, from.AdjacencyKNN)},
		Delaunay:      from.Delaunay,
	}
	if o.SpatialWeight != nil {
		s.SpatialWeight, s.SpacingWeight = *o.SpatialWeight, 0
	}
	if o.Delaunay != nil {
		s.Delaunay = *o.Delaunay
	}
	if s.Delaunay {
		s.Graph.Longest = cmp.Or(o.MaxEdge, from.MaxEdge)
	}
	if err := o.withoutEffect(m, &s); err != nil {
		return s, err
	}
	if o.AdjacencyKNN == 0 {
		s.Graph.Nearest = min(s.Graph.Nearest, s.KNN)
	}
	if o.joinsLines(m) {
		s.Graph.Around, s.Graph.Clumps = min(neighbor.Around, s.KNN), true
		if o.AcrossLines == nil {
			s.Graph.Across = neighbor.ScanLines
		}
	}
	return s, nil
}

// joinsLines reports whether the graph may have edges across scan lines. By default
// geom-graph and models with nearest_only, as published, have none.
func (o *Options) joinsLines(m *models.Model) bool {
	switch {
	case o.AcrossLines != nil:
		return *o.AcrossLines
	case m == nil || o.Method == method.GeomGraph:
		return false
	}
	return m.Card != nil && !m.Card.Partition.NearestOnly
}

// WithMeasured returns the settings with the values that were measured on a sample.
func (s Settings) WithMeasured(m *method.Measured) Settings {
	s.Measured = m
	if s.Graph.Across > 0 && !m.AcrossLines {
		s.Graph.Around = 0
	}
	s.Graph.Across = 0
	s.Spacing = cmp.Or(s.Spacing, m.Spacing)
	return s
}

// BoxFloor returns the height from which boxes are counted, if it was measured on a sample.
func (s *Settings) BoxFloor() *float64 {
	if s.Measured == nil {
		return nil
	}
	return &s.Measured.BoxFloor
}

// WithSpacing returns the settings completed by those that follow from the spacing, which is measured
// on the points unless it is known.
func (s Settings) WithSpacing(cloud *neighbor.Cloud, lists *neighbor.Lists) Settings {
	if s.Spacing == 0 {
		s.Spacing = cloud.Spacing(lists)
	}
	if s.SpacingWeight > 0 {
		s.SpatialWeight = s.SpacingWeight / s.Spacing
	}
	if s.Delaunay {
		s.Graph.Longest = cmp.Or(s.Graph.Longest, neighbor.DelaunaySpacings*s.Spacing)
	}
	return s
}

// Needs returns the dimensions that the method reads in addition to the model's.
func (o *Options) Needs() method.Need {
	m := method.Named(o.Method)
	s := o.method(&embed.Partition{})
	return m.Reads(&s)
}

// method returns the settings of the method; from has the defaults of the model.
func (o *Options) method(from *embed.Partition) method.Settings {
	return method.Settings{
		Solver: o.Solver, Regularization: cmp.Or(o.Regularization, from.Regularization, 1),
		MinSize: cmp.Or(o.MinSize, from.MinSize), MinGiven: o.MinSize > 0, MinShare: from.MinShare,
		SpatialWeight: from.SpatialWeight, Volume: from.Volume,
		EdgeDecay:      cmp.Or(o.EdgeDecay, from.EdgeDecay, embed.DefaultPartition().EdgeDecay),
		SeedResolution: o.SeedResolution, VoxelResolution: o.VoxelResolution,
		Spatial: o.SpatialImportance, Normal: o.NormalImportance, Color: o.ColorImportance,
		Embed: o.EmbeddingImportance, Clusters: from.Clusters, TargetSize: o.TargetSize,
	}
}

// withoutEffect fails for options that have no effect with the model; m is nil for
// methods without a model, and before it is loaded.
func (o *Options) withoutEffect(m *models.Model, s *Settings) error {
	by := method.Named(o.Method)
	if m == nil && by.Embeds {
		return nil
	}
	if m != nil && m.Fixed && o.KNN != 0 && o.KNN != m.Neighbors {
		return fmt.Errorf(
			"option knn: %d; model %s embeds the %d neighbours that it was trained with; leave knn out, or "+
				"use model geometric", o.KNN, m.Name, m.Neighbors)
	}
	if o.MaxEdge > 0 && !s.Delaunay {
		return errors.New(
			"option max_edge: the graph has no Delaunay edges without delaunay=true; add that, or leave " +
				"max_edge out")
	}
	goes := by.GMPP && (s.SpacingWeight > 0 || method.Ordered(o.Solver))
	if o.Spacing > 0 && !goes && !(m != nil && m.Spaced()) && !(s.Delaunay && s.Graph.Longest == 0) {
		return errors.New(
			"option spacing: the model, the weights, the edges and the solver do not use it; leave it out")
	}
	return nil
}
