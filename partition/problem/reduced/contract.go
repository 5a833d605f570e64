// SPDX-License-Identifier: BSD-3-Clause

package reduced

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Contractor computes the reduced graph of a coarser partition. It has two graphs, which
// successive calls use in turn.
type Contractor struct {
	buffer  [2]Graph
	turn    int
	first   []uint32   // first new id of each block of old vertices, and the end
	late    [][]uint32 // per block, vertices whose new id belongs to an earlier block
	strays  [][]stray  // per block, edges whose new row belongs to an earlier block
	arrived [][]stray  // per block, strays of later blocks whose row belongs to it
	rows    []rows     // per worker
}

// stray is an edge whose new row belongs to an earlier block.
type stray struct {
	row, head uint32
	weight    float32
}

// Contract returns the reduced graph of the partition label, whose ids are
// dense in [0, count) and numbered by first vertex. The result is valid until
// the next call but one.
//
// union may be nil. Otherwise it has the sizes and means of the new components, each at
// its first vertex, or the size 0 there if the component is that vertex alone; its arrays
// are exchanged for others.
func (t *Contractor) Contract(run parallel.Run, g *Graph, label []uint32, count int, union *Components) (*Graph, error) {
	out, err := t.next(run, g, label)
	switch {
	case err != nil:
		return nil, err
	case union != nil:
		takeMeans(g, out, union, label, count)
	default:
		if err := t.means(run, g, out, label, count); err != nil {
			return nil, err
		}
	}
	return out, t.edges(run, g, out, label, count)
}

// ContractTo is Contract with the new components; the result contains their slices.
func (t *Contractor) ContractTo(run parallel.Run, g *Graph, label []uint32, to *Components) (*Graph, error) {
	out, err := t.next(run, g, label)
	if err != nil {
		return nil, err
	}
	out.Components = *to
	return out, t.edges(run, g, out, label, out.Vertices())
}

// next returns the graph to fill.
func (t *Contractor) next(run parallel.Run, g *Graph, label []uint32) (*Graph, error) {
	t.turn ^= 1
	out := &t.buffer[t.turn]
	out.Dim, out.Sphere, out.Weighted, out.Scale = g.Dim, g.Sphere, g.Weighted, 1
	return out, t.prepare(run, g, label)
}

// prepare computes for each block which new ids have their first vertex in it.
func (t *Contractor) prepare(run parallel.Run, g *Graph, label []uint32) error {
	n := g.Vertices()
	blocks := (n + block - 1) / block
	t.first = arrays.Resized(t.first, blocks+1)
	t.first[0] = 0
	err := run.For(n, block, func(lo, hi int) { t.first[lo/block+1] = slices.Max(label[lo:hi]) + 1 })
	for b := range blocks {
		t.first[b+1] = max(t.first[b+1], t.first[b])
	}
	for len(t.late) < blocks {
		t.late, t.strays, t.arrived = append(t.late, nil), append(t.strays, nil), append(t.arrived, nil)
	}
	t.late, t.strays, t.arrived = t.late[:blocks], t.strays[:blocks], t.arrived[:blocks]
	for len(t.rows) < run.Workers() {
		t.rows = append(t.rows, rows{})
	}
	return err
}

// takeMeans moves the rows of union's roots to the beginning and exchanges its arrays for
// those of out. Roots are in the order of the new ids.
func takeMeans(g, out *Graph, union *Components, label []uint32, count int) {
	next := uint32(0)
	for u, id := range label {
		if id == next {
			from := union
			if union.Size[u] == 0 {
				from = &g.Components
			}
			union.Copy(id, from, uint32(u))
			next++
		}
	}
	out.Components, *union = *union, out.Components
	out.Resize(count)
}

// means computes sizes and means of the new components.
func (t *Contractor) means(run parallel.Run, g, out *Graph, label []uint32, count int) error {
	out.Resize(count)
	clear(out.Mean)
	clear(out.Size)
	clear(out.Mass)
	err := run.For(g.Vertices(), block, func(lo, hi int) {
		first, late := t.first[lo/block], t.late[lo/block][:0]
		for u := uint32(lo); u < uint32(hi); u++ {
			if label[u] >= first {
				out.add(label[u], &g.Components, u)
			} else {
				late = append(late, u)
			}
		}
		t.late[lo/block] = late
	})
	if err != nil {
		return err
	}
	for _, late := range t.late {
		for _, u := range late {
			out.add(label[u], &g.Components, u)
		}
	}
	return run.For(count, block, func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			out.divide(u)
		}
	})
}

// Firsts returns the first original vertex of each component of the partition that was
// contracted last, nil if the order is that of the numbers.
func (t *Contractor) Firsts(run parallel.Run, g *Graph, label []uint32) ([]uint32, error) {
	if g.Before == nil {
		return nil, nil
	}
	count := t.first[len(t.first)-1]
	first, key := make([]uint32, count), make([]uint64, count)
	take := func(c, u uint32) {
		f := g.FirstOf(u)
		if k := g.Key[f]; first[c] == None || k < key[c] || k == key[c] && g.Before(f, first[c]) {
			first[c], key[c] = f, k
		}
	}
	err := run.For(g.Vertices(), block, func(lo, hi int) {
		b := lo / block
		for c := t.first[b]; c < t.first[b+1]; c++ {
			first[c] = None
		}
		late := t.late[b][:0]
		for u := uint32(lo); u < uint32(hi); u++ {
			if label[u] >= t.first[b] {
				take(label[u], u)
			} else {
				late = append(late, u)
			}
		}
		t.late[b] = late
	})
	for _, late := range t.late {
		for _, u := range late {
			take(label[u], u)
		}
	}
	return first, err
}
