package reduced

import (
	"math"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// None stands for no neighbour.
const None = math.MaxUint32

// block is the number of vertices whose rows one worker takes at a time. An
// edge inside a block is handled there; the few that leave it are handled
// afterwards in the order of the blocks.
const block = 1 << 13

// Choice is each component's best merge: the neighbour with the largest gain,
// the first one of equals (see Terms.Shuffle). The order of edges by gain, and then
// by lots and vertices, is total, so following choices never leads round a cycle
// longer than 2.
type Choice struct {
	Gain     []float32
	Neighbor []uint32 // None where no gain exceeds the one asked for
	spill    [][]proposal
}

// rowsAtOnce is the number of rows whose gains are computed at a time.
const rowsAtOnce = 256

type proposal struct {
	to, from uint32
	gain     float32
}

// Terms say which merges are looked for.
type Terms struct {
	Least float32 // only gains above it
	Most  float32 // original vertices of the union, at most
	Small float32 // if above 0, only merges with a component of fewer original vertices
	Even  bool    // gains are divided by n_u n_v/(n_u+n_v), so that large components are not preferred

	// Between equals decides a lot of the edge, the same from both ends, and then the
	// order of vertices: so many choose each other where many gains are equal.
	Shuffle bool
}

// favour is the factor on the price of a merge of two components that are too
// small into one that is not: it mends two at once. It was chosen on val: 0.1 to
// 0.3 give energies within 0.3 % of each other, 1 gives 3 % more.
const favour = .2

// Best fills c with each component's best merge among those with a gain above
// least. The gain of merging u and v is their edge's weight less Loss(u, v).
func (g *Graph) Best(run parallel.Run, least float32, c *Choice) error {
	return g.BestOn(run, Terms{Least: least, Most: math.MaxFloat32}, c)
}

// BestOn is Best among the merges that the terms allow. Where components below
// Small are looked for, the choices of others mean nothing, and what costs
// energy costs a fifth of it where two of them become one that is not small.
func (g *Graph) BestOn(run parallel.Run, t Terms, c *Choice) error {
	n := g.Vertices()
	c.reset(n)
	err := run.For(n, block, func(lo, hi int) {
		c.spill[lo/block] = g.bestOfBlock(lo, hi, t, c, c.spill[lo/block][:0])
	})
	for _, list := range c.spill {
		for _, p := range list {
			if p.gain > c.Gain[p.to] || p.gain == c.Gain[p.to] && g.earlier(t, p.to, p.from, c.Neighbor[p.to]) {
				c.Gain[p.to], c.Neighbor[p.to] = p.gain, p.from
			}
		}
	}
	return err
}

func (c *Choice) reset(n int) {
	if cap(c.Gain) < n {
		c.Gain, c.Neighbor = make([]float32, n), make([]uint32, n)
	}
	c.Gain, c.Neighbor = c.Gain[:n], c.Neighbor[:n]
	blocks := (n + block - 1) / block
	for len(c.spill) < blocks {
		c.spill = append(c.spill, nil)
	}
	c.spill = c.spill[:blocks]
}

// Precedes reports whether u comes before v among equals; None comes last.
func (g *Graph) Precedes(u, v uint32) bool {
	if g.Before == nil || v == None {
		return u < v
	}
	return g.Before(g.FirstOf(u), g.FirstOf(v))
}

// earlier reports whether of two merges of u with equal gains the one with v comes
// before that with w.
func (g *Graph) earlier(t Terms, u, v, w uint32) bool {
	if t.Shuffle {
		own := g.lot(u)
		if a, b := mix(own^g.lot(v)), mix(own^g.lot(w)); a != b {
			return a > b
		}
	}
	return g.Precedes(v, w)
}

// lot returns a number of u that looks as if it were drawn.
func (g *Graph) lot(u uint32) uint32 {
	if g.Before == nil {
		return mix(u)
	}
	return Lot(g.Key[g.FirstOf(u)])
}

// mix is a bijection of numbers that leaves no pattern (Wellons 2018, lowbias32,
// https://nullprogram.com/blog/2018/07/31/).
func mix(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

// Lot returns the lot of an original vertex from its key: that of the cell where it lies.
func Lot(key uint64) uint32 {
	place := neighbor.Place(key)
	return mix(mix(uint32(place)) ^ uint32(place>>32))
}

// bestOfBlock fills c for the vertices in [lo, hi) from the edges stored there,
// and adds to spill what concerns vertices of later blocks.
func (g *Graph) bestOfBlock(lo, hi int, t Terms, c *Choice, spill []proposal) []proposal {
	best, neighbor := c.Gain[:hi], c.Neighbor[:hi]
	for u := lo; u < hi; u++ {
		best[u], neighbor[u] = t.Least, None
	}
	var all []float32
	at := 0
	for u := lo; u < hi; u++ {
		if (u-lo)%rowsAtOnce == 0 {
			all, at = g.gains(u, min(u+rowsAtOnce, hi), t.Even, all), 0
		}
		head := g.Head[g.Start[u]:g.End[u]]
		gains := all[at : at+len(head)]
		at += len(head)
		if t.Small > 0 {
			g.favourSmall(uint32(u), head, gains, t.Small)
		}
		top, choice := best[u], neighbor[u]
		for i, v := range head {
			gain := gains[i]
			if gain <= t.Least || g.Size[u]+g.Size[v] > t.Most {
				continue
			}
			if gain > top || gain == top && g.earlier(t, uint32(u), v, choice) {
				top, choice = gain, v
			}
			if int(v) >= hi {
				spill = append(spill, proposal{v, uint32(u), gain})
			} else if gain > best[v] || gain == best[v] && g.earlier(t, v, uint32(u), neighbor[v]) {
				best[v], neighbor[v] = gain, uint32(u)
			}
		}
		best[u], neighbor[u] = top, choice
	}
	return spill
}

// favourSmall makes the gains of u's row those of the choice of small
// components.
func (g *Graph) favourSmall(u uint32, head []uint32, gains []float32, small float32) {
	a := g.Size[u]
	for i, v := range head {
		b := g.Size[v]
		switch {
		case a >= small && b >= small:
			gains[i] = float32(math.Inf(-1))
		case a < small && b < small && a+b >= small && gains[i] < 0:
			gains[i] *= favour
		}
	}
}
