package cutpursuit

import (
	"math/rand"
	"testing"

	"superpoint/partition/merge"
	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
)

func TestSmallGraphsAgainstEveryPartition(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	var mean, worst, meanM float64
	const graphs = 200
	for range graphs {
		p := oracle.Random(random, 2+random.Intn(8), 1+random.Intn(7), .15+.6*random.Float64())
		best, _ := oracle.Optimum(p)
		r := oracle.Solve(Solver{}, p, 1)
		if err := oracle.Check(p, r); err != nil {
			t.Fatal(err)
		}
		m := oracle.Solve(merge.Solver{}, p, 1)
		if best > 1e-9 {
			excess := r.Energy/best - 1
			mean += excess / graphs
			worst = max(worst, excess)
			meanM += (m.Energy/best - 1) / graphs
		}
	}
	t.Logf("energy above the optimum: %.4g %% on average, %.4g %% at worst; merge %.4g", 100*mean, 100*worst, 100*meanM)
}

func BenchmarkCutPursuit(b *testing.B) {
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
