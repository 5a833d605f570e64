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
	Exact   bool // weights are not multiplied by Scale, so that sums of them remain exact
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
// the next call but one. means has the new components, whose slices the result
// contains; nil: they are computed.
func (t *Contractor) Contract(run parallel.Run, g *Graph, label []uint32, count int, means *Components) (*Graph, error) {
	t.turn ^= 1
	out := &t.buffer[t.turn]
	out.Dim, out.Sphere, out.Weighted, out.Order, out.Scale = g.Dim, g.Sphere, g.Weighted, g.Order, g.Scale
	plain := *g
	if plain.Scale = 1; !t.Exact {
		plain.Scale, out.Scale = g.Scale, 1
	}
	err := t.prepare(run, g, label)
	if err == nil && means != nil {
		out.Components = *means
	} else if err == nil {
		err = t.means(run, g, out, label, count)
	}
	if err == nil {
		err = t.edges(run, &plain, out, label, count)
	}
	if err == nil && g.Order != nil {
		out.First, err = t.firsts(run, g, label)
	}
	return out, err
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

// firsts returns the first original vertex, in Order, of each new component.
func (t *Contractor) firsts(run parallel.Run, g *Graph, label []uint32) ([]uint32, error) {
	first := make([]uint32, t.first[len(t.first)-1])
	take := func(c, u uint32) {
		if f := g.FirstOf(u); first[c] == None || g.Order.Precedes(f, first[c]) {
			first[c] = f
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
