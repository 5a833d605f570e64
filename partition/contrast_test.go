package partition

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
	"superpoint/testdata/must"
)

// randomContrast returns a graph of n vertices, some of which have no edges, and values.
func randomContrast(t testing.TB, n, dim int) (*neighbor.Graph, []float32) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	var edges [][2]uint32
	for range 3 * n {
		if u, v := r.Uint32N(uint32(n)), r.Uint32N(uint32(n)); u != v {
			edges = append(edges, [2]uint32{u, v})
		}
	}
	g := must.Get(neighbor.FromEdges(n, edges))(t)
	values := make([]float32, n*dim)
	for i := range values {
		values[i] = float32(math.Exp(3 * r.NormFloat64()))
	}
	return g, values
}

// TestContrastsOfEveryKernel: the kernel of this processor computes the bits of plain Go, for
// large and small distances.
func TestContrastsOfEveryKernel(t *testing.T) {
	for _, n := range []int{2, 5, 40, 3 * vertexBlock} {
		for _, dim := range []int{1, 3, 4, 5} {
			g, values := randomContrast(t, n, dim)
			placed := make([]float32, 4*n)
			for i := range placed {
				placed[i] = rand.New(rand.NewPCG(uint64(i), 1)).Float32()
			}
			for _, placed := range [][]float32{nil, placed} {
				terms := &Terms{Embedding: values, Dim: dim, EdgeDecay: .5, Placed: placed}
				got := must.Get(contrastOf(parallel.Run{Threads: 2}, g, terms))(t)
				want := make([]float32, g.Edges())
				plainContrasts(want, g, terms, 0, n)
				if !slices.Equal(got, want) {
					t.Errorf("%d vertices, %d columns: contrasts differ", n, dim)
				}
			}
		}
	}
}

func BenchmarkContrast(b *testing.B) {
	g, values := randomContrast(b, 1<<17, 4)
	for b.Loop() {
		must.Get(Contrast(g, values, 4, .5, parallel.Run{Threads: 1}))(b)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.Edges()), "ns/edge")
}
