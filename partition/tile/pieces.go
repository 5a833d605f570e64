package tile

import (
	"superpoint/partition/forest"
	"superpoint/partition/neighbor"
)

// Segmented is a tile with its halo after segmentation, in file order.
type Segmented struct {
	Superpoint []uint32   // of each point, from First
	First      uint32     // smallest superpoint
	Count      int        // number of superpoints
	Position   [][3]int32 // raw coordinates
	Core, Band []bool     // whether a point lies in the core, in the seam band

	Graph *neighbor.Graph // adjacency, in its own order
	Order []uint32        // file index of each vertex of the graph
}

// Cut returns the piece of every point (Outside in the halo) and the seam.
// A superpoint that lies in the core only is one piece. One that reaches into
// the halo falls into the connected parts of what is left of it in the core, so
// that no piece holds together only through points of another tile.
func (t *Segmented) Cut(index uint32) (piece []uint32, seam *Seam) {
	straddles := t.straddling()
	root := forest.New(len(t.Superpoint))
	first := make([]uint32, t.Count) // a point + 1 of each superpoint that does not straddle
	for i, s := range t.Superpoint {
		s -= t.First
		if !t.Core[i] || straddles[s] {
			continue
		}
		if first[s] == 0 {
			first[s] = uint32(i) + 1
		}
		root.Join(first[s]-1, uint32(i))
	}
	var crossing [][2]uint32
	for u := range t.Graph.Vertices() {
		i := t.Order[u]
		for _, v := range t.Graph.Of(u) {
			j := t.Order[v]
			s := t.Superpoint[i]
			if s != t.Superpoint[j] || !straddles[s-t.First] {
				continue
			}
			switch {
			case t.Core[i] && t.Core[j]:
				root.Join(i, j)
			case t.Core[i] && t.Band[i] && t.Band[j]:
				crossing = append(crossing, [2]uint32{i, j})
			case t.Core[j] && t.Band[i] && t.Band[j]:
				crossing = append(crossing, [2]uint32{j, i})
			}
		}
	}
	piece, count := t.number(root)
	return piece, t.seam(index, count, piece, crossing)
}

// straddling tells for each superpoint whether it has points in core and halo.
func (t *Segmented) straddling() []bool {
	inside, outside := make([]bool, t.Count), make([]bool, t.Count)
	for i, s := range t.Superpoint {
		inside[s-t.First] = inside[s-t.First] || t.Core[i]
		outside[s-t.First] = outside[s-t.First] || !t.Core[i]
	}
	for s := range inside {
		inside[s] = inside[s] && outside[s]
	}
	return inside
}

// number numbers the trees of core points by first point.
func (t *Segmented) number(root forest.Forest) (piece []uint32, count uint32) {
	piece = make([]uint32, len(root))
	for i := range piece {
		piece[i] = Outside
	}
	for i := range root {
		if !t.Core[i] {
			continue
		}
		r := root.Root(uint32(i))
		if piece[r] == Outside {
			piece[r] = count
			count++
		}
		piece[i] = piece[r]
	}
	return piece, count
}

func (t *Segmented) seam(index, pieces uint32, piece []uint32, crossing [][2]uint32) *Seam {
	s := &Seam{Tile: index, Pieces: pieces}
	place := make([]uint32, len(piece)) // of a point in the seam
	for i, band := range t.Band {
		if band {
			place[i] = uint32(len(s.Point))
			s.Point = append(s.Point, t.Position[i])
			s.Superpoint = append(s.Superpoint, t.Superpoint[i])
			s.Piece = append(s.Piece, piece[i])
		}
	}
	for _, e := range crossing {
		s.Crossing = append(s.Crossing, [2]uint32{place[e[0]], place[e[1]]})
	}
	return s
}
