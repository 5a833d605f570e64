package merge

import (
	"testing"

	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
)

func BenchmarkMerge(b *testing.B) {
	p := oracle.Grid(450, 1, 10)
	n := p.Graph.Vertices()
	b.ReportAllocs()
	for b.Loop() {
		r, err := Solver{}.Solve(parallel.Run{Threads: 1}, p)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n)/float64(r.Count), "size")
		b.ReportMetric(r.Energy/float64(n), "energy/point")
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
}
