// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// scanLines is a host whose files are level ground in scan lines. Lines are seven times as far apart as
// the points of a line.
type scanLines struct{ *memory }

func (scanLines) Read(string, []string) (*Columns, error) {
	c := &Columns{Dimensions: map[string][]float64{}}
	rng := rand.New(rand.NewPCG(3, 4))
	noise := func() float64 { return 0.01 * rng.NormFloat64() }
	for i := range 3000 {
		c.X, c.Y = append(c.X, 0.1*float64(i%150)+noise()), append(c.Y, 0.7*float64(i/150)+noise())
		c.Z = append(c.Z, noise())
		c.Dimensions["Classification"] = append(c.Dimensions["Classification"], 2)
	}
	return c, nil
}

// of returns the cloud and validator of a recipe.
func (s scanLines) of(t *testing.T, more string) (*Recipe, *labelled, *validator) {
	t.Helper()
	r := must.Get(
		ParseRecipe(
			[]byte("inputs: {neighbors: 20, neighbor_channels: [x, y, z], point_channels: [radius]}\n" +
				"network: {st: {conv: [8, 16], fc: [16, 4]}, lpe: {conv: [8, 16], fc: [16, 4]}}\n" +
				"batch: {clouds: 1, points: 1000}\n" + more)))(t)
	one := must.Get((&source{host: s, truth: "Classification"}).read("lines.las", r, 0))(t)
	j := must.Get(newValidator(one, r.cutJoins(one), parallel.Run{}))(t)
	return r, one, j
}

// TestGraphsAcrossLines: the graphs of the loss and of validation have edges across scan lines,
// and Delaunay edges, as the recipe demands; they then equal the graphs that the filter cuts.
func TestGraphsAcrossLines(t *testing.T) {
	for _, c := range []struct {
		recipe    string
		loss, cut bool
		longest   float64 // Delaunay edge in metres, in spacings if negative
	}{
		{"", false, true, 0},
		{"loss: {across_lines: true}", true, true, 0},
		{"partition: {nearest_only: true}", false, false, 0},
		{"partition: {nearest_only: true, delaunay: true, max_edge: 0.9}", false, false, 0.9},
		{"partition: {nearest_only: true, delaunay: true}\nloss: {across_lines: true}", true, false, -4},
	} {
		r, one, j := scanLines{newMemory()}.of(t, c.recipe)
		if c.longest < 0 {
			c.longest *= -one.cloud.Spacing(one.lists)
		}
		for name, g := range map[string]struct {
			*neighbor.Graph
			nearest int
			across  bool
		}{"loss": {one.graph, r.Loss.KNN, c.loss}, "validation": {j.graph, r.Partition.AdjacencyKNN, c.cut}} {
			how := neighbor.GraphOptions{Nearest: g.nearest, Longest: c.longest}
			if g.across {
				how.Around, how.Clumps = neighbor.Around, name == "validation"
			}
			want, across, err := neighbor.NewGraph(one.cloud, one.lists, how, parallel.Run{})
			must.OK(t, err)
			must.Hold(t, slices.Equal(g.Head, want.Head),
				"%q, %s: other ends of edges: %d edges, want %d", c.recipe, name, g.Edges(), want.Edges())
			must.Hold(t, slices.Equal(g.Start, want.Start),
				"%q, %s: other rows of edges", c.recipe, name)
			must.Hold(t, g.across == (across > 1000),
				"%q, %s: edges across lines: %v, of %d points", c.recipe, name, g.across, across)
		}
		must.Hold(t, j.border.Edges() == mustAdjacency(t, one).Edges(),
			"%q: boundaries are not measured on the graph of nearest neighbours", c.recipe)
	}
}

func mustAdjacency(t *testing.T, one *labelled) *neighbor.Graph {
	t.Helper()
	return must.Get(neighbor.Adjacency(one.lists, borderKNN, parallel.Run{}))(t)
}

// TestSubgraphsAcrossLines: a subgraph of a loss with edges across lines, or with
// Delaunay edges, grows over many lines, and is connected.
func TestSubgraphsAcrossLines(t *testing.T) {
	for _, recipe := range []string{"loss: {across_lines: true}",
		"partition: {delaunay: true, max_edge: 0.9}"} {
		r, one, _ := scanLines{newMemory()}.of(t, recipe)
		batch := must.Get(newBatcher(r, newLoader(r, []*labelled{one}), 1).make(parallel.Run{}, 0))(t)
		_, parts := neighbor.Components(batch.graph)
		must.Hold(t, parts == 1,
			"%s: a subgraph of %d points in scan lines has %d parts", recipe, batch.graph.Vertices(), parts)
		for i, o := range one.object {
			must.Need(t, o == one.object[0], "%s: the ground is more than one object: point %d belongs to %d",
				recipe, i, o)
		}
	}
}
