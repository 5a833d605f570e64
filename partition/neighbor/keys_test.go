package neighbor

import (
	"math/rand/v2"
	"testing"
)

// TestKeyIsTheBeginning: where keys differ they tell what precedes, and they do
// for most points of a cell.
func TestKeyIsTheBeginning(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	cloud := &Cloud{XYZ: make([][3]int32, 300)}
	for i := range cloud.XYZ {
		for a := range 3 {
			cloud.XYZ[i][a] = int32(random.IntN(4*CellEdge) - 2*CellEdge)
		}
	}
	equal := 0
	for u := range uint32(300) {
		for v := range uint32(300) {
			switch a, b := cloud.Key(u), cloud.Key(v); {
			case a != b && cloud.Precedes(u, v) != (a < b):
				t.Fatalf("points %v and %v: keys %x and %x, in the other order", cloud.XYZ[u], cloud.XYZ[v], a, b)
			case a == b && u != v:
				equal++
			}
		}
	}
	if equal > 4 {
		t.Errorf("%d pairs have the same key", equal)
	}
}
