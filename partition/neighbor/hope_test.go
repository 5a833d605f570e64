package neighbor

import (
	"testing"

	"superpoint/partition/parallel"
)

// TestHopeLosesNothing: what is kept is what would be if every point at a border
// looked beyond, and most of those where there are no scan lines do not look.
func TestHopeLosesNothing(t *testing.T) {
	clouds := linePatterns()
	clouds["lidar"], clouds["volume"] = lidar(20_000, 8), uniform(20_000, 9)
	for name, cols := range clouds {
		c := mustNew(t, cols, 2)
		l, err := c.Nearest(Around, parallel.Run{})
		if err != nil {
			t.Fatal(err)
		}
		few, every := &wishes{cloud: c, lists: l, k: 5, around: Around}, &wishes{cloud: c, lists: l, k: 5, around: Around}
		if err := few.find(parallel.Run{}); err != nil {
			t.Fatal(err)
		}
		n := c.Len()
		every.which, every.border, every.place = make([]uint32, n), make([]uint8, n), make([]uint32, n)
		every.aroundAll(&sideways{cloud: c}, 0, n)
		if err := every.foresee(parallel.Run{}); err != nil {
			t.Fatal(err)
		}
		var seeds []uint32
		every.hope = make(marks, (n+31)/32)
		for i, which := range every.which {
			every.hope.add(uint32(i))
			if which > ranks {
				seeds = append(seeds, uint32(i))
			}
		}
		if err := every.look(parallel.Run{}, seeds); err != nil {
			t.Fatal(err)
		}
		a, b := newKept(few), newKept(every)
		for i := range uint32(n) {
			if got, want := a.of(i), b.of(i); got != want {
				t.Fatalf("%s: point %d keeps %b, with every point looking %b", name, i, got, want)
			}
		}
		t.Logf("%s: %d of %d points at a border look", name, len(few.seeds), len(seeds))
		if name == "volume" && len(few.seeds) > len(seeds)/4 {
			t.Errorf("%d of %d points look beyond a border in a volume", len(few.seeds), len(seeds))
		}
	}
}
