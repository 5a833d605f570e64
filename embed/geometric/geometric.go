// SPDX-License-Identifier: BSD-3-Clause

// Package geometric computes hand-crafted features of points instead of learned
// embeddings, as the Geom-graph of Guinard and Landrieu 2017
// (doi:10.5194/isprs-archives-XLII-1-W1-151-2017) does: linearity, planarity
// and scattering of the neighbourhood (Demantké et al. 2011,
// doi:10.5194/isprsarchives-XXXVIII-5-W12-97-2011), its verticality, and the
// elevation above the surroundings.
//
// The sum of the first three is 1, so points of different shapes have distances up
// to √2; learned embeddings of different objects have distances of 1 or more. The
// authors double the verticality, whose range on surfaces is 0 to 0.7, to give it a
// similar weight; so does this package. Elevation in metres is scaled by
// elevationWeight. With these scales a λ̃ of about 1, as in the paper, gives
// superpoints of similar sizes with learned and with hand-crafted features. Results do
// not depend on the number of threads.
package geometric

import (
	"fmt"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
)

// Weights of the features.
const (
	// verticalityWeight is the factor 2 of the authors' code (geof[:,3] in
	// graph_processing.py).
	verticalityWeight = 2
	// elevationWeight is per metre: a difference of 20 m is a distance of 1. The
	// authors' code does not have elevation among these features.
	elevationWeight = 0.05
)

// features are the columns in the order of an embedding.
var features = [...]string{"linearity", "planarity", "scattering", "verticality", "elevation"}

// weights of the features.
var weights = [len(features)]float32{1, 1, 1, verticalityWeight, elevationWeight}

// Embedder computes the features.
type Embedder struct{ card embed.Card }

// New returns an embedder for neighbourhoods of k points.
func New(k int) (*Embedder, error) {
	c := embed.PaperCard()
	c.Name, c.Description = "geometric", "hand-crafted features of Geom-graph, no learning"
	c.Inputs = embed.Channels{Neighbors: k, Neighbor: []string{"x", "y", "z"}, Point: features[:]}
	c.Network.ST = embed.PointNet{}
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("geometric features: %w", err)
	}
	return &Embedder{*c}, nil
}

// Dim returns the number of features, 5.
func (e *Embedder) Dim() int { return len(features) }

// Partition returns the defaults of partition options for these features.
func (e *Embedder) Partition() embed.Partition { return e.card.Partition }

// Card returns a card with the inputs of the features.
func (e *Embedder) Card() *embed.Card { return &e.card }

// Embed returns number of points × 5 values, row major, in the cloud's order:
// linearity, planarity and scattering in [0, 1], verticality in [0, 2],
// elevation × 0.05.
func (e *Embedder) Embed(run parallel.Run, in *embed.Input) ([]float32, error) {
	inputs, err := embed.NewInputs(run, &e.card, in)
	if err != nil {
		return nil, err
	}
	out := make([]float32, inputs.Len()*len(features))
	err = run.For(inputs.Len(), 1<<14, func(lo, hi int) {
		for h, name := range features {
			inputs.Column(name, lo, hi, out[lo*len(features)+h:], len(features))
		}
		for i := lo; i < hi; i++ {
			row := out[i*len(features) : (i+1)*len(features)]
			for h := range row {
				row[h] *= weights[h]
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
