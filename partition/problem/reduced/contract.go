// SPDX-License-Identifier: BSD-3-Clause

package reduced

import (
	"slices"
	"sync/atomic"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Contractor computes the reduced graph of a coarser partition. It has two graphs, which
// successive calls use in turn.
type Contractor struct {
	Exact  bool // weights are not multiplied by Scale, so that sums of them remain exact
	buffer [2]Graph
	turn   int
	first  []uint32   // first new id of each block of old vertices, and the end
	late   [][]uint32 // per block, vertices whose new id belongs to an earlier block
}

// Contract returns the reduced graph of the partition label, whose ids are
// dense in [0, count) and numbered by first vertex. The result is valid until
// the next call but one. means has the new components, whose slices the result
// contains; nil: they are computed.
func (t *Contractor) Contract(run parallel.Run, g *Graph, label []uint32, count int,
	means *Components) *Graph {
	t.turn ^= 1
	out := &t.buffer[t.turn]
	out.Dim = g.Dim
	out.Weighted = g.Weighted
	out.Order = g.Order
	out.Scale = g.Scale
	plain := *g
	if plain.Scale = 1; !t.Exact {
		plain.Scale, out.Scale = g.Scale, 1
	}
	t.prepare(run, label)
	if means != nil {
		out.Components = *means
	} else {
		t.means(run, g, out, label, count)
	}
	t.edges(run, &plain, out, label, count)
	if g.Order != nil {
		out.First = g.firstsOf(run, label, count)
	}
	return out
}

// prepare computes for each block which new ids have their first vertex in it.
func (t *Contractor) prepare(run parallel.Run, label []uint32) {
	block := parallel.Block(len(label))
	blocks := (len(label) + block - 1) / block
	t.first = arrays.Resized(t.first, blocks+1)
	t.first[0] = 0
	run.Do(len(label), block, func(lo, hi int) { t.first[lo/block+1] = slices.Max(label[lo:hi]) + 1 })
	for b := range blocks {
		t.first[b+1] = max(t.first[b+1], t.first[b])
	}
	for len(t.late) < blocks {
		t.late = append(t.late, nil)
	}
	t.late = t.late[:blocks]
}

// means computes sizes and means of the new components. The old components of a new one are added in
// their order.
func (t *Contractor) means(run parallel.Run, g, out *Graph, label []uint32, count int) {
	out.Resize(count)
	clear(out.Mean)
	clear(out.Size)
	clear(out.Mass)
	run.Do(len(label), parallel.Block(len(label)), func(lo, hi int) {
		b := lo / parallel.Block(len(label))
		late := t.late[b][:0]
		for u := uint32(lo); u < uint32(hi); u++ {
			if label[u] >= t.first[b] {
				out.add(label[u], &g.Components, u)
			} else {
				late = append(late, u)
			}
		}
		t.late[b] = late
	})
	for _, late := range t.late {
		for _, u := range late {
			out.add(label[u], &g.Components, u)
		}
	}
	run.Do(count, parallel.Block(count), func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			out.divide(u)
		}
	})
}

// firstsOf returns the first original vertex, in Order, of each of count components.
func (g *Graph) firstsOf(run parallel.Run, label []uint32, count int) []uint32 {
	first := make([]uint32, count)
	run.Each(count, 1<<15, func(c int) { first[c] = None })
	run.Do(len(label), parallel.Block(len(label)), func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			own := g.FirstOf(u)
			least := &first[label[u]]
			for { // other workers may lower it
				old := atomic.LoadUint32(least)
				if old != None && !g.Order.Precedes(own, old) ||
					atomic.CompareAndSwapUint32(least, old, own) {
					break
				}
			}
		}
	})
	return first
}
