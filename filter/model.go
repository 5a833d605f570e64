// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"superpoint/embed"
	"superpoint/embed/classes"
	"superpoint/filter/models"
)

// Embedding identifies the embedding that the filter computes by the hash of its
// weights, because a card may change. It is empty without a learned model, and before the
// model is loaded.
func (f *Filter) Embedding() classes.Embedding {
	if f.model == nil || f.model.Card == nil {
		return classes.Embedding{}
	}
	weights := f.model.Card.Weights
	return classes.Embedding{Model: f.model.Name, Sum: weights[:min(16, len(weights))],
		Dim: f.model.Embedder.Dim()}
}

// embeddingKNN returns the number of neighbours that the embedding or, without one,
// the method reads. The adjacency graph may need more.
func (f *Filter) embeddingKNN() int {
	if f.model != nil {
		return f.model.Neighbors
	}
	return f.record.last.KNN
}

// embedder returns the model's embedder; nil without a model.
func (f *Filter) embedder() embed.Embedder {
	if f.model == nil {
		return nil
	}
	return f.model.Embedder
}

// columns returns the number of columns of the embedding; 0 without a model.
func (f *Filter) columns() int {
	if f.model == nil {
		return 0
	}
	return f.model.Embedder.Dim()
}

// card returns the card of the model, also of hand-crafted features; nil without a model.
func (f *Filter) card() *embed.Card { return models.CardOf(f.model) }

// Reach returns the distance in metres, along x and y, within which the embedding of a point reads other
// points; 0 if it reads neighbors only.
func (f *Filter) Reach(spacing float64) float64 {
	const slack = 1e-3 // positions are rounded
	reach := f.card().Halo()
	if reach == 0 {
		return 0
	}
	if f.model.Spaced() { // the model scales the cloud
		reach *= spacing / f.model.Card.Inputs.Spacing
	}
	return reach + slack
}
