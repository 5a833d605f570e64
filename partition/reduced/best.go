package reduced

import (
	"math"

	"superpoint/partition/parallel"
)

// None stands for no neighbour.
const None = math.MaxUint32

// block is the number of vertices whose rows one worker takes at a time. An
// edge inside a block is handled there; the few that leave it are handled
// afterwards in the order of the blocks.
const block = 1 << 15

// Choice is each component's best merge: the neighbour with the largest gain,
// the smaller one of equals. The order of edges by gain and then by vertices is
// total, so following choices never leads round a cycle longer than 2.
type Choice struct {
	Gain     []float32
	Neighbor []uint32 // None where no gain exceeds the one asked for
	spill    [][]proposal
}

type proposal struct {
	to, from uint32
	gain     float32
}

// Best fills c with each component's best merge among those with a gain above
// least. The gain of merging u and v is their edge's weight less Loss(u, v).
func (g *Graph) Best(run parallel.Run, least float32, c *Choice) error {
	n := g.Vertices()
	c.reset(n)
	err := run.For(n, block, func(lo, hi int) {
		c.spill[lo/block] = g.bestOfBlock(lo, hi, least, c, c.spill[lo/block][:0])
	})
	for _, list := range c.spill {
		for _, p := range list {
			c.offer(p.to, p.from, p.gain)
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

func (c *Choice) offer(to, from uint32, gain float32) {
	if gain > c.Gain[to] || gain == c.Gain[to] && from < c.Neighbor[to] {
		c.Gain[to], c.Neighbor[to] = gain, from
	}
}

// bestOfBlock fills c for the vertices in [lo, hi) from the edges stored there,
// and adds to spill what concerns vertices of later blocks. An edge whose
// weight alone is below the best gain of both its ends is passed over.
func (g *Graph) bestOfBlock(lo, hi int, least float32, c *Choice, spill []proposal) []proposal {
	gains, neighbors := c.Gain[:hi], c.Neighbor[:hi]
	for u := lo; u < hi; u++ {
		gains[u], neighbors[u] = least, None
	}
	fast := g.Dim == 7 && g.Sphere == 0
	for u := lo; u < hi; u++ {
		best, neighbor := gains[u], neighbors[u]
		head := g.Head[g.Start[u]:g.End[u]]
		weight := g.Weight[g.Start[u]:g.End[u]]
		for i, v := range head[:len(weight)] {
			w := g.Scale * weight[i]
			inside := int(v) < hi
			if w <= least || w < best && inside && w < gains[v] {
				continue
			}
			var gain float32
			if fast {
				gain = w - g.loss7(uint32(u), v)
			} else {
				gain = w - g.Loss(uint32(u), v)
			}
			if gain <= least {
				continue
			}
			if gain > best || gain == best && v < neighbor {
				best, neighbor = gain, v
			}
			if !inside {
				spill = append(spill, proposal{v, uint32(u), gain})
			} else if gain > gains[v] || gain == gains[v] && uint32(u) < neighbors[v] {
				gains[v], neighbors[v] = gain, uint32(u)
			}
		}
		gains[u], neighbors[u] = best, neighbor
	}
	return spill
}
