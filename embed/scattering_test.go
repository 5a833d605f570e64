package embed

import (
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// grove is a level field with a ball of leaves above it, in metres.
func grove(scale float64) (x, y, z []float64, leaf []bool) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		x, y, z = append(x, scale*20*r.Float64()), append(y, scale*20*r.Float64()), append(z, scale*0.01*r.Float64())
		leaf = append(leaf, false)
	}
	for range 4000 {
		x, y, z = append(x, scale*(5+5*r.Float64())), append(y, scale*(5+5*r.Float64())), append(z, scale*(5+5*r.Float64()))
		leaf = append(leaf, true)
	}
	return x, y, z, leaf
}

func trustOf(t *testing.T, scale, damping float64) (trust []float32, leaf []bool) {
	t.Helper()
	x, y, z, is := grove(scale)
	cloud, err := neighbor.New(x, y, z, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	lists, err := cloud.Nearest(24, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if trust, err = Trust(parallel.Run{}, cloud, lists, 20, damping); err != nil {
		t.Fatal(err)
	}
	leaf = make([]bool, len(is))
	for i, from := range cloud.Order {
		leaf[i] = is[from]
	}
	return trust, leaf
}

// TestTrust: embeddings count in full on a surface and less among leaves,
// whatever the unit of length.
func TestTrust(t *testing.T) {
	trust, leaf := trustOf(t, 1, 0.7)
	var of [2][]float32
	for i, w := range trust {
		if w < 0.3-1e-6 || w > 1 {
			t.Fatalf("trust %g is not in [0.3, 1]", w)
		}
		k := 0
		if leaf[i] {
			k = 1
		}
		of[k] = append(of[k], w)
	}
	for k, limit := range []struct{ lo, hi float32 }{{0.999, 1}, {0.299, 0.35}} {
		slices.Sort(of[k])
		if m := of[k][len(of[k])/2]; m < limit.lo || m > limit.hi {
			t.Errorf("leaves %v: the median trust is %g, want %g to %g", k == 1, m, limit.lo, limit.hi)
		}
	}
	scaled, _ := trustOf(t, 16, 0.7)
	for i := range trust {
		if d := trust[i] - scaled[i]; d > 1e-3 || d < -1e-3 {
			t.Fatalf("point %d: trust %g, and %g when lengths are times 16", i, trust[i], scaled[i])
		}
	}
}
