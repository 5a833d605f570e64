package oracle

import (
	"testing"

	"superpoint/partition"
)

// Benchmark times a solver on one thread on a grid of 202,500 vertices with 6.5
// edges each.
func Benchmark(b *testing.B, s partition.Solver) {
	p := Grid(450, 1, 10)
	n := float64(p.Graph.Vertices())
	b.ReportAllocs()
	for b.Loop() {
		r := Solve(s, p, 1)
		b.ReportMetric(n/float64(r.Count), "size")
		b.ReportMetric(r.Energy/n, "energy/point")
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
}
