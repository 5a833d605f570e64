package multilevel

import (
	"math/rand"
	"testing"

	"superpoint/partition/cutpursuit"
	"superpoint/partition/oracle"
)

func TestSolver(t *testing.T) {
	for _, err := range oracle.Suite(Solver{}, 220) {
		t.Error(err)
	}
}

func TestSmallGraphsAgainstEveryPartition(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	const graphs = 200
	var mean, worst float64
	over := 0
	for range graphs {
		p := oracle.Random(random, 2+random.Intn(8), 1+random.Intn(7), .15+.6*random.Float64())
		best, _ := oracle.Optimum(p)
		if r := oracle.Solve(Solver{}, p, 1); best > 0 {
			mean += (r.Energy/best - 1) / graphs
			worst = max(worst, r.Energy/best-1)
			if r.Energy > 1.01*best {
				over++
			}
		}
	}
	t.Logf("energy above the optimum: %.3f %% on average, %.2f %% at worst; %d of %d above 1 %%", 100*mean, 100*worst, over, graphs)
	if mean > .001 {
		t.Errorf("energy %.3f %% above the optimum on average", 100*mean)
	}
}

func TestEnergyAtMostThatOfCutPursuit(t *testing.T) {
	for _, normalized := range []float64{.3, 1, 5} {
		p := oracle.Grid(90, normalized, 10)
		mine, theirs := oracle.Solve(Solver{}, p, 1), oracle.Solve(cutpursuit.Solver{}, p, 1)
		t.Logf("λ̃ %g: %.4f × cut pursuit", normalized, mine.Energy/theirs.Energy)
		if mine.Energy > 1.005*theirs.Energy {
			t.Errorf("λ̃ %g: energy %g, cut pursuit's %g", normalized, mine.Energy, theirs.Energy)
		}
	}
}

func BenchmarkMultilevel(b *testing.B) { oracle.Benchmark(b, Solver{}) }
