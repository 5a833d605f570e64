package neighbor

import (
	"math/rand/v2"
	"testing"
)

// scattered is a cloud of points in some cells of a spacing of 0.3 m.
func scattered(factor int32) *Ordered {
	random := rand.New(rand.NewPCG(9, 9))
	cloud := &Cloud{Unit: Unit, XYZ: make([][3]int32, 300)}
	for i := range cloud.XYZ {
		for a := range 3 {
			cloud.XYZ[i][a] = factor * int32(random.IntN(80000)-40000)
		}
	}
	return cloud.Ordered(.3 * float64(factor))
}

// TestKeyIsTheBeginning: where keys differ they tell what precedes, and they do
// for most points of a cell.
func TestKeyIsTheBeginning(t *testing.T) {
	cloud := scattered(1)
	equal, places := 0, map[uint64]bool{}
	for u := range uint32(300) {
		places[Place(cloud.Key(u))] = true
		for v := range uint32(300) {
			switch a, b := cloud.Key(u), cloud.Key(v); {
			case a != b && cloud.Precedes(u, v) != (a < b):
				t.Fatalf("points %v and %v: keys %x and %x, in the other order", cloud.XYZ[u], cloud.XYZ[v], a, b)
			case a == b && u != v:
				equal++
			}
		}
	}
	if equal > 4 || len(places) != 16 {
		t.Errorf("%d pairs have the same key, %d cells", equal, len(places))
	}
}

// TestOrderOfAnyScale: ten times the lengths and the spacing leave the order as it is.
func TestOrderOfAnyScale(t *testing.T) {
	small, large := scattered(1), scattered(10)
	for u := range uint32(300) {
		if Place(small.Key(u)) != Place(large.Key(u)) {
			t.Fatalf("point %d is in another cell", u)
		}
		for v := range uint32(300) {
			if small.Precedes(u, v) != large.Precedes(u, v) {
				t.Fatalf("points %v and %v are in the other order", small.XYZ[u], small.XYZ[v])
			}
		}
	}
}

// TestOrderOfWideClouds: a stray point does not break the order.
func TestOrderOfWideClouds(t *testing.T) {
	cloud := scattered(1).Cloud
	cloud.XYZ[7] = [3]int32{-1 << 31, 1<<31 - 1, 0}
	order := cloud.Ordered(.001)
	for u := range uint32(300) {
		for v := range uint32(300) {
			if a, b := order.Key(u), order.Key(v); a != b && order.Precedes(u, v) != (a < b) || Place(a)>>(2*cellBits) != 0 {
				t.Fatalf("points %v and %v: keys %x and %x", cloud.XYZ[u], cloud.XYZ[v], a, b)
			}
		}
	}
}
