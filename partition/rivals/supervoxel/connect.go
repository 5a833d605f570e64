// SPDX-License-Identifier: BSD-3-Clause

package supervoxel

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/neighbor"
)

// Connect makes every segment connected in the graph. A part is a connected
// component of a segment. The largest part of each segment (the first on ties)
// and all parts of at least least vertices become segments. Every other part is
// merged with the neighbouring part that it shares most edges with, or becomes a
// segment if it has no neighbour. component is changed in place and numbered by
// first vertex. Connect returns the number of segments.
func Connect(g *neighbor.Graph, component []uint32, count, least int) int {
	part, parts := neighbor.Connected(g, component).Number()
	size := make([]uint32, parts)
	owner := make([]uint32, parts)
	for i, p := range part {
		size[p]++
		owner[p] = component[i]
	}
	largest := slices.Repeat([]uint32{None}, count)
	for p, s := range owner {
		if l := largest[s]; l == None || size[p] > size[l] {
			largest[s] = uint32(p)
		}
	}
	target := make([]uint32, parts) // the part that each is merged with, or itself; None: not yet assigned
	for p, s := range owner {
		target[p] = None
		if largest[s] == uint32(p) || int(size[p]) >= least {
			target[p] = uint32(p)
		}
	}
	assign(contacts(g, part, target), target)
	for i, p := range part {
		component[i] = target[p]
	}
	return arrays.Number(component, parts)
}

// contact is the number of edges between an unassigned part and another part.
type contact struct{ part, other, edges uint32 }

func contacts(g *neighbor.Graph, part, target []uint32) []contact {
	var keys []uint64
	for u := range g.Vertices() {
		for _, v := range g.Head[g.Start[u]:g.Start[u+1]] {
			p, q := part[u], part[v]
			if p == q {
				continue
			}
			if target[p] == None {
				keys = append(keys, uint64(p)<<32|uint64(q))
			}
			if target[q] == None {
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

// assign sets the target of every unassigned part: in rounds, the target of the
// assigned part that it shares most edges with, the lowest part on ties. When a
// round assigns none, the first unassigned part becomes a segment, and the
// rounds continue.
func assign(list []contact, target []uint32) {
	list = assignAdjacent(list, target)
	for p := range target {
		if target[p] == None {
			target[p] = uint32(p)
			list = assignAdjacent(list, target)
		}
	}
}

// assignAdjacent repeats rounds until one assigns no part, and returns the
// contacts of the unassigned parts.
func assignAdjacent(list []contact, target []uint32) []contact {
	type choice struct{ part, target uint32 }
	var chosen []choice
	for {
		chosen = chosen[:0]
		for lo := 0; lo < len(list); {
			hi := lo
			best := uint32(None)
			most := uint32(0)
			for ; hi < len(list) && list[hi].part == list[lo].part; hi++ {
				if c := list[hi]; target[c.other] != None && c.edges > most {
					best, most = target[c.other], c.edges
				}
			}
			if best != None {
				chosen = append(chosen, choice{list[lo].part, best})
			}
			lo = hi
		}
		for _, c := range chosen {
			target[c.part] = c.target
		}
		list = slices.DeleteFunc(list, func(c contact) bool { return target[c.part] != None })
		if len(chosen) == 0 {
			return list
		}
	}
}
