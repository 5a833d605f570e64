// SPDX-License-Identifier: BSD-3-Clause

package reduced

import (
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/arrays"
)

// Components has the sizes and means of components, as arrays.
type Components struct {
	Dim      int
	Weighted int       // trailing columns whose means are weighted by Mass; other means are weighted by Size
	Mean     []float32 // components × Dim
	Size     []float32 // original vertices in each; exact to 2^24
	Mass     []float32 // sum of their weights, see problem.Problem; exact to 2^20; nil if Weighted is 0
}

// Vertices returns the number of components.
func (c *Components) Vertices() int { return len(c.Size) }

// New returns n components with the columns of c, all of size 0.
func (c *Components) New(n int) Components {
	out := Components{Dim: c.Dim, Weighted: c.Weighted}
	out.Resize(n)
	return out
}

// Resize sets the number of components; their values are arbitrary.
func (c *Components) Resize(n int) {
	c.Mean = arrays.Resized(c.Mean, n*c.Dim)
	c.Size = arrays.Resized(c.Size, n)
	if c.Weighted > 0 {
		c.Mass = arrays.Resized(c.Mass, n)
	}
}

// mean returns the mean of component u.
func (c *Components) mean(u uint32) []float32 {
	i := int(u) * c.Dim
	return c.Mean[i : i+c.Dim : i+c.Dim]
}

// plain returns the number of columns whose means are weighted by Size.
func (c *Components) plain() int { return c.Dim - c.Weighted }

// SumWidth returns the length of the sums of AddTo.
func (c *Components) SumWidth() int { return c.Dim + 2 }

// AddTo adds component u to sums of columns, size and mass.
func (c *Components) AddTo(sum []float64, u uint32) {
	p := c.plain()
	n := float64(c.Size[u])
	row := c.mean(u)
	for k, y := range row[:p] {
		sum[k] += n * float64(y)
	}
	sum[c.Dim] += n
	if c.Weighted == 0 {
		return
	}
	m := float64(c.Mass[u])
	for k, y := range row[p:] {
		sum[p+k] += m * float64(y)
	}
	sum[c.Dim+1] += m
}

// Cost is Distance times the size of u.
func (c *Components) Cost(u uint32, f []float64) float64 {
	return float64(c.Size[u]) * c.Distance(u, f)
}

// Fit sets f to the optimal value of the vertices of sum: their mean. f may be the beginning of sum.
func (c *Components) Fit(f, sum []float64) {
	p := c.plain()
	for k, x := range sum[:p] {
		f[k] = x / sum[c.Dim]
	}
	for k, x := range sum[p:c.Dim] {
		f[p+k] = x / sum[c.Dim+1]
	}
}

// Distance returns the fidelity term of a vertex of component u if its values are the mean of u
// and f is the value of its component; times the size of u, it is the fidelity term of u
// without the part within u.
func (c *Components) Distance(u uint32, f []float64) float64 {
	row := c.mean(u)
	p := c.plain()
	d := arithmetic.SquaredDistance(row[:p], f)
	if c.Weighted > 0 {
		d += float64(c.Mass[u]) / float64(c.Size[u]) * arithmetic.SquaredDistance(row[p:], f[p:])
	}
	return d
}

// Distances returns Distance for two values.
func (c *Components) Distances(u uint32, f, g []float64) (toF, toG float64) {
	row := c.mean(u)
	p := c.plain()
	toF, toG = arithmetic.SquaredDistances(row[:p], f, g)
	if c.Weighted > 0 {
		mass := float64(c.Mass[u]) / float64(c.Size[u])
		a, b := arithmetic.SquaredDistances(row[p:], f[p:], g[p:])
		toF, toG = toF+mass*a, toG+mass*b
	}
	return toF, toG
}

// Copy sets component a to component b of o.
func (c *Components) Copy(a uint32, o *Components, b uint32) {
	c.Size[a] = o.Size[b]
	if c.Weighted > 0 {
		c.Mass[a] = o.Mass[b]
	}
	copy(c.mean(a), o.mean(b))
}

// CopyRange copies the components in [lo, hi) from o.
func (c *Components) CopyRange(o *Components, lo, hi int) {
	copy(c.Size[lo:hi], o.Size[lo:hi])
	copy(c.Mean[lo*c.Dim:hi*c.Dim], o.Mean[lo*c.Dim:hi*c.Dim])
	if c.Weighted > 0 {
		copy(c.Mass[lo:hi], o.Mass[lo:hi])
	}
}

// Unite replaces the size and mean of component a by the size and mean of its union with
// component b of o. The expression of the mean is symmetric, so uniting b with a gives the
// same bits.
func (c *Components) Unite(a uint32, o *Components, b uint32) {
	x := c.mean(a)
	y := o.mean(b)
	p := c.plain()
	m, n := c.Size[a], o.Size[b]
	c.Size[a] = m + n
	inverse := 1 / (m + n)
	for k, v := range y[:len(x)] {
		if k == p {
			m, n = c.Mass[a], o.Mass[b]
			c.Mass[a] = m + n
			inverse = 1 / (m + n)
		}
		x[k] = (float32(m*x[k]) + float32(n*v)) * inverse
	}
}

// Absorb is Unite for a component b of the same arrays, with another rounding.
func (c *Components) Absorb(a, b uint32) {
	x := c.mean(a)
	y := c.mean(b)
	p := c.plain()
	absorb(x[:p], y[:p], &c.Size[a], c.Size[b])
	if c.Weighted > 0 {
		absorb(x[p:], y[p:], &c.Mass[a], c.Mass[b])
	}
}

func absorb(x, y []float32, m *float32, n float32) {
	*m += n
	part := n / *m
	for k, v := range y[:len(x)] {
		x[k] += (v - x[k]) * part
	}
}

// add adds component u of o to the sums of component a.
func (c *Components) add(a uint32, o *Components, u uint32) {
	x := c.mean(a)
	y := o.mean(u)
	p := c.plain()
	addTo(x[:p], y[:p], &c.Size[a], o.Size[u])
	if c.Weighted > 0 {
		addTo(x[p:], y[p:], &c.Mass[a], o.Mass[u])
	}
}

func addTo(sum, y []float32, m *float32, n float32) {
	*m += n
	for k, v := range y[:len(sum)] {
		sum[k] += n * v
	}
}

// divide replaces the sums of component a by its mean.
func (c *Components) divide(a uint32) {
	x := c.mean(a)
	p := c.plain()
	scale(x[:p], 1/c.Size[a])
	if c.Weighted > 0 {
		scale(x[p:], 1/c.Mass[a])
	}
}

func scale(x []float32, by float32) {
	for k := range x {
		x[k] *= by
	}
}
