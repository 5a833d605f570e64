package boundary

import (
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
	if all <= n {
		return 0
	}
	y, mean := c.rows(g, u, id)
	return reduced.Fall(g.Sphere, y, mean, n, all)
}

// enter returns by how much the fidelity term rises when u enters id.
func (c *components) enter(g *reduced.Graph, u, id uint32) float64 {
	n, all := float64(g.Size[u]), c.size[id]
	y, mean := c.rows(g, u, id)
	return reduced.Rise(g.Sphere, y, mean, n, all)
}
