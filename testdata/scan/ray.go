// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"math"

	"superpoint/testdata/scenes"
)

// ray is origin + t·along for t in (from, hit.t).
type ray struct {
	origin, along, inverse [3]float32
	from                   float32
}

func newRay(origin, along [3]float32, from float32) ray {
	r := ray{origin: origin, along: along, from: from}
	for k := range 3 {
		r.inverse[k] = 1 / along[k]
	}
	return r
}

// hit is the nearest crossing found so far.
type hit struct {
	t        float32
	item     int32 // −1 for none
	triangle int32
}

// enters returns where the ray enters a box, if it does before limit. It asks
// for the sign of the direction rather than for the order of the two planes:
// rays of one sweep answer alike.
func (r *ray) enters(b *box, limit float32) (float32, bool) {
	near, far := r.from, limit
	for k := range 3 {
		in, out := (b.min[k]-r.origin[k])*r.inverse[k], (b.max[k]-r.origin[k])*r.inverse[k]
		if r.inverse[k] < 0 {
			in, out = out, in
		}
		if in > near {
			near = in
		}
		if out < far {
			far = out
		}
		if near > far {
			return near, false
		}
	}
	return near, true
}

// edges is a corner and the two sides from it: of a triangle, where most is 1,
// or of the parallelogram that they span, where it is 2.
type edges struct {
	corner, u, v [3]float32
	most         float32
}

// solid is a mesh with its hierarchy.
type solid struct {
	nodes     []node
	triangles []edges
	of        []uint16
	parts     []scenes.Part
}

func newSolid(m *scenes.Mesh) *solid {
	var list []edges
	var of []uint16
	var boxes []box
	for i := 0; i < len(m.Triangles); i++ {
		t := &m.Triangles[i]
		e := edges{t[0], sub(t[1], t[0]), sub(t[2], t[0]), 1}
		if i+1 < len(m.Triangles) && m.Of[i+1] == m.Of[i] && parallelogram(t, &m.Triangles[i+1]) {
			e.v, e.most = sub(m.Triangles[i+1][2], t[0]), 2
			i++
		}
		b := box{t[0], t[0]}
		b.add(t[1])
		b.add(t[2])
		b.add(add(t[0], e.v))
		list, of, boxes = append(list, e), append(of, m.Of[i]), append(boxes, b)
	}
	nodes, order := grow(boxes, 2)
	s := &solid{nodes: nodes, parts: m.Parts, triangles: make([]edges, len(order)),
		of: make([]uint16, len(order))}
	for k, i := range order {
		s.triangles[k], s.of[k] = list[i], of[i]
	}
	return s
}

// parallelogram reports that two triangles p, q, r and p, r, s are the halves of
// one, to a tenth of a millimetre: leaves, walls and boards are.
func parallelogram(a, b *[3][3]float32) bool {
	if a[0] != b[0] || a[2] != b[1] {
		return false
	}
	for k := range 3 {
		if d := a[0][k] + a[2][k] - a[1][k] - b[2][k]; d > 1e-4 || d < -1e-4 {
			return false
		}
	}
	return true
}

