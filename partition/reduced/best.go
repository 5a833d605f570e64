package reduced

import (
	"math"

	"superpoint/partition/arrays"
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
	var gains []float32
	for u := lo; u < hi; u++ {
		head := g.Head[g.Start[u]:g.End[u]]
		gains = g.gains(uint32(u), head, arrays.Resized(gains, len(head)), t.Even)
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

// gains returns the gain of merging u with each of the heads in its row, divided
// by n_u n_v/(n_u+n_v) if even.
func (g *Graph) gains(u uint32, head []uint32, out []float32, even bool) []float32 {
	weight := g.Weight[g.Start[u]:g.End[u]][:len(out)]
	switch {
	case g.Dim == 7 && g.Sphere == 0 && even:
		g.even7(u, head, weight, out)
		return out
	case g.Dim == 7 && g.Sphere == 0:
		g.gains7(u, head, weight, out)
		return out
	}
	for i, v := range head {
		out[i] = g.Scale*weight[i] - g.Loss(u, v)
		if even {
			a, b := g.Size[u], g.Size[v]
			out[i] *= (a + b) / (a * b)
		}
	}
	return out
}

// gains7 is gains for 7 columns off the sphere: the learned embedding's 4 and
// the position. Its sums are in the order of squaredDistance.
func (g *Graph) gains7(u uint32, head []uint32, weight, out []float32) {
	size, scale := g.Size, g.Scale
	a := size[u]
	g.distances7(u, head, out)
	for i, v := range head {
		b := size[v]
		out[i] = scale*weight[i] - a*b/(a+b)*out[i]
	}
}

// even7 is gains7 for even gains.
func (g *Graph) even7(u uint32, head []uint32, weight, out []float32) {
	size, scale := g.Size, g.Scale
	a := size[u]
	g.distances7(u, head, out)
	for i, v := range head {
		b := size[v]
		out[i] = scale*weight[i]*((a+b)/(a*b)) - out[i]
	}
}

// distances7 returns the squared distance of u's mean to those of the heads.
func (g *Graph) distances7(u uint32, head []uint32, out []float32) {
	mean := g.Mean
	x := (*[7]float32)(mean[int(u)*7:])
	x0, x1, x2, x3, x4, x5, x6 := x[0], x[1], x[2], x[3], x[4], x[5], x[6]
	out = out[:len(head)]
	for i, v := range head {
		y := (*[7]float32)(mean[int(v)*7:])
		d0, d1, d2, d3 := x0-y[0], x1-y[1], x2-y[2], x3-y[3]
		d4, d5, d6 := x4-y[4], x5-y[5], x6-y[6]
		out[i] = ((d0*d0 + d1*d1) + (d2*d2 + d3*d3)) + ((d4*d4 + d5*d5) + d6*d6)
	}
}
