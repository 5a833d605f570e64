package boundary

import (
	"math"

	"superpoint/partition/reduced"
)

// components holds the size and mean of every component.
type components struct {
	size []float64
	mean []float64 // components × Dim
}

func newComponents(part *reduced.Graph) components {
	c := components{size: make([]float64, len(part.Size)), mean: make([]float64, len(part.Mean))}
	for i, x := range part.Size {
		c.size[i] = float64(x)
	}
	for i, x := range part.Mean {
		c.mean[i] = float64(x)
	}
	return c
}

// rows returns u's mean and that of component id.
func (c *components) rows(g *reduced.Graph, u, id uint32) (y []float32, mean []float64) {
	d := g.Dim
	return g.Mean[int(u)*d : int(u+1)*d], c.mean[int(id)*d : int(id+1)*d]
}

// take moves u's vertices from one component to another.
func (c *components) take(g *reduced.Graph, u, from, to uint32) {
	n := float64(g.Size[u])
	if rest := c.size[from] - n; rest > 0 {
		y, mean := c.rows(g, u, from)
		for k, v := range y {
			mean[k] -= (float64(v) - mean[k]) * n / rest
		}
	}
	c.size[from] -= n
	c.size[to] += n
	y, mean := c.rows(g, u, to)
	for k, v := range y {
		mean[k] += (float64(v) - mean[k]) * n / c.size[to]
	}
}

// leave returns by how much the fidelity term falls when u leaves id.
func (c *components) leave(g *reduced.Graph, u, id uint32) float64 {
	n, all := float64(g.Size[u]), c.size[id]
	rest := all - n
	if rest <= 0 {
		return 0
	}
	y, mean := c.rows(g, u, id)
	s := g.Sphere
	fall := all * n / rest * squaredDistance(y[s:], mean[s:])
	if s > 0 {
		before, after := norms(y[:s], mean[:s], all, -n)
		fall += 2 * (after - before + n*norm(y[:s]))
	}
	return fall
}

// enter returns by how much the fidelity term rises when u enters id.
func (c *components) enter(g *reduced.Graph, u, id uint32) float64 {
	n, all := float64(g.Size[u]), c.size[id]
	y, mean := c.rows(g, u, id)
	s := g.Sphere
	rise := all * n / (all + n) * squaredDistance(y[s:], mean[s:])
	if s > 0 {
		before, after := norms(y[:s], mean[:s], all, n)
		rise += 2 * (before - after + n*norm(y[:s]))
	}
	return rise
}

// norms returns the norm of all·mean, and that of all·mean + n·y.
func norms(y []float32, mean []float64, all, n float64) (before, after float64) {
	for k, v := range y {
		a := all * mean[k]
		b := a + n*float64(v)
		before += a * a
		after += b * b
	}
	return math.Sqrt(before), math.Sqrt(after)
}

func norm(y []float32) float64 {
	var s float64
	for _, v := range y {
		s += float64(v) * float64(v)
	}
	return math.Sqrt(s)
}

func squaredDistance(y []float32, mean []float64) float64 {
	mean = mean[:len(y)]
	var s float64
	for k, v := range y {
		d := float64(v) - mean[k]
		s += d * d
	}
	return s
}
