package boundary

import (
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition"
	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

func improve(p *partition.Problem, label []uint32, count, minSize, passes int) (int, error) {
	var c reduced.Contractor
	part, err := c.Contract(parallel.Run{}, reduced.New(p), label, count, nil)
	if err != nil {
		return 0, err
	}
	return Improve(parallel.Run{}, reduced.New(p), part, label, minSize, passes)
}

// Values 0, 0, 0, 1, 1, 1 along a path, cut in the wrong place.
func TestImproveMovesTheBoundary(t *testing.T) {
	p := &partition.Problem{
		Graph: oracle.Graph(6, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}), Dim: 1,
		Values: []float32{0, 0, 0, 1, 1, 1}, Contrast: []float32{1, 1, 1, 1, 1}, Lambda: .1,
	}
	label := []uint32{0, 0, 1, 1, 1, 1}
	count, err := improve(p, label, 2, 0, 5)
	if err != nil || count != 2 || !slices.Equal(label, []uint32{0, 0, 0, 1, 1, 1}) {
		t.Errorf("%d components, %v, %v", count, label, err)
	}
}

// The middle of a path leaves for the other component; its ends are parted.
func TestImproveNumbersPieces(t *testing.T) {
	p := &partition.Problem{
		Graph: oracle.Graph(4, [][2]int{{0, 1}, {1, 2}, {1, 3}}), Dim: 1,
		Values: []float32{0, 5, 0, 5}, Contrast: []float32{1, 1, 1}, Lambda: .01,
	}
	label := []uint32{0, 0, 0, 1}
	count, err := improve(p, label, 2, 0, 1)
	if err != nil || count != 3 || !slices.Equal(label, []uint32{0, 1, 2, 1}) {
		t.Errorf("%d components, %v, %v", count, label, err)
	}
}

func TestImproveLowersTheEnergy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	lowered := 0
	for i := range 200 {
		p := oracle.Random(random, 3+random.IntN(60), 1+random.IntN(7), .02+.3*random.Float64())
		p.Sphere = i % (p.Dim + 1)
		g := reduced.New(p)
		label := make([]uint32, g.Vertices())
		for u := range label {
			label[u] = uint32(random.IntN(4))
		}
		count, err := g.Pieces(parallel.Run{}, label)
		if err != nil {
			t.Fatal(err)
		}
		before := oracle.Energy(p, label)
		if count, err = improve(p, label, count, 0, 8); err != nil {
			t.Fatal(err)
		}
		after := oracle.Energy(p, label)
		if after > before*(1+1e-6) {
			t.Errorf("energy %g after %g, %d columns on the sphere", after, before, p.Sphere)
		}
		if after < before {
			lowered++
		}
		if part, parts := oracle.Parts(p, label); parts != count || !slices.Equal(part, label) {
			t.Fatal("components are not connected, dense or in order")
		}
	}
	if lowered < 150 {
		t.Errorf("energy fell in %d of 200", lowered)
	}
}

func TestImproveKeepsTheSmallestSize(t *testing.T) {
	p := &partition.Problem{
		Graph: oracle.Graph(6, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}), Dim: 1,
		Values: []float32{0, 0, 0, 1, 1, 1}, Contrast: []float32{1, 1, 1, 1, 1}, Lambda: .1,
	}
	label := []uint32{0, 0, 1, 1, 1, 1}
	if _, err := improve(p, label, 2, 4, 5); err != nil || !slices.Equal(label, []uint32{0, 0, 1, 1, 1, 1}) {
		t.Errorf("%v, %v", label, err)
	}
}
