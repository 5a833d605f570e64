package scan

import (
	"math"

	"superpoint/testdata/scenes"
)

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
	limit := func(from, to float64) { lo, hi = math.Max(lo, math.Min(from, to)), math.Min(hi, math.Max(from, to)) }
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
	s.shootDown(r, &random, x, y, slope, line, halfSwath, float64(line)*3600+float64(turn)*s.b/60+float64(p)/pulseRate)
}
