// SPDX-License-Identifier: BSD-3-Clause

package reduced

import (
	"math"
	"sync"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// None is the index that means no vertex.
const None = math.MaxUint32

// Edges within a block of vertices (parallel.Block) are processed in parallel with other blocks; the few
// edges between blocks are processed afterwards, in the order of the blocks where the order matters.

// Choice is each component's best merge: the neighbour with the largest gain, with
// ties broken as in MergeOptions.HashTies.
//
// Claim: the graph of choices has no cycle of more than 2 components. Reason: edges are
// totally ordered by gain, then by tie-break hash and vertices, alike from both ends,
// and along a path of choices the edges never decrease in this order; on a cycle they are
// therefore all the same edge.
type Choice struct {
	Gain     []float32
	Neighbor []uint32 // None if no gain exceeds MinGain
	spill    [][]proposal
}

// proposal is the gain of merging from into to, a vertex of a later block.
type proposal struct {
	to, from uint32
	gain     float32
}

// MergeOptions select the merges among which the best is chosen.
type MergeOptions struct {
	MinGain    float32 // only gains above it
	MaxSize    float32 // maximum number of original vertices of the union
	Small      float32 // if above 0, only merges with a component of fewer original vertices
	Normalized bool    // gains are divided by n_u n_v/(n_u+n_v), so that large components are not preferred

	// Ties are broken by the tie-break hash of the edge, which is the same from both
	// ends, and then by the order of vertices; without it, by the order only. With the
	// hash, many components choose each other even if many gains are equal.
	HashTies bool
}

// smallPairFactor multiplies the cost of merging two components that are too small into one
// that is not, because such a merge removes both. Chosen on val by the energy, which is about
// the same from 0.1 to 0.3 and higher for 1.
const smallPairFactor = .2

// Best fills c with each component's best merge among merges with a gain above least.
// The gain of merging u and v is their edge's weight less Loss(u, v).
func (g *Graph) Best(run parallel.Run, least float32, c *Choice) {
	g.BestOn(run, MergeOptions{MinGain: least, MaxSize: math.MaxFloat32}, c)
}

// BestOn is Best among the merges that the options allow. With Small above 0, choices of
// components that are not small are meaningless, and negative gains of merges of two small
// components into one that is not small are multiplied by smallPairFactor.
func (g *Graph) BestOn(run parallel.Run, t MergeOptions, c *Choice) {
	n := g.Vertices()
	block := parallel.Block(n)
	c.reset(n, (n+block-1)/block)
	run.Do(n, block, func(lo, hi int) {
		c.spill[lo/block] = g.bestOfBlock(lo, hi, t, c, c.spill[lo/block][:0])
	})
	locks := make([]sync.Mutex, len(c.spill)) // the best proposal does not depend on the order
	run.Each(len(c.spill), 1, func(b int) {
		for _, p := range c.spill[b] {
			lock := &locks[int(p.to)/block]
			lock.Lock()
			if p.gain > c.Gain[p.to] || p.gain == c.Gain[p.to] &&
				g.earlier(&t, p.to, p.from, c.Neighbor[p.to]) {
				c.Gain[p.to], c.Neighbor[p.to] = p.gain, p.from
			}
			lock.Unlock()
		}
	})
}

func (c *Choice) reset(n, blocks int) {
	if cap(c.Gain) < n {
		c.Gain = make([]float32, n)
		c.Neighbor = make([]uint32, n)
	}
	c.Gain, c.Neighbor = c.Gain[:n], c.Neighbor[:n]
	for len(c.spill) < blocks {
		c.spill = append(c.spill, nil)
	}
	c.spill = c.spill[:blocks]
}

// Precedes reports whether u precedes v in the order of vertices; None comes last.
func (g *Graph) Precedes(u, v uint32) bool {
	if g.Order == nil || v == None {
		return u < v
	}
	return g.Order.Precedes(g.FirstOf(u), g.FirstOf(v))
}

// earlier reports whether, of two merges of u with equal gains, the merge with v is
// preferred to the merge with w.
func (g *Graph) earlier(t *MergeOptions, u, v, w uint32) bool {
	if t.HashTies {
		own := g.tieHash(u)
		if a, b := arithmetic.Mix(own^g.tieHash(v)), arithmetic.Mix(own^g.tieHash(w)); a != b {
			return a > b
		}
	}
	return g.Precedes(v, w)
}

// tieHash returns the hash of vertex u, from which the hash of an edge is computed.
func (g *Graph) tieHash(u uint32) uint32 {
	if g.Order == nil {
		return arithmetic.Mix(u)
	}
	return hashOfKey(g.Order.Key(g.FirstOf(u)))
}

// hashOfKey returns the hash of an original vertex from its key: a hash of its cell.
func hashOfKey(key uint64) uint32 {
	place := neighbor.CellOf(key)
	return arithmetic.Mix(arithmetic.Mix(uint32(place)) ^ uint32(place>>32))
}

// bestOfBlock fills c for the vertices in [lo, hi) from the edges stored there,
// and appends proposals for vertices of later blocks to spill.
func (g *Graph) bestOfBlock(lo, hi int, t MergeOptions, c *Choice, spill []proposal) []proposal {
	best, neighbor := c.Gain[:hi], c.Neighbor[:hi]
	for u := lo; u < hi; u++ {
		best[u], neighbor[u] = t.MinGain, None
	}
	var gains []float32
	for u := lo; u < hi; u++ {
		head := g.Head[g.Start[u]:g.End[u]]
		gains = arrays.Resized(gains, len(head))
		g.gains(uint32(u), gains, &t)
		top, choice := best[u], neighbor[u]
		for i, gain := range gains {
			v := head[i]
			if gain <= t.MinGain || g.Size[u]+g.Size[v] > t.MaxSize {
				continue
			}
			if gain > top || gain == top && g.earlier(&t, uint32(u), v, choice) {
				top, choice = gain, v
			}
			if int(v) >= hi {
				spill = append(spill, proposal{v, uint32(u), gain})
			} else if gain > best[v] || gain == best[v] && g.earlier(&t, v, uint32(u), neighbor[v]) {
				best[v], neighbor[v] = gain, uint32(u)
			}
		}
		best[u], neighbor[u] = top, choice
	}
	return spill
}

// gains sets gain to the decreases of the energy by merging u with the vertices of its row, as the options
// change them; −∞ for merges that they do not allow. In normalized gains of 7 columns without weights (an
// embedding of 4 columns and the position) the factor of Loss is cancelled, not multiplied and divided again.
func (g *Graph) gains(u uint32, gain []float32, t *MergeOptions) {
	from := g.Start[u]
	a := g.Size[u]
	weight := g.Weight[from:][:len(gain)]
	head := g.Head[from:][:len(gain)]
	cancelled := t.Normalized && g.Dim == 7 && g.Weighted == 0
	for i, v := range head {
		b, price := g.Size[v], g.Scale*weight[i]
		switch {
		case t.Small > 0 && a >= t.Small && b >= t.Small:
			gain[i] = float32(math.Inf(-1))
		case cancelled:
			gain[i] = price*((a+b)/(a*b)) - squaredDistance(g.mean(u), g.mean(v))
		case t.Normalized:
			gain[i] = (price - g.Loss(u, v)) * ((a + b) / (a * b))
		default:
			gain[i] = price - g.Loss(u, v)
			if gain[i] < 0 && a < t.Small && b < t.Small && a+b >= t.Small {
				gain[i] *= smallPairFactor
			}
		}
	}
}
