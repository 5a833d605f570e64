// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

func sameCloud(a, b *Cloud) bool {
	return slices.Equal(a.XYZ, b.XYZ) && slices.Equal(a.Order, b.Order) && a.Unit == b.Unit &&
		slices.Equal(a.tree.nodes, b.tree.nodes)
}

// checkTree checks that boxes of nodes are tight and that every point is in a leaf.
func checkTree(t *testing.T, c *Cloud) {
	t.Helper()
	next := uint32(0)
	deepest := 0
	var visit func(i uint32, depth int) (lo, hi [3]int32)
	visit = func(i uint32, depth int) (lo, hi [3]int32) {
		deepest = max(deepest, depth)
		n := &c.tree.nodes[i]
		must.Need(t, n.start == next, "node %d begins at %d, want %d", i, n.start, next)
		if n.leaf() {
			if n.count() > leafSize {
				must.Need(t, n.point(), "n.point() is false")
			}
			must.Need(t, n.count() != 0, "n.count() is 0")
			lo, hi = c.XYZ[next], c.XYZ[next]
			for _, p := range c.XYZ[next : int(next)+n.count()] {
				for a := range p {
					lo[a], hi[a] = min(lo[a], p[a]), max(hi[a], p[a])
				}
			}
			next += uint32(n.count())
		} else {
			lo, hi = visit(i+1, depth+1)
			l, h := visit(n.link, depth+1)
			for a := range l {
				lo[a], hi[a] = min(lo[a], l[a]), max(hi[a], h[a])
			}
		}
		must.Need(t, lo == n.lo,
			"node %d has box %v–%v, want %v–%v: lo is not n.lo", i, n.lo, n.hi, lo, hi)
		must.Need(t, hi == n.hi,
			"node %d has box %v–%v, want %v–%v: hi is not n.hi", i, n.lo, n.hi, lo, hi)
		return lo, hi
	}
	if len(c.tree.nodes) > 0 {
		visit(0, 0)
	}
	must.Need(t, int(next) == c.Len(),
		"tree of depth %d covers %d of %d points: next is not c.Len()", deepest, next, c.Len())
	must.Need(t, deepest <= 60,
		"tree of depth %d covers %d of %d points: want deepest at most 60", deepest, next, c.Len())
}

// TestOrderIsCanonical: also of clouds so large that workers share the first nodes, with ties along an axis,
// runs of duplicates beside the middle, and points in order.
func TestOrderIsCanonical(t *testing.T) {
	clouds, r := degenerate(), random(7)
	for name, place := range map[string]func(i int) float64{
		"large":            func(int) float64 { return r.Float64() },
		"large ties":       func(int) float64 { return float64(r.IntN(9)) },
		"large duplicates": func(i int) float64 { return .5 + float64(min(i%3, 1))*(r.Float64()-.5) },
		"large in order":   func(i int) float64 { return float64(i) / 100 },
	} {
		var c columns
		for i := range 3*large + 11 {
			c.add(place(i), place(i)/2, place(i)/3)
		}
		clouds[name] = c
	}
	for name, cols := range clouds {
		cloud := mustNew(t, cols, 1)
		checkTree(t, cloud)
		sorted := slices.Clone(cloud.Order)
		slices.Sort(sorted)
		for i, o := range sorted {
			must.Need(t, int(o) == i, "%s: Order is not a permutation", name)
		}
		for i := 1; i < cloud.Len(); i++ {
			if cloud.XYZ[i] == cloud.XYZ[i-1] {
				must.Need(t, cloud.Order[i] >= cloud.Order[i-1],
					"%s: cloud.Order[i] is %v, want at least %v", name, cloud.Order[i], cloud.Order[i-1])
			}
		}
		for _, threads := range []int{2, 9, 16} {
			must.Hold(t, sameCloud(cloud, mustNew(t, cols, threads)), "%s: %d threads give another tree",
				name, threads)
		}
		// The order of positions does not depend on the order of the input.
		shuffled, r := columns{}, random(9)
		for _, i := range r.Perm(len(cols.x)) {
			shuffled.add(cols.x[i], cols.y[i], cols.z[i])
		}
		must.Hold(t, slices.Equal(cloud.XYZ, mustNew(t, shuffled, 2).XYZ),
			"%s: order depends on the input order", name)
	}
}

