// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"math"

	"superpoint/testdata/scenes"
)

// The flight: lines along y, a mirror that sweeps across them, the beam tilted
// a little forwards on one line and backwards on the next, so that walls of all
// sides are seen. Figures are typical of a survey.
const (
	altitude   = 700.0               // m above height 0 of the scene
	halfSwath  = 19 * math.Pi / 180  // greatest scan angle
	lineApart  = 270.0               // m; most places are seen from two lines, some from one
	lineFirst  = -100.0              // m, x of line 0
	tilt       = 14 * math.Pi / 180  // forwards and backwards
	stripe     = 4.0                 // m along y that are scanned together
	returnsPer = 1.18                // returns a pulse, typical
	linesPer   = 2 * 241 / lineApart // swaths over a place, mean
	pulseRate  = 400e3               // per second, for the time stamps
	// m around an endless world's survey that are scanned too, for what leans in
	beyond = 12.0
)

// survey is an aerial scan: stripes of ground from side to side, one after the
// other, each cut where blocks meet.
type survey struct {
	*world
	a, b   float64 // m between pulses across and along
	x0, x1 float64 // the area to keep, which ends at no y
	y0     float64
	beyond float64 // m around it that are scanned
	y      float64 // of the next stripe
	queue  []*job
}

func newSurvey(w *world) *survey {
	density := w.Density
	if density == 0 {
		density = math.Min(20, math.Max(4, float64(w.Points)/1e4))
	}
	side := math.Sqrt(float64(w.Points) / density)
	s := &survey{world: w, x0: 14, x1: 14 + side, y0: math.Max(0, w.dy/2-side/2), beyond: beyond}
	s.space(density)
	w.first = place{int(math.Floor((s.x0-s.beyond)/w.dx)) - 1, int(math.Floor((s.y0-s.beyond)/w.dy)) - 1}
	w.wide = int(math.Floor((s.x1+s.beyond)/w.dx)) + 2 - w.first.i
	return s
}

// space sets the distances of pulses for a mean density of returns per m².
func (s *survey) space(density float64) {
	perPulse, stretch := returnsPer*linesPer, s.Stretch
	if s.Mode == Ellipse {
		perPulse = returnsPer * 2 * math.Pi * altitude * math.Tan(halfSwath) / lineApart
	}
	if stretch == 0 {
		stretch = .9
	}
	s.b = math.Sqrt(perPulse / density * stretch)
	s.a = perPulse / density / s.b
	s.y = s.y0 - s.beyond
}

func (s *survey) next() *job {
	for len(s.queue) == 0 {
		end := math.Floor(s.y/stripe+1) * stripe
		s.queueStripe(s.y, end)
		s.y = end
	}
	j := s.queue[0]
	s.queue = s.queue[1:]
	return j
}

func (s *survey) queueStripe(y0, y1 float64) {
	j := int(math.Floor(y0 / s.dy))
	for x := s.x0 - s.beyond; x < s.x1+s.beyond; {
		from, i := x, int(math.Floor(x/s.dx))
		end := math.Min(float64(i+1)*s.dx, s.x1+s.beyond)
		s.queue = append(s.queue, &job{at: place{i, j}, quota: math.MaxInt, shoot: func(r *receiver) {
			r.corner = [2]float64{float64(i) * s.dx, float64(j) * s.dy}
			if s.Mode == Ellipse {
				s.ellipse(r, from, end, y0, y1)
				return
			}
			s.cover(r, from, end, y0, y1)
		}})
		x = end
	}
}

// cover sends the pulses of every line that are aimed at a rectangle.
func (s *survey) cover(r *receiver, x0, x1, y0, y1 float64) {
	width := altitude * math.Tan(halfSwath)
	for line := int(math.Ceil((x0 - width - lineFirst) / lineApart)); ; line++ {
		axis := lineFirst + float64(line)*lineApart
		if axis-width >= x1 {
			return
		}
		step := s.a / altitude
		index := func(x float64) int {
			angle := math.Atan((x - axis) / altitude)
			return int(math.Ceil(math.Max(-halfSwath, math.Min(halfSwath, angle)) / step))
		}
		for sweep := int(math.Ceil(y0 / s.b)); float64(sweep)*s.b < y1; sweep++ {
			for p := index(x0); p < index(x1); p++ {
				s.send(r, line, sweep, p, axis, step)
			}
		}
	}
}

// send fires pulse p of one sweep of the mirror.
func (s *survey) send(r *receiver, line, sweep, p int, axis, step float64) {
	random := scenes.Random(scenes.Hash(s.Seed^uint64(line)<<40, uint64(sweep), uint64(p)))
	angle := (float64(p) + .15*random.Normal()*s.Noise) * step
	pitch := tilt
	if line&1 == 1 {
		pitch = -tilt
	}
	wobble := scenes.Noise(s.Seed+uint64(line), float64(sweep)*s.b/40, 0) * .35 * s.b // the aircraft's speed
	x := axis + altitude*math.Tan(angle)
	y := (float64(sweep)+float64(p)*step/halfSwath*.5)*s.b + wobble + .1*s.b*random.Normal()*s.Noise
	s.shootDown(r, &random, x, y, [2]float64{math.Tan(angle), math.Tan(pitch)}, line, angle,
		float64(line)*3600+float64(sweep)*s.b/60+float64(p)/pulseRate)
}

// shootDown fires a pulse at (x, y) of height 0; slope is its way in m per m of
// descent.
func (s *survey) shootDown(r *receiver, random *scenes.Random, x, y float64, slope [2]float64,
	line int, angle,
	time float64) {
	top := float64(r.top) + 1
	length := math.Sqrt(1 + slope[0]*slope[0] + slope[1]*slope[1])
	origin := [3]float32{float32(x - slope[0]*top - r.corner[0]), float32(y - slope[1]*top - r.corner[1]),
		float32(top)}
	along := [3]float32{float32(slope[0] / length), float32(slope[1] / length), float32(-1 / length)}
	strip := scenes.Random(scenes.Hash(s.Seed, 's', uint64(line)))
	r.fire(&pulse{
		ray: newRay(origin, along, 0), random: *random, limit: 400, apart: .45, most: maxReturns,
		sigma: .012, rough: 1,
		least:    .02,
		shift:    [3]float64{.03 * strip.Normal(), .03 * strip.Normal(), .015 * strip.Normal()},
		strength: func(float64) float64 { return 1 },
		from:     [2]float64{s.x0, s.y0}, to: [2]float64{s.x1, math.Inf(1)},
		angle: float32(angle * 180 / math.Pi),
		time:  time,
	})
}
