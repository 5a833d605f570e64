// SPDX-License-Identifier: BSD-3-Clause

package vccs

import (
	"math"
	"sync/atomic"

	"superpoint/partition/base/parallel"
	"superpoint/partition/rivals/supervoxel"
)

// center holds the means over the cells of a segment, the centre in D.
type center struct {
	at     [3]float32 // units
	normal [3]float32
	color  [3]float32
}

func (c *cells) center(v uint32) center {
	p := &c.at[v]
	s := center{at: [3]float32{float32(p[0]), float32(p[1]), float32(p[2])}, normal: c.normal[v]}
	if c.color != nil {
		s.color = c.color[v]
	}
	return s
}

// measure is the distance of cells to centres.
type measure struct {
	spatial float32 // μ/R a unit
	normal  float32 // ε
	color   float32 // λ
}

func newMeasure(c *cells, seed float64, o *Options) measure {
	return measure{float32(o.Spatial / seed * c.cloud.Unit), float32(o.Normal), float32(o.Color)}
}

// to returns D of a centre and a cell.
func (m *measure) to(c *cells, s *center, v uint32) float32 {
	p, n := &c.at[v], &c.normal[v]
	x := float32(p[0]) - s.at[0]
	y := float32(p[1]) - s.at[1]
	z := float32(p[2]) - s.at[2]
	dot := n[0]*s.normal[0] + n[1]*s.normal[1] + n[2]*s.normal[2]
	if dot < 0 {
		dot = -dot
	}
	d := m.spatial*sqrt(x*x+y*y+z*z) + m.normal*(1-dot)
	if m.color > 0 {
		q := &c.color[v]
		r := q[0] - s.color[0]
		g := q[1] - s.color[1]
		b := q[2] - s.color[2]
		d += m.color * sqrt(r*r+g*g+b*b)
	}
	return d
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// grow returns for every cell the index in seeds of its segment, or None if no
// segment reached it. seed and voxel are the resolutions in metres.
func (c *cells) grow(run parallel.Run, seeds []uint32, seed, voxel float64, o *Options) ([]uint32, error) {
	n := c.len()
	owner := make([]uint32, n)
	next := make([]uint32, n)
	for v := range n {
		owner[v] = supervoxel.None
	}
	centers := make([]center, len(seeds))
	for s, v := range seeds {
		owner[v] = uint32(s)
		centers[s] = c.center(v)
	}
	m := newMeasure(c, seed, o)
	rounds := int(depth*seed/voxel) - 1
	progress := run.Progress
	run = run.Quiet()
	for round := range rounds {
		var moved atomic.Bool
		err := run.For(n, block, func(lo, hi int) {
			if c.step(lo, hi, owner, next, centers, &m) {
				moved.Store(true)
			}
		})
		if err != nil {
			return nil, err
		}
		owner, next = next, owner
		if !moved.Load() {
			break
		}
		c.update(owner, centers)
		progress(float64(round+1) / float64(rounds))
	}
	return owner, nil
}

// step sets the next segment of cells lo to hi−1: the nearest among their own segment
// and their neighbours'. On ties the own segment is kept if it is among the nearest,
// otherwise the segment of lowest index is chosen. It reports whether a segment
// changed.
func (c *cells) step(lo, hi int, owner, next []uint32, centers []center, m *measure) (moved bool) {
	for v := lo; v < hi; v++ {
		own := owner[v]
		best := own
		nearest := float32(-1)
		last := own // −1: the distance to the own centre is not computed yet
		for _, u := range c.around(v) {
			s := owner[u]
			if s == last || s == own || s == supervoxel.None {
				continue
			}
			last = s
			if nearest < 0 {
				nearest = math.MaxFloat32
				if own != supervoxel.None {
					nearest = m.to(c, &centers[own], uint32(v))
				}
			}
			if d := m.to(c, &centers[s], uint32(v)); d < nearest || d == nearest && s < best && best != own {
				best, nearest = s, d
			}
		}
		next[v] = best
		moved = moved || best != own
	}
	return moved
}

// update sets centres to the means over their cells. Normals are summed with the
// sign for which their product with the centre's is not negative. Centres without
// cells are not changed; no cell refers to them.
func (c *cells) update(owner []uint32, centers []center) {
	count := make([]float64, len(centers))
	at := make([][3]int64, len(centers))
	normals := make([][3]float32, len(centers))
	colors := make([][3]float32, len(centers))
	for v, s := range owner {
		if s == supervoxel.None {
			continue
		}
		count[s]++
		n, k := c.normal[v], &centers[s].normal
		sign := float32(1)
		if n[0]*k[0]+n[1]*k[1]+n[2]*k[2] < 0 {
			sign = -1
		}
		for a := range 3 {
			at[s][a] += int64(c.at[v][a])
			normals[s][a] += sign * n[a]
		}
		if c.color != nil {
			for a := range 3 {
				colors[s][a] += c.color[v][a]
			}
		}
	}
	for s := range centers {
		if count[s] == 0 {
			continue
		}
		t := &centers[s]
		n := normals[s]
		length := sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
		for a := range 3 {
			t.at[a] = float32(float64(at[s][a]) / count[s])
			t.color[a] = colors[s][a] / float32(count[s])
			if length > 0 {
				t.normal[a] = n[a] / length
			}
		}
	}
}
