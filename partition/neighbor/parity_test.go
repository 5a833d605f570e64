package neighbor

import (
	"fmt"
	"slices"
	"testing"

	"superpoint/partition/parallel"
	"superpoint/testdata/realdata"
)

// TestKernelsAgree compares the vector kernel with its plain Go twin: equal
// lists, no tolerance.
func TestKernelsAgree(t *testing.T) {
	clouds := degenerate()
	clouds["large lidar"] = lidar(8_000, 7)
	clouds["large volume"] = uniform(5_000, 7)
	coarse := lidar(4_000, 3)
	for i := range coarse.x { // many ties and duplicates
		coarse.x[i], coarse.y[i], coarse.z[i] = float64(int(coarse.x[i]*2)), float64(int(coarse.y[i]*2)), float64(
			int(coarse.z[i]))
	}
	clouds["coarse"] = coarse
	for name, cols := range clouds {
		cloud := mustNew(t, cols, 2)
		for _, k := range []int{1, 5, 20, 33, 101} {
			t.Run(fmt.Sprintf("%s/%d", name, k), func(t *testing.T) {
				if k = min(k, cloud.Len()-1); k < 1 {
					return
				}
				plain, fast := newLists(cloud.Len(), k), newLists(cloud.Len(), k)
				if err := cloud.nearestGo(plain, parallel.Run{Threads: 2}); err != nil {
					t.Fatal(err)
				}
				if err := cloud.nearest(fast, parallel.Run{Threads: 2}); err != nil {
					t.Fatal(err)
				}
				for i := range cloud.Len() {
					if !slices.Equal(plain.Of(i), fast.Of(i)) {
						t.Fatalf("neighbours of %d:\nplain %v\nfast  %v", i, plain.Of(i), fast.Of(i))
					}
				}
			})
		}
	}
}

// TestKernelsAgreeOnAnAerialTile does so with the ties and duplicates of a real
// scan.
func TestKernelsAgreeOnAnAerialTile(t *testing.T) {
	p := realdata.Read(t, "train/isprs_samp42.laz")
	cloud := mustNew(t, columns{p.X, p.Y, p.Z}, 2)
	plain, fast := newLists(cloud.Len(), 20), newLists(cloud.Len(), 20)
	if err := cloud.nearestGo(plain, parallel.Run{}); err != nil {
		t.Fatal(err)
	}
	if err := cloud.nearest(fast, parallel.Run{}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(plain.Index, fast.Index) {
		t.Error("lists differ")
	}
}

// TestWishesAgree compares the vector kernels for edges across lines with their
// plain Go twins: equal ranks, borders and points beside, no tolerance.
func TestWishesAgree(t *testing.T) {
	clouds := degenerate()
	for name, pattern := range linePatterns() {
		clouds[name] = pattern
		var far columns // neighbours beyond 2²⁴ units are left to the twin
		for i := range pattern.x {
			far.add(pattern.x[i]*300, pattern.y[i]*300, pattern.z[i]*300)
		}
		clouds[name+", 300 times as large"] = far
	}
	clouds["large lidar"], clouds["large volume"] = lidar(8_000, 7), uniform(5_000, 7)
	seeds, beside, kept := 0, 0, 0
	for name, cols := range clouds {
		cloud := mustNew(t, cols, 2)
		for _, k := range []int{33, 9} {
			if k >= cloud.Len() {
				continue
			}
			l, err := cloud.Nearest(k, parallel.Run{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			fast := &wishes{cloud: cloud, lists: l, k: 5, around: min(k, Around)}
			if err := fast.find(parallel.Run{Threads: 2}); err != nil {
				t.Fatal(err)
			}
			plain := *fast
			plain.which, plain.border = make([]uint32, cloud.Len()), make([]uint8, cloud.Len())
			plain.aroundGo(&sideways{cloud: cloud}, 0, cloud.Len())
			if !slices.Equal(plain.border, fast.border) {
				t.Errorf("%s, %d neighbours: other points are at a border", name, k)
			}
			for i := range plain.which {
				if plain.which[i] != fast.which[i]&ranks {
					t.Fatalf("%s, %d neighbours: ranks of %d are %b, plain %b", name, k, i, fast.which[i], plain.which[i])
				}
			}
			plain.beside = make([][2]uint32, len(fast.seeds))
			plain.beyondGo(&sideways{cloud: cloud}, 0, len(fast.seeds))
			for s, want := range plain.beside {
				if got := fast.beside[s]; got != want {
					t.Fatalf("%s, %d neighbours: beside %d are %v, plain %v", name, k, fast.seeds[s], got, want)
				}
				if want[0] != none {
					beside++
				}
			}
			seeds += len(fast.seeds)
			kept += sameKept(t, fast)
		}
	}
	if seeds < 5_000 || beside < 2_500 || kept < 5_000 {
		t.Errorf("only %d seeds, %d with points beside, %d points that keep a wish: too easy clouds", seeds, beside, kept)
	}
}

// sameKept compares the kernels for what is kept and returns of how many points
// something is.
func sameKept(t *testing.T, w *wishes) (kept int) {
	t.Helper()
	n := w.cloud.Len()
	fast, plain := make([]uint32, n), make([]uint32, n)
	w.keptAll(fast, 0, n)
	w.keptGo(plain, 0, n)
	for i := range plain {
		if fast[i] != plain[i] {
			t.Fatalf("point %d keeps %b, plain %b", i, fast[i], plain[i])
		}
		if plain[i] != 0 {
			kept++
		}
	}
	return kept
}
