package cutpursuit

import (
	"math/rand/v2"
	"testing"

	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Every round lowers the energy.
func TestRoundsLowerTheEnergy(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for i := range 30 {
		p := oracle.Random(random, 80, 3, .1)
		p.Sphere = i % 4
		g := reduced.New(p)
		m := newMerger(g)
		last, _ := oracle.Trivial(p)
		for merged := true; merged; {
			var err error
			if merged, err = m.round(parallel.Run{}); err != nil {
				t.Fatal(err)
			}
			ids := (&merger{rounds: cloned(m.rounds)}).labels(80)
			e := oracle.Energy(p, ids)
			if merged && e >= last {
				t.Fatalf("%d rounds: energy %g after %g", len(m.rounds), e, last)
			}
			last = e
		}
	}
}

// cloned returns a deep copy, for labels writes into the rounds.
func cloned(rounds [][]uint32) [][]uint32 {
	var out [][]uint32
	for _, r := range rounds {
		out = append(out, append([]uint32(nil), r...))
	}
	return out
}
