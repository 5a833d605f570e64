// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"bytes"
	"math"

	"superpoint/testdata/las"
	"superpoint/testdata/scenes"
)

// receiver computes points from the hits of pulses.
type receiver struct {
	*world
	*site
	out    *las.Points
	corner [2]float64 // world coordinates of the site's corner
}

// pulse is one shot.
type pulse struct {
	ray      ray
	random   scenes.Random
	limit    float32 // m, range
	apart    float32 // m, least distance of two returns
	most     int     // returns
	sigma    float64 // m, range noise
	rough    float64 // factor on the roughness of surfaces
	shift    [3]float64
	strength func(t float64) float64 // of the signal at a range
	least    float32                 // signal that is still detected
	// a range as it is measured, in place of sigma and rough
	measure func(t float64, r *scenes.Random) float64
	// m, range of a second surface that blurs the first return; 0 for none
	mixed    float32
	from, to [2]float64 // m, points outside this rectangle are left out
	angle    float32    // degrees
	time     float64
}

// maxReturns is the most returns of a pulse.
const maxReturns = 6

// echo is a return before it is written.
type echo struct {
	hit
	signal float32
	facing float32 // cosine of incidence
	normal [3]float32
}

// fire sends a pulse and adds its returns.
func (r *receiver) fire(p *pulse) {
	var echoes [maxReturns]echo
	n := 0
	energy := float32(1)
	last := float32(math.Inf(-1))
	ray := p.ray
	for range 2 * maxReturns {
		h := r.trace(&ray, p.limit)
		if h.item < 0 {
			break
		}
		e := r.look(&p.ray, h)
		surface := &r.surfaces[r.part(h).Material]
		if r.part(h).Material == scenes.Water && !r.rough(p, h.t) {
			break
		}
		share := energy
		if surface.Porous > 0 {
			share *= (1 - surface.Porous) * float32(.4+.6*p.random.Float())
		}
		e.signal = share * surface.Reflect * (.25 + .75*e.facing) * float32(p.strength(float64(h.t)))
		if e.signal > p.least && h.t-last > p.apart && n < min(p.most, maxReturns) {
			echoes[n] = e
			n++
			last = h.t
		}
		energy = .92 * (energy - share)
		if surface.Porous == 0 || energy < .06 {
			break
		}
		ray.from = h.t + .03
	}
	for k := range n {
		r.write(p, &echoes[k], k+1, n)
	}
}

// rough reports whether water returns a pulse: most pulses are mirrored away where it is calm, in
// patches of some metres, and everywhere on many bodies of water.
func (r *receiver) rough(p *pulse, t float32) bool {
	random := scenes.Random(scenes.Hash(r.Seed, 'w', 0))
	wind, patch := random.Between(-2.5, 3), random.Between(8, 60)
	x := float64(p.ray.origin[0]+t*p.ray.along[0]) + r.corner[0]
	y := float64(p.ray.origin[1]+t*p.ray.along[1]) + r.corner[1]
	return wind+3*scenes.Noise(r.Seed, x/patch, y/patch)+p.random.Normal() > 0
}

// look returns a hit with its normal, towards the ray.
func (r *receiver) look(from *ray, h hit) echo {
	it := &r.items[h.item]
	e := &it.solid.triangles[h.triangle]
	n := cross(e.u, e.v)
	n = [3]float32{it.cos*n[0] - it.sin*n[1], it.sin*n[0] + it.cos*n[1], n[2]}
	size := float32(math.Sqrt(float64(dot(n, n) * dot(from.along, from.along))))
	facing := float32(0)
	if size > 0 {
		facing = -dot(n, from.along) / size
		inv := 1 / float32(math.Sqrt(float64(dot(n, n))))
		if facing < 0 {
			facing, inv = -facing, -inv
		}
		n = [3]float32{n[0] * inv, n[1] * inv, n[2] * inv}
	}
	return echo{hit: h, facing: facing, normal: n}
}

func (r *receiver) part(h hit) *scenes.Part {
	s := r.items[h.item].solid
	return &s.parts[s.of[h.triangle]]
}

