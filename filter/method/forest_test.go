package method_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/partition"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// TestForestProblem: in a cloud of leaves alone no border is cheaper for its
// embeddings, positions have columns of their own beside where walks lead, and
// heights count half; with the card's fields of forests left out none of it is so.
func TestForestProblem(t *testing.T) {
	const n, dim = 3000, 4
	r := rand.New(rand.NewPCG(7, 8))
	var at [3][]float64
	for range n {
		for a := range at {
			at[a] = append(at[a], 5*r.Float64())
		}
	}
	run := parallel.Run{Threads: 1}
	cloud, err := neighbor.New(at[0], at[1], at[2], run)
	if err != nil {
		t.Fatal(err)
	}
	lists, err := cloud.Nearest(20, run)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := neighbor.Adjacency(lists, 5, run)
	if err != nil {
		t.Fatal(err)
	}
	problem := func(o embed.FoliageOptions, seed uint64) *partition.Problem {
		in := &method.Input{Settings: method.Settings{Solver: method.Merge, SpatialWeight: 1, EdgeDecay: 0.5}, Cloud: cloud,
			Lists: lists, Graph: graph, Embedding: make([]float32, n*dim), Dim: dim}
		noise := rand.New(rand.NewPCG(seed, 1))
		for i := range in.Embedding {
			in.Embedding[i] = noise.Float32()
		}
		if in.Foliage, err = embed.NewFoliage(run, cloud, lists, 20, o); err != nil {
			t.Fatal(err)
		}
		p, err := method.Problem(run, in)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	plain := embed.FoliageOptions{ScatterDamping: 0.7}
	if a, b := problem(plain, 1), problem(plain, 2); a.Dim != dim+3 || slices.Equal(a.Contrast, b.Contrast) {
		t.Errorf("without fields of forests: %d columns, want %d, and other contrasts for other embeddings", a.Dim, dim+3)
	}
	forest := embed.FoliageOptions{ScatterDamping: 0.7, ForestDamping: 0.95, ForestFlattening: 0.5,
		ForestCompactness: 0.25}
	a, b := problem(forest, 1), problem(forest, 2)
	if a.Dim != dim+6 || !slices.Equal(a.Contrast, b.Contrast) {
		t.Fatalf("in a forest: %d columns, want %d, and the same contrasts whatever the embeddings", a.Dim, dim+6)
	}
	full := problem(plain, 1)
	for u := range n {
		x, y := a.Values[u*a.Dim+dim:(u+1)*a.Dim], full.Values[u*full.Dim+dim:(u+1)*full.Dim]
		if want := []float32{y[0], y[1], y[2] / 2, y[0] / 4, y[1] / 4, y[2] / 8}; !slices.Equal(x, want) {
			t.Fatalf("point %d: columns of positions %v, want %v", u, x, want)
		}
	}
}
