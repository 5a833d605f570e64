package supervoxel

import (
	"slices"

	"superpoint/partition/arrays"
	"superpoint/partition/neighbor"
)

// Connect makes every segment connected in the graph. Of each segment the
// largest piece stays (the first on ties); a smaller piece of at least least
// vertices becomes a segment of its own, and any other joins the neighbouring
// piece it shares most edges with. Pieces without a neighbour stay segments.
// Component is changed in place and numbered by first vertex; the number of
// segments is returned.
func Connect(g *neighbor.Graph, component []uint32, count, least int) int {
	piece, pieces := cut(g, component)
	size, owner := make([]uint32, pieces), make([]uint32, pieces)
	for i, p := range piece {
		size[p]++
		owner[p] = component[i]
	}
	largest := make([]uint32, count)
	for s := range largest {
		largest[s] = None
	}
	for p, s := range owner {
		if l := largest[s]; l == None || size[p] > size[l] {
			largest[s] = uint32(p)
		}
	}
	home := make([]uint32, pieces) // the piece that each ends up with; None is open
	for p, s := range owner {
		home[p] = None
		if largest[s] == uint32(p) || int(size[p]) >= least {
			home[p] = uint32(p)
		}
	}
	join(contacts(g, piece, home), home)
	for i, p := range piece {
		component[i] = home[p]
	}
	return arrays.Number(component, pieces)
}

// cut labels the connected pieces of all segments.
func cut(g *neighbor.Graph, component []uint32) (piece []uint32, pieces int) {
	inner := &neighbor.Graph{Start: make([]uint32, g.Vertices()+1), Head: make([]uint32, 0, g.Edges())}
	for u := range g.Vertices() {
		for _, v := range g.Head[g.Start[u]:g.Start[u+1]] {
			if component[u] == component[v] {
				inner.Head = append(inner.Head, v)
			}
		}
		inner.Start[u+1] = uint32(len(inner.Head))
	}
	return neighbor.Components(inner)
}

// contact is the number of edges between an open piece and another piece.
type contact struct{ piece, other, edges uint32 }

func contacts(g *neighbor.Graph, piece, home []uint32) []contact {
	var keys []uint64
	for u := range g.Vertices() {
		for _, v := range g.Head[g.Start[u]:g.Start[u+1]] {
			p, q := piece[u], piece[v]
			if p == q {
				continue
			}
			if home[p] == None {
				keys = append(keys, uint64(p)<<32|uint64(q))
			}
			if home[q] == None {
				keys = append(keys, uint64(q)<<32|uint64(p))
			}
		}
	}
	slices.Sort(keys)
	var list []contact
	for i, k := range keys {
		if i == 0 || k != keys[i-1] {
			list = append(list, contact{uint32(k >> 32), uint32(k), 0})
		}
		list[len(list)-1].edges++
	}
	return list
}

// join gives open pieces a home round by round: the home of the settled piece
// they share most edges with, of the lowest number on ties. When none can be
// given any more, the first open piece becomes its own home and rounds continue.
func join(list []contact, home []uint32) {
	list = settle(list, home)
	for p := range home {
		if home[p] == None {
			home[p] = uint32(p)
			list = settle(list, home)
		}
	}
}

// settle repeats rounds until none changes a home, and returns the contacts of
// pieces that are still open.
func settle(list []contact, home []uint32) []contact {
	type choice struct{ piece, home uint32 }
	var chosen []choice
	for {
		chosen = chosen[:0]
		for lo := 0; lo < len(list); {
			hi, best, most := lo, uint32(None), uint32(0)
			for ; hi < len(list) && list[hi].piece == list[lo].piece; hi++ {
				if c := list[hi]; home[c.other] != None && c.edges > most {
					best, most = home[c.other], c.edges
				}
			}
			if best != None {
				chosen = append(chosen, choice{list[lo].piece, best})
			}
			lo = hi
		}
		for _, c := range chosen {
			home[c.piece] = c.home
		}
		list = slices.DeleteFunc(list, func(c contact) bool { return home[c.piece] != None })
		if len(chosen) == 0 {
			return list
		}
	}
}