func TestTranslationByMillimetresHasNoEffect(t *testing.T) {
	cols := lidar(3000, 8)
	cloud := mustNew(t, cols, 1)
	for _, by := range []float64{0.001, -12.345, 999_999.999} {
		moved := columns{}
		for i := range cols.x {
			moved.add(cols.x[i]+by, cols.y[i]-by, cols.z[i]+2*by)
		}
		other := mustNew(t, moved, 1)
		must.Hold(t, sameCloud(cloud, other), "translation by %v m changes the cloud", by)
		d := other.Origin.X - cloud.Origin.X - by
		must.Hold(t, math.Abs(d) <= 1e-8, "origin moved by %v m more than the cloud", d)
	}
}

func TestPositionsAreRounded(t *testing.T) {
	cols := lidar(2000, 1)
	cols.add(650_000.123456, 6_000_000.654321, -3.000004)
	cloud := mustNew(t, cols, 1)
	must.Hold(t, cloud.Unit == 1e-5, "unit %v, want 1e-5", cloud.Unit)
	for i, o := range cloud.Order {
		p := cloud.Position(uint32(i)).Add(cloud.Origin)
		d := max(math.Abs(p.X-cols.x[o]), math.Abs(p.Y-cols.y[o]), math.Abs(p.Z-cols.z[o]))
		must.Need(t, d <= 0.51e-5, "point %d is %v m off", o, d)
	}
}

func TestUnitGrowsWithTheExtent(t *testing.T) {
	for _, s := range []struct{ extent, unit float64 }{{21_474, 1e-5}, {21_475, 1e-4}, {3e6, 1e-2},
		{1e9, 1}, {3e9, 10},
		{1.7e308, 1e299}} {
		cloud := mustNew(t, columns{x: []float64{0, s.extent, s.extent}, y: make([]float64, 3),
			z: make([]float64, 3)}, 1)
		must.Hold(t, math.Abs(cloud.Unit/s.unit-1) <= 1e-9, "extent %v m: unit %v m, want %v", s.extent,
			cloud.Unit, s.unit)
	}
}

func TestBadInput(t *testing.T) {
	good := []float64{1, 2, 3}
	for _, s := range []struct {
		x, y, z []float64
		want    string
	}{
		{good, good[:2], good, "3 x, 2 y and 3 z"},
		{good, good, []float64{1, math.NaN(), math.NaN()}, "point 1 has z = NaN"},
		{[]float64{1, 2, math.Inf(-1)}, good, good, "point 2 has x = -Inf"},
	} {
		must.Fail(New(s.x, s.y, s.z, parallel.Run{}))(t, s.want)
	}
	must.Fail(mustNew(t, uniform(5, 1), 1).Nearest(0, parallel.Run{}))(t)
}

func FuzzNearest(f *testing.F) {
	f.Add([]byte{1, 2, 3, 1, 2, 3, 0, 0, 9}, uint8(2), uint8(3))
	f.Add([]byte("points on a coarse grid have ties and duplicates"), uint8(5), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, k, spread uint8) {
		var c columns
		for ; len(data) >= 3 && len(c.x) < 120; data = data[3:] {
			m := int(spread%16) + 1
			c.add(float64(int(data[0])%m), float64(int(data[1])%m), float64(int(data[2])%m))
		}
		cloud := mustNew(t, c, 2)
		checkTree(t, cloud)
		want := int(k%30) + 1
		l := must.Get(cloud.Nearest(want, parallel.Run{Threads: 2}))(t)
		checkLists(t, cloud, l, want, 1000)
	})
}