func add(a, b [3]float32) [3]float32 { return [3]float32{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func sub(a, b [3]float32) [3]float32 { return [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func dot(a, b [3]float32) float32 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func cross(a, b [3]float32) [3]float32 {
	return [3]float32{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// trace finds the first triangle before h.t and notes it as part of item.
func (s *solid) trace(r *ray, item int32, h *hit) {
	walk(s.nodes, r, h, false, func(first, count int32) {
		for k := first; k < first+count; k++ {
			if t, ok := s.triangles[k].crossed(r, h.t); ok {
				h.t, h.item, h.triangle = t, item, k
			}
		}
	})
}

// crossed tests one triangle or parallelogram (Möller and Trumbore 1997,
// doi:10.1080/10867651.1997.10487468).
func (e *edges) crossed(r *ray, limit float32) (float32, bool) {
	p := cross(r.along, e.v)
	det := dot(e.u, p)
	if det == 0 {
		return 0, false
	}
	inv := 1 / det
	s := sub(r.origin, e.corner)
	a := dot(s, p) * inv
	if a < 0 || a > 1 {
		return 0, false
	}
	q := cross(s, e.u)
	b := dot(r.along, q) * inv
	if b < 0 || b > 1 || a+b > e.most {
		return 0, false
	}
	t := dot(e.v, q) * inv
	return t, t > r.from && t < limit
}

// ellipse sends the pulses of every line that are aimed at a rectangle by a
// mirror that turns the beam on a cone: circles on the ground, the next one b
// metres ahead, so that every place is seen looking forwards and backwards.
func (s *survey) ellipse(r *receiver, x0, x1, y0, y1 float64) {
	radius := altitude * math.Tan(halfSwath)
	pulses := math.Ceil(2 * math.Pi * radius / s.a)
	for line := int(math.Ceil((x0 - radius - lineFirst) / lineApart)); ; line++ {
		axis := lineFirst + float64(line)*lineApart
		if axis-radius >= x1 {
			return
		}
		for turn := int(math.Floor((y0-radius)/s.b)) - 1; float64(turn)*s.b < y1+radius; turn++ {
			for quarter := range 4 {
				lo, hi := quarterOf(quarter, (x0-axis)/radius, (x1-axis)/radius,
					(y0-float64(turn+1)*s.b)/radius, (y1-float64(turn)*s.b)/radius)
				for p := int(lo/(2*math.Pi)*pulses) - 1; float64(p) <= hi/(2*math.Pi)*pulses+1; p++ {
					phi := 2 * math.Pi * float64(p) / pulses
					if p < 0 || phi >= 2*math.Pi || int(phi/(math.Pi/2)) != quarter {
						continue
					}
					sin, cos := math.Sincos(phi)
					x, y := axis+radius*cos, (float64(turn)+float64(p)/pulses)*s.b+radius*sin
					if x >= x0 && x < x1 && y >= y0 && y < y1 {
						s.sendOnCone(r, line, turn, p, x, y, phi)
					}
				}
			}
		}
	}
}

// quarterOf returns the angles of a quarter of the unit circle whose cosine is
// in [x0, x1] and whose sine is in [y0, y1], or nothing: hi < lo.
func quarterOf(quarter int, x0, x1, y0, y1 float64) (lo, hi float64) {
	lo, hi = float64(quarter)*math.Pi/2, float64(quarter+1)*math.Pi/2
	limit := func(from, to float64) {
		lo, hi = math.Max(lo, math.Min(from, to)),
			math.Min(hi, math.Max(from, to))
	}
	clamped := func(v float64) float64 { return math.Max(-1, math.Min(1, v)) }
	if x0 > 1 || x1 < -1 || y0 > 1 || y1 < -1 {
		return 1, -1
	}
	a, b := math.Acos(clamped(x0)), math.Acos(clamped(x1))
	c, d := math.Asin(clamped(y0)), math.Asin(clamped(y1))
	if quarter >= 2 {
		a, b = 2*math.Pi-a, 2*math.Pi-b
	}
	switch quarter {
	case 1, 2:
		c, d = math.Pi-c, math.Pi-d
	case 3:
		c, d = 2*math.Pi+c, 2*math.Pi+d
	}
	limit(a, b)
	limit(c, d)
	return lo, hi
}

// sendOnCone fires one pulse at a place of height 0.
func (s *survey) sendOnCone(r *receiver, line, turn, p int, x, y, phi float64) {
	random := scenes.Random(scenes.Hash(s.Seed^uint64(line)<<40, uint64(int64(turn)), uint64(p)))
	x += .1 * s.a * random.Normal() * s.Noise
	y += .1*s.a*random.Normal()*s.Noise + .5*s.b*scenes.Noise(s.Seed+uint64(line), float64(turn)*s.b/40, 0)
	slope := [2]float64{math.Tan(halfSwath) * math.Cos(phi), math.Tan(halfSwath) * math.Sin(phi)}
	s.shootDown(r, &random, x, y, slope, line, halfSwath,
		float64(line)*3600+float64(turn)*s.b/60+float64(p)/pulseRate)
}
