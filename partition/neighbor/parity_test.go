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
