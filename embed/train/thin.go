// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math/rand/v2"
	"slices"

	"superpoint/partition/base/arrays"
)

// thin keeps a share of 1/one of the points, the same points in every run.
func (c *Columns) thin(one float64) {
	rng := rand.New(rand.NewPCG(uint64(len(c.X)), 7))
	var kept []int
	for i := range c.X {
		if rng.Float64() < 1/one {
			kept = append(kept, i)
		}
	}
	c.X = arrays.Gather(c.X, kept)
	c.Y = arrays.Gather(c.Y, kept)
	c.Z = arrays.Gather(c.Z, kept)
	dimensions := make(map[string][]float64, len(c.Dimensions))
	for name, values := range c.Dimensions {
		dimensions[name] = arrays.Gather(values, kept)
	}
	c.Dimensions = dimensions
}

// loader holds the files to draw from.
type loader struct {
	clouds []*labelled
	chance []float64 // cumulative, per cloud
}

// newLoader shares the batches out: to the groups by their shares, and within a
// group to the files by their points. Files of no group form one of share 1.
func newLoader(r *Recipe, clouds []*labelled) *loader {
	points := map[int]float64{}
	for _, t := range clouds {
		points[t.group] += float64(t.cloud.Len())
	}
	l := &loader{}
	sum := 0.0
	for _, t := range clouds {
		share := 1.0
		if t.group >= 0 {
			share = r.Groups[t.group].Share
		}
		if share == 0 {
			continue
		}
		sum += share * float64(t.cloud.Len()) / points[t.group]
		l.clouds = append(l.clouds, t)
		l.chance = append(l.chance, sum)
	}
	return l
}

// draw picks a file.
func (l *loader) draw(rng *rand.Rand) *labelled {
	x := rng.Float64() * l.chance[len(l.chance)-1]
	i, _ := slices.BinarySearch(l.chance, x)
	return l.clouds[min(i, len(l.clouds)-1)]
}

// grower grows subgraphs. It keeps its memory from call to call.
type grower struct {
	queue []uint32
	seen  []uint64 // one bit per point
}

// grow returns count points of a cloud in ascending order: those found first by
// a breadth-first search along the k nearest neighbours, or the edges of a graph that
// has others, too, from a random point, going on from another random point where the
// search ends. All points, if the cloud has no more.
func (g *grower) grow(t *labelled, k, count int, rng *rand.Rand) []uint32 {
	n := t.cloud.Len()
	g.queue = g.queue[:0]
	if count >= n {
		for i := range n {
			g.queue = append(g.queue, uint32(i))
		}
		return g.queue
	}
	if words := (n + 63) / 64; len(g.seen) < words {
		g.seen = make([]uint64, words)
	}
	visit := func(i uint32) {
		if g.seen[i/64]>>(i%64)&1 == 0 {
			g.seen[i/64] |= 1 << (i % 64)
			g.queue = append(g.queue, i)
		}
	}
	for at := 0; len(g.queue) < count; at++ {
		for at == len(g.queue) {
			visit(uint32(rng.IntN(n)))
		}
		for _, j := range t.next(g.queue[at], k) {
			if len(g.queue) < count {
				visit(j)
			}
		}
	}
	for _, i := range g.queue {
		g.seen[i/64] = 0
	}
	slices.Sort(g.queue)
	return g.queue
}
