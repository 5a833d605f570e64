package multilevel

import (
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/partition/cutpursuit"
	"superpoint/partition/oracle"
)

func TestSolver(t *testing.T) {
	for _, err := range oracle.Suite(Solver{}, 130) {
		t.Error(err)
	}
}

func TestSmallGraphsAgainstEveryPartition(t *testing.T) {
	const graphs = 200
	mean, worst, over := oracle.Above(Solver{}, graphs)
	t.Logf("energy above the optimum: %.3f %% on average, %.2f %% at worst; %d of %d above 1 %%", 100*mean, 100*worst,
		over, graphs)
	if mean > .001 {
		t.Errorf("energy %.3f %% above the optimum on average", 100*mean)
	}
}

func TestEnergyAtMostThatOfCutPursuit(t *testing.T) {
	for _, normalized := range []float64{.3, 1, 5} {
		p := oracle.Grid(80, normalized, 10)
		mine, theirs := oracle.Solve(Solver{}, p, 1), oracle.Solve(cutpursuit.Solver{}, p, 1)
		t.Logf("λ̃ %g: %.4f × cut pursuit", normalized, mine.Energy/theirs.Energy)
		if mine.Energy > 1.005*theirs.Energy {
			t.Errorf("λ̃ %g: energy %g, cut pursuit's %g", normalized, mine.Energy, theirs.Energy)
		}
	}
}

// The spherical constraint of the paper's equation 1, on unit values.
func TestSphereAgainstEveryPartition(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	const graphs = 100
	var mean float64
	for range graphs {
		p := oracle.Random(random, 2+random.IntN(8), 3+random.IntN(4), .15+.6*random.Float64())
		p.Sphere = 3
		for u := range p.Graph.Vertices() {
			y := p.Values[u*p.Dim : u*p.Dim+3]
			norm := float32(math.Sqrt(float64(y[0]*y[0] + y[1]*y[1] + y[2]*y[2])))
			for k := range y {
				y[k] /= norm
			}
		}
		best, _ := oracle.Optimum(p)
		r := oracle.Solve(Solver{}, p, 1)
		if err := oracle.Check(p, r); err != nil {
			t.Fatal(err)
		}
		if best > 1e-9 {
			mean += (r.Energy/best - 1) / graphs
		}
	}
	t.Logf("energy %.4f %% above the optimum on average", 100*mean)
	if mean > .001 {
		t.Errorf("energy %.3f %% above the optimum on average", 100*mean)
	}
}

func BenchmarkMultilevel(b *testing.B) { oracle.Benchmark(b, Solver{}) }
