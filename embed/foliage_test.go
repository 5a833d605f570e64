package embed

import (
	"math"
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

// options are those of the model any.
var options = FoliageOptions{ScatterDamping: 0.7, FoliageClimb: 24,
	ForestDamping: 0.95, ForestClimb: 192, ForestFlattening: 0.5, ForestCompactness: 0.2, ForestMinShare: 0.01}

// foliageOf returns what the points kept take part with, and whether each is of
// a leaf, in the cloud's order.
func foliageOf(t *testing.T, scale float64, kept func(leaf bool) bool, threads int) (*neighbor.Cloud, Foliage, []bool) {
	t.Helper()
	var x, y, z []float64
	var is []bool
	gx, gy, gz, leaf := grove(scale)
	for i := range leaf {
		if kept(leaf[i]) {
			x, y, z, is = append(x, gx[i]), append(y, gy[i]), append(z, gz[i]), append(is, leaf[i])
		}
	}
	run := parallel.Run{Threads: threads}
	cloud, err := neighbor.New(x, y, z, run)
	if err != nil {
		t.Fatal(err)
	}
	lists, err := cloud.Nearest(24, run)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFoliage(run, cloud, lists, 20, options)
	if err != nil {
		t.Fatal(err)
	}
	return cloud, f, permuted(is, cloud.Order)
}

func permuted(is []bool, order []uint32) []bool {
	of := make([]bool, len(is))
	for i, from := range order {
		of[i] = is[from]
	}
	return of
}

func all(bool) bool { return true }

// TestTrust: embeddings count in full on a surface and less among leaves,
// whatever the unit of length.
func TestTrust(t *testing.T) {
	_, f, leaf := foliageOf(t, 1, all, 1)
	var of [2][]float32
	for i, w := range f.Trust {
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
	_, scaled, _ := foliageOf(t, 16, all, 1)
	for i, w := range f.Trust {
		if d := w - scaled.Trust[i]; d > 1e-3 || d < -1e-3 {
			t.Fatalf("point %d: trust %g, and %g when lengths are times 16", i, w, scaled.Trust[i])
		}
	}
}

// TestForest: without the field the cloud is leaves alone. Their embeddings count
// twenty times less still and no border is cheaper for them, heights count half, and
// superpoints may be smaller; with the field all is as in any cloud.
func TestForest(t *testing.T) {
	_, f, _ := foliageOf(t, 1, func(leaf bool) bool { return leaf }, 1)
	trust := slices.Clone(f.Trust)
	slices.Sort(trust)
	if m := trust[len(trust)/2]; m < 0.014 || m > 0.018 {
		t.Errorf("the median trust is %g, want 0.3/20", m)
	}
	usual := MinShare{Share: 0.04, Growth: 1}
	share := f.MinShare(usual)
	if f.Forest != 1 || !math.IsInf(f.EdgeDecay(0.5), 1) || f.Flattening != 0.5 || f.Compactness != 0.2 ||
		math.Abs(share.Share-0.01) > 1e-9 || share.Growth != 0 {
		t.Errorf("leaves alone: forest %g, σ %g, flattening %g, compactness %g, smallest share %v; want 1, infinite, 0.5, "+
			"0.2, {0.01 0}", f.Forest, f.EdgeDecay(0.5), f.Flattening, f.Compactness, share)
	}
	_, f, _ = foliageOf(t, 1, all, 1)
	if f.Forest != 0 || f.EdgeDecay(0.5) != 0.5 || f.Flattening != 0 || f.Compactness != 0 || f.MinShare(usual) != usual {
		t.Errorf("leaves above a field: forest %g, σ %g, flattening %g, compactness %g, smallest share %v; want 0, 0.5, 0, "+
			"0, %v", f.Forest, f.EdgeDecay(0.5), f.Flattening, f.Compactness, f.MinShare(usual), usual)
	}
}

// TestForestClimb: walks are longer in a forest, by as much as a cloud is one.
func TestForestClimb(t *testing.T) {
	for _, c := range []struct {
		forest float32
		steps  int
	}{{0, 24}, {0.5, 108}, {1, 192}} {
		if n := options.steps(c.forest); n != c.steps {
			t.Errorf("%d steps where forest is %g, want %d", n, c.forest, c.steps)
		}
	}
	plain := FoliageOptions{ScatterDamping: 0.7, FoliageClimb: 24}
	if n := plain.steps(1); n != 24 {
		t.Errorf("%d steps in a forest without forest_climb, want 24", n)
	}
}

// TestClimb: the field stays where it is; leaves gather below the top of their
// ball, by as much as the ball is large, and the same on any number of threads.
func TestClimb(t *testing.T) {
	const scale = 16
	cloud, f, leaf := foliageOf(t, scale, all, 1)
	spread := func(drift float32) (low, high float64) { // of the heights of leaves
		var heights []float64
		for i := range leaf {
			if leaf[i] {
				heights = append(heights, cloud.Position(uint32(i)).Z+float64(drift*f.Drift[3*i+2]))
			}
		}
		slices.Sort(heights)
		return heights[len(heights)/10], heights[len(heights)*9/10]
	}
	low, high := spread(0)
	low1, high1 := spread(1)
	if high1-low1 > 0.8*(high-low) || low1 < low+0.2*(high-low) {
		t.Errorf("heights of leaves from %g to %g are from %g to %g after the climb", low, high, low1, high1)
	}
	for i := range leaf {
		d := f.Drift[3*i : 3*i+3]
		if f.Trust[i] == 1 && (d[0] != 0 || d[1] != 0 || d[2] != 0) {
			t.Fatalf("point %d of the field moves by %v", i, d)
		}
	}
	_, other, _ := foliageOf(t, scale, all, 3)
	if !slices.Equal(f.Drift, other.Drift) {
		t.Error("the drift differs between one thread and three")
	}
}

// TestWalkIsPlain: the kernel's steps have the bits of its plain twin.
func TestWalkIsPlain(t *testing.T) {
	const n = 1000
	r := rand.New(rand.NewPCG(5, 6))
	paths, at := make([]path, n), make([]place, n+1)
	for i := range paths {
		p := &paths[i]
		p.stay = r.Float32()
		for c := range p.to {
			p.to[c], p.odds[c] = uint32(r.IntN(n+1)), r.Float32()
		}
		for c := range 3 {
			p.mean[c], at[i][c] = r.Float32()-0.5, r.Float32()-0.5
		}
	}
	fast, plain := make([]place, n+1), make([]place, n+1)
	walk(paths, at, fast, 3, n-1)
	plainWalk(paths, at, plain, 3, n-1)
	if !slices.Equal(fast, plain) {
		t.Error("places after a step differ")
	}
}

func BenchmarkClimb(b *testing.B) {
	x, y, z, _ := grove(1)
	cloud, err := neighbor.New(x, y, z, parallel.Run{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	lists, err := cloud.Nearest(20, parallel.Run{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	degree, err := Degree(parallel.Run{Threads: 1}, cloud, lists, 20)
	if err != nil {
		b.Fatal(err)
	}
	next := func(i uint32) [Links]uint32 { return LinksOf(lists.Of(int(i))) }
	for b.Loop() {
		if _, err := climb(parallel.Run{Threads: 1}, cloud, next, degree, 24); err != nil {
			b.Fatal(err)
		}
	}
}
