package cutpursuit

import (
	"math/rand"
	"testing"

	"superpoint/partition/oracle"
)

func TestSolver(t *testing.T) {
	for _, err := range oracle.Suite(Solver{}, 50) {
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
	t.Logf("energy above the optimum: %.3f %% on average, %.2f %% at worst; %d of %d above 1 %%", 100*mean, 100*worst,
		over, graphs)
	if mean > .001 || over > 0 {
		t.Errorf("energy %.3f %% above the optimum on average, %d graphs above 1 %%", 100*mean, over)
	}
}

func TestIterationsLowerTheEnergy(t *testing.T) {
	var energies []float64
	s := Solver{Tolerance: 1e-9, observe: func(e float64) { energies = append(energies, e) }}
	oracle.Solve(s, oracle.Grid(80, 1, 1), 1)
	for i := 1; i < len(energies); i++ {
		if energies[i] > energies[i-1]*(1+1e-9) {
			t.Errorf("iteration %d: energy %g after %g", i, energies[i], energies[i-1])
		}
	}
	if len(energies) < 4 {
		t.Errorf("%d iterations", len(energies))
	}
	t.Log(energies)
}

func BenchmarkCutPursuit(b *testing.B) { oracle.Benchmark(b, Solver{}) }
