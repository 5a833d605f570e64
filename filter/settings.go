// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"errors"
	"fmt"

	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/partition/neighbor"
)

// settings are the options, with the model's values where an option is not given.
type settings struct {
	method.Settings
	// α times the point spacing; above 0 it gives SpatialWeight once the spacing is known
	spacingWeight float64
	spacing       float64 // of the points in metres; 0 until it is measured
	knn           int     // neighbours that are searched
	graph         neighbor.GraphOptions
	delaunay      bool // graph.Longest follows from the spacing, unless it is given
}

// resolve returns the settings for a model; m is nil for methods without embeddings. It
// fails for options that have no effect with the model.
func (o *Options) resolve(m *models.Model) (settings, error) {
	from := embed.DefaultPartition()
	neighbors := models.DefaultKNN
	if m != nil {
		from, neighbors = m.Settings, m.Neighbors
	}
	s := settings{
		Settings:      o.method(&from),
		spacingWeight: from.SpacingWeight,
		spacing:       o.Spacing,
		knn:           cmp.Or(o.KNN, max(neighbors, o.AdjacencyKNN)),
		graph:         neighbor.GraphOptions{Nearest: cmp.Or(o.AdjacencyKNN, from.AdjacencyKNN)},
		delaunay:      from.Delaunay,
	}
	if o.SpatialWeight != nil {
		s.SpatialWeight, s.spacingWeight = *o.SpatialWeight, 0
	}
	if o.Delaunay != nil {
		s.delaunay = *o.Delaunay
	}
	if s.delaunay {
		s.graph.Longest = cmp.Or(o.MaxEdge, from.MaxEdge)
	}
	if err := o.withoutEffect(m, &s); err != nil {
		return s, err
	}
	if o.AdjacencyKNN == 0 {
		s.graph.Nearest = min(s.graph.Nearest, s.knn)
	}
	if o.joinsLines(m) {
		s.graph.Around, s.graph.Clumps = min(neighbor.Around, s.knn), true
		if o.AcrossLines == nil {
			s.graph.Across = neighbor.ScanLines
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

// measured returns the settings with the values that were measured on a sample.
func (s settings) measured(m *method.Measured) settings {
	s.Measured = m
	if s.graph.Across > 0 && !m.AcrossLines {
		s.graph.Around = 0
	}
	s.graph.Across = 0
	s.spacing = cmp.Or(s.spacing, m.Spacing)
	return s
}

// completed returns the settings with those that follow from the spacing, which is that of the points unless
// it is known.
func (s settings) completed(cloud *neighbor.Cloud, lists *neighbor.Lists) settings {
	if s.spacing == 0 {
		s.spacing = cloud.Spacing(lists)
	}
	if s.spacingWeight > 0 {
		s.SpatialWeight = s.spacingWeight / s.spacing
	}
	if s.delaunay {
		s.graph.Longest = cmp.Or(s.graph.Longest, neighbor.DelaunaySpacings*s.spacing)
	}
	return s
}

// needs returns the dimensions that the method reads in addition to the model's.
func (o *Options) needs() method.Need {
	m := method.Named(o.Method)
	s := o.method(&embed.Partition{})
	return m.Reads(&s)
}

// method returns the settings of the method; from are those of the model.
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
func (o *Options) withoutEffect(m *models.Model, s *settings) error {
	by := method.Named(o.Method)
	if m == nil && by.Embeds {
		return nil
	}
	if m != nil && m.Fixed && o.KNN != 0 && o.KNN != m.Neighbors {
		return fmt.Errorf(
			"option knn: %d; model %s embeds the %d neighbours that it was trained with; leave knn out, or "+
				"use model geometric", o.KNN, m.Name, m.Neighbors)
	}
	if o.MaxEdge > 0 && !s.delaunay {
		return errors.New(
			"option max_edge: the graph has no Delaunay edges without delaunay=true; add that, or leave " +
				"max_edge out")
	}
	goes := by.GMPP && (s.spacingWeight > 0 || method.Ordered(o.Solver))
	if o.Spacing > 0 && !goes && !(m != nil && m.Spaced()) && !(s.delaunay && s.graph.Longest == 0) {
		return errors.New(
			"option spacing: the model, the weights, the edges and the solver do not use it; leave it out")
	}
	return nil
}
