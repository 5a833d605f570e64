package train

import (
	"math"
	"math/rand/v2"
	"slices"

	"superpoint/partition/base/arrays"
)

// change makes the second time that a file is drawn another scan of the same things,
// the same one in every run.
func (c *Columns) change(how *Group) {
	rng := rand.New(rand.NewPCG(uint64(len(c.X)), 7))
	switch {
	case how.Lines:
		c.stripes(how.Thin, rng)
	case how.Thin > 1:
		c.keep(func(int) bool { return rng.Float64() < 1/how.Thin })
	}
	if how.Tilt > 0 {
		c.lean(how.Tilt*math.Pi/180*(2*rng.Float64()-1), 2*math.Pi*rng.Float64())
	}
}

// stripes leaves one of so many lines as wide as points seen from above lie apart,
// across some horizontal direction: scan lines far apart.
func (c *Columns) stripes(one float64, rng *rand.Rand) {
	if len(c.X) == 0 {
		return
	}
	area := (slices.Max(c.X) - slices.Min(c.X)) * (slices.Max(c.Y) - slices.Min(c.Y))
	width := math.Sqrt(area / float64(len(c.X)))
	if width == 0 {
		return
	}
	sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
	c.keep(func(i int) bool {
		line := ((c.X[i]-c.X[0])*cos + (c.Y[i]-c.Y[0])*sin) / (width * one)
		return line-math.Floor(line) < 1/one
	})
}

// lean turns the cloud by an angle about a horizontal axis of some direction.
func (c *Columns) lean(angle, direction float64) {
	sin, cos := math.Sincos(angle)
	east, north := math.Sincos(direction)
	for i := range c.X {
		x, y, z := c.X[i]-c.X[0], c.Y[i]-c.Y[0], c.Z[i]-c.Z[0]
		along, across := x*east+y*north, y*east-x*north
		across, z = cos*across-sin*z, sin*across+cos*z
		if i > 0 {
			c.X[i], c.Y[i], c.Z[i] = c.X[0]+along*east-across*north, c.Y[0]+along*north+across*east, c.Z[0]+z
		}
	}
}

// keep leaves the given points.
func (c *Columns) keep(which func(i int) bool) {
	var kept []int
	for i := range c.X {
		if which(i) {
			kept = append(kept, i)
		}
	}
	c.X, c.Y, c.Z = arrays.Gather(c.X, kept), arrays.Gather(c.Y, kept), arrays.Gather(c.Z, kept)
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
		l.clouds, l.chance = append(l.clouds, t), append(l.chance, sum)
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