// write adds a return with errors of measurement.
func (r *receiver) write(p *pulse, e *echo, number, of int) {
	part := r.part(e.hit)
	surface := &r.surfaces[part.Material]
	class, object := part.Class, r.number(e.hit)
	facing := math.Max(.3, float64(e.facing))
	t := float64(e.t) +
		r.Noise*(p.sigma*p.random.Normal()+p.rough*float64(surface.Rough)/facing*p.random.Normal())
	if p.measure != nil {
		t = p.measure(float64(e.t), &p.random)
	}
	if p.mixed > 0 && number == 1 {
		t, class, object = t+(float64(p.mixed)-t)*p.random.Between(.2, .8), scenes.LowNoise, 0
	}
	if r.Noise > 0 {
		switch u := p.random.Float(); {
		case u < 1.5e-5*r.Rain: // a bird, a droplet
			t, class, object = t*p.random.Between(.3, .9), scenes.HighNoise, 0
		case u < 3e-5*r.Rain: // a path by way of two surfaces
			t, class, object = t+p.random.Between(.5, 4), scenes.LowNoise, 0
		}
	}
	var at [3]float64
	for k := range 3 {
		at[k] = float64(p.ray.origin[k]) + t*float64(p.ray.along[k]) + r.Noise*p.shift[k]
	}
	if len(r.Keep) > 0 && bytes.IndexByte(r.Keep, class) < 0 {
		return
	}
	if x := at[0] + r.corner[0]; x < p.from[0] || x >= p.to[0] || at[1]+r.corner[1] < p.from[1] ||
		at[1]+r.corner[1] >= p.to[1] {
		return
	}
	o := r.out
	o.X = append(o.X, at[0]+r.corner[0]+r.Origin[0])
	o.Y = append(o.Y, at[1]+r.corner[1]+r.Origin[1])
	o.Z = append(o.Z, at[2]+r.Origin[2])
	speckle := 1 + r.Noise*.06*p.random.Normal()
	grain := r.grain(surface, at)
	o.Intensity = append(o.Intensity,
		uint16(math.Max(1, math.Min(65535, brightest*float64(e.signal)*speckle*(1+.6*grain)))))
	o.ReturnNumber = append(o.ReturnNumber, uint8(number))
	o.NumberOfReturns = append(o.NumberOfReturns, uint8(of))
	o.Classification = append(o.Classification, class)
	o.ScanAngle = append(o.ScanAngle, p.angle)
	o.PointSourceID = append(o.PointSourceID, object)
	o.GPSTime = append(o.GPSTime, p.time)
	if r.Color {
		c := r.color(p, e, part, surface, grain)
		o.Red, o.Green, o.Blue = append(o.Red, c[0]), append(o.Green, c[1]), append(o.Blue, c[2])
	}
}

// brightest is the intensity of a perfect reflector; national surveys give
// their roofs and fields a few hundred to a few thousand.
const brightest = 2400

// number is the object's number in the cloud: what runs through blocks keeps
// its own, the others count on from block to block as far as 16 bits allow.
func (r *receiver) number(h hit) uint16 {
	it := &r.items[h.item]
	object := r.part(h).Object
	if it.copied {
		object = it.object
	}
	if object < scenes.FirstLocal {
		return object
	}
	index := (it.at.j-r.first.j)*r.wide + it.at.i - r.first.i
	room := (65536 - scenes.FirstLocal) / r.locals
	index = (index%room + room) % room
	return uint16(scenes.FirstLocal + index*r.locals + int(object-scenes.FirstLocal)%r.locals)
}

// grain is the texture of a surface at a place of the site, in [−1, 1] × Vary.
func (r *receiver) grain(s *scenes.Surface, at [3]float64) float64 {
	u := (at[0] + r.corner[0] + .7*at[2]) / float64(s.Grain)
	v := (at[1] + r.corner[1] + .4*at[2]) / float64(s.Grain)
	return float64(s.Vary) * scenes.Noise(77, u, v)
}

// color is the 16-bit colour in soft sunlight.
func (r *receiver) color(p *pulse, e *echo, part *scenes.Part, s *scenes.Surface, grain float64) [3]uint16 {
	base := s.Color
	if part.Color != [3]uint8{} {
		base = part.Color
	}
	sun := [3]float32{-.45, -.5, .74}
	light := .8 + .25*math.Max(0, float64(dot(e.normal, sun)))
	if s.Porous > 0 {
		light = .8 + .3*p.random.Float()
	}
	light *= 1 + grain + r.Noise*.02*p.random.Normal()
	var c [3]uint16
	for k := range 3 {
		c[k] = 257 * uint16(
			math.Max(0, math.Min(255, float64(base[k])*light*float64(r.items[e.item].tint[k]))))
	}
	return c
}
