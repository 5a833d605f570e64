package scenes

import (
	"slices"
	"testing"
)

// TestObjectsAreOnePiece joins the triangles of every built object whose boxes
// come within 16 cm of each other: one piece is left. Plants are left out, for
// their leaves float, and what runs through many blocks.
func TestObjectsAreOnePiece(t *testing.T) {
	for _, name := range Names() {
		s := scene(t, name, 4)
		for k := range 12 {
			b := s.Block(k%4, k/4-1)
			of := map[uint16][]extent{}
			class := map[uint16]uint8{}
			for i, tr := range b.Mesh.Triangles {
				p := b.Mesh.Parts[b.Mesh.Of[i]]
				if p.Object >= FirstLocal && p.Class != Tree && p.Class != Bush && p.Class != LowPlant && p.Material != Leaf {
					of[p.Object] = append(of[p.Object], around(tr, .08))
					class[p.Object] = p.Class
				}
			}
			for object, boxes := range of {
				if n := pieces(boxes); n != 1 {
					t.Errorf("%s, block %d: object %d of class %d is in %d pieces", name, k, object, class[object], n)
				}
			}
		}
	}
}

type extent struct{ low, high [3]float32 }

// around is a triangle's box with a margin.
func around(tr [3][3]float32, margin float32) extent {
	e := extent{tr[0], tr[0]}
	for _, p := range tr {
		for a := range 3 {
			e.low[a], e.high[a] = min(e.low[a], p[a]), max(e.high[a], p[a])
		}
	}
	for a := range 3 {
		e.low[a] -= margin
		e.high[a] += margin
	}
	return e
}

// pieces counts the groups of boxes that overlap.
func pieces(boxes []extent) int {
	slices.SortFunc(boxes, func(a, b extent) int {
		switch {
		case a.low[0] < b.low[0]:
			return -1
		case a.low[0] > b.low[0]:
			return 1
		}
		return 0
	})
	parent := make([]int, len(boxes))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	n := len(boxes)
	for i := range boxes {
		for j := i + 1; j < len(boxes) && boxes[j].low[0] <= boxes[i].high[0]; j++ {
			a, b := &boxes[i], &boxes[j]
			if a.low[1] > b.high[1] || b.low[1] > a.high[1] || a.low[2] > b.high[2] || b.low[2] > a.high[2] {
				continue
			}
			if p, q := root(i), root(j); p != q {
				parent[p] = q
				n--
			}
		}
	}
	return n
}
