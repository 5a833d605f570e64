package reduced

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGainsOfEveryKernel: the kernel of this processor computes the bits of plain Go, for rows
// of any length.
func TestGainsOfEveryKernel(t *testing.T) {
	const n, d = 3000, 7
	r := rand.New(rand.NewPCG(1, 2))
	g := &Graph{Dim: d, Scale: .37}
	for u := range uint32(n) {
		g.Size = append(g.Size, float32(1+r.IntN(16)))
		for range d {
			g.Mean = append(g.Mean, float32(r.NormFloat64()))
		}
		g.Start = append(g.Start, uint32(len(g.Head)))
		for range r.IntN(10) {
			if v := u + 1 + r.Uint32N(40); v < n {
				g.Head, g.Weight = append(g.Head, v), append(g.Weight, r.Float32())
			}
		}
		g.End = append(g.End, uint32(len(g.Head)))
	}
	for _, even := range []bool{false, true} {
		for _, rows := range [][2]int{{0, n}, {7, 8}, {n - 1, n}} {
			got, want := g.gains(rows[0], rows[1], even, nil), g.plainGains(rows[0], rows[1], even, nil)
			if !slices.Equal(got, want) {
				t.Errorf("rows %v, even %v: gains differ", rows, even)
			}
		}
	}
}

func BenchmarkBest(b *testing.B) {
	const n, d = 1 << 16, 7
	r := rand.New(rand.NewPCG(1, 2))
	g := &Graph{Dim: d, Scale: .1, Size: slices.Repeat([]float32{1}, n), Mean: make([]float32, n*d)}
	for i := range g.Mean {
		g.Mean[i] = r.Float32()
	}
	for u := range uint32(n) {
		g.Start = append(g.Start, uint32(len(g.Head)))
		for v := u + 1; v < n && v < u+5; v++ {
			g.Head, g.Weight = append(g.Head, v), append(g.Weight, r.Float32())
		}
		g.End = append(g.End, uint32(len(g.Head)))
	}
	var c Choice
	for b.Loop() {
		c.reset(n)
		g.bestOfBlock(0, n, MergeOptions{MaxSize: n, Normalized: true}, &c, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(g.Head)), "ns/edge")
}
