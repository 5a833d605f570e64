// SPDX-License-Identifier: BSD-3-Clause

package method

import (
	"slices"
	"testing"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/corner"
	"superpoint/testdata/must"
)

// TestEmbeddingComesBack: the caller of a method releases its embedding before the method solves, so each
// method that reads one returns it, in the order of the cloud.
func TestEmbeddingComesBack(t *testing.T) {
	const n, dim = 400, 3
	x, y, z := corner.Points(n)
	cloud, lists := corner.Lists(t, x, y, z, 10)
	graph := must.Get(neighbor.Adjacency(lists, 5, parallel.Run{}))(t)
	embedding := make([]float32, n*dim)
	for i := range embedding {
		embedding[i] = float32(i%7) / 7
	}
	for _, m := range Table() {
		t.Run(m.Name, func(t *testing.T) {
			in := &Input{
				Settings: Settings{Solver: Auto, Regularization: 1, MinSize: 1, SpatialWeight: .1,
					EdgeDecay: 1, SeedResolution: 1, VoxelResolution: .2},
				Cloud: cloud, Spacing: .1, Lists: lists, Graph: graph,
			}
			if m.Embeds {
				in.Embedding, in.Dim = slices.Clone(embedding), dim
			}
			r := must.Get(m.Solve(parallel.Run{}, in))(t)
			must.Equal(t, len(r.Component), n, "points with a component")
			if m.Embeds {
				must.Equal(t, r.Embedding, embedding, "embedding of the result")
			} else {
				must.Equal(t, len(r.Embedding), 0, "values of an embedding that is not read")
			}
		})
	}
}

// TestEmbeddingOfADampedProblem: a model with volume damps the values of the problem; the result has the
// embedding of the input.
func TestEmbeddingOfADampedProblem(t *testing.T) {
	const n, dim = 400, 2
	x, y, z := corner.Points(n)
	cloud, lists := corner.Lists(t, x, y, z, 10)
	graph := must.Get(neighbor.Adjacency(lists, 5, parallel.Run{}))(t)
	in := &Input{
		Settings: Settings{Solver: Auto, Regularization: 1, MinSize: 1, SpatialWeight: .1, EdgeDecay: 1,
			Volume: &embed.Volume{From: .2, To: 1}},
		Cloud: cloud, Spacing: .1, Graph: graph, Dim: dim,
		Embedding: make([]float32, n*dim), Scattering: make([]float32, n),
	}
	for i := range n {
		in.Embedding[dim*i] = 1
		in.Scattering[i] = .9
	}
	want := slices.Clone(in.Embedding)
	m := Named(SSP)
	r := must.Get(m.Solve(parallel.Run{}, in))(t)
	must.Equal(t, r.Embedding, want, "embedding of the result")
}
