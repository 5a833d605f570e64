// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"fmt"
	"math"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/scenes"
)

const (
	mobileReach = 60.0 // m
	driftRate   = .15  // changes of the drift in a revolution
)

// drive is a scanner on a car that follows a road, or handheld on a path through
// rooms. Rays are sent in columns; a leg is a revolution of the beams, or a metre
// of profiles.
type drive struct {
	*world
	path         func(m float64) (x, y, z float64)
	mount        float64 // m above the road
	beams        []float64
	bias         []float64 // m, error of each beam's range
	leg, columns int
	rows, column int
	step         float64 // m driven in a leg
	sigma, blind float64 // m, range noise, least range
	limit        float32
	drift        float64    // m, of the track that the points are computed with
	perLeg       float64    // points wanted
	yaw          [2]float64 // of the planes of profiles, from the direction of travel
}

func newDrive(run parallel.Run, w *world) (schedule, error) {
	random := scenes.Random(scenes.Hash(w.Seed, 'd', 0))
	d := &drive{world: w, limit: float32(w.sight())}
	road, driven := w.Scene.(scenes.Driven)
	rooms, walked := w.Scene.(scenes.Walked)
	switch {
	case w.Mode == Handheld && walked:
		d.path = rooms.Walk
		d.hand(&random)
	case w.Mode == Spinning && driven:
		d.path = road.Drive
		d.spinning(&random)
	case w.Mode == Mobile && driven:
		d.path = road.Drive
		d.profiles(&random)
	default:
		return nil, fmt.Errorf("a %s scan follows a path, which this scene does not have; use %s",
			w.Mode, Terrestrial)
	}
	at := d.block(d.origin(0, 0))
	w.first = place{at.i - w.around, at.j - w.around}
	w.wide = (65536 - scenes.FirstLocal) / w.locals / (2*w.around + 1)
	return d, run.Err()
}

// spinning sets up beams as common car scanners have them.
func (d *drive) spinning(r *scenes.Random) {
	kinds := []struct {
		beams     int
		low, high float64 // degrees
	}{{16, -15, 15}, {32, -30.67, 10.67}, {32, -25, 15}, {64, -24.8, 2}, {64, -22.5, 22.5}}
	k := kinds[r.Pick(len(kinds))]
	for i := range k.beams {
		d.beams = append(d.beams, (k.low+(k.high-k.low)*float64(i)/float64(k.beams-1))*math.Pi/180)
		d.bias = append(d.bias, .006*r.Normal())
	}
	d.mount, d.step, d.sigma, d.blind = r.Between(1.7, 2.2), r.Between(.2, 1.4), r.Between(.006, .02), 2
	d.rows = k.beams
	d.turns(1)
}

// turns sets the columns of a revolution so that the wanted points fill at least
// so many of them.
func (d *drive) turns(least float64) {
	typical := 1800 * .7 * float64(d.rows) // points of a revolution
	d.perLeg = float64(d.Points) / math.Max(least, math.Round(float64(d.Points)/typical))
	d.columns = 300
	d.columns = max(8, int(float64(d.columns)*d.perLeg/d.sample(1)*1.01))
}

// hand sets up sixteen beams that lean over while they turn, and a way through a
// room that at least forty revolutions take.
func (d *drive) hand(r *scenes.Random) {
	for i := range 16 {
		d.beams = append(d.beams, (-15+2*float64(i))*math.Pi/180)
		d.bias = append(d.bias, .003*r.Normal())
	}
	d.rows, d.sigma, d.blind, d.limit = 16, r.Between(.003, .01), .4, 30
	d.drift = r.Between(.003, .02)
	d.turns(40)
	d.step = 7 / math.Max(40, float64(d.Points)/d.perLeg) // m; a room's way is 8 m
}

// profiles sets up one plane across the road, or two that cross.
func (d *drive) profiles(r *scenes.Random) {
	d.mount, d.step, d.sigma, d.blind = r.Between(1.9, 2.8), 1, r.Between(.003, .01), 1.2
	d.yaw[0] = r.Between(50, 90) * math.Pi / 180
	d.yaw[1] = d.yaw[0]
	if r.Chance(.4) {
		d.yaw = [2]float64{math.Pi / 4, -math.Pi / 4}
	}
	d.perLeg = 4000 * math.Exp(r.Between(0, 1.4)) // points a metre
	apart := r.Between(1, 5)                      // profiles over points along them, 8 m away
	d.columns, d.rows = 20, 500
	share := d.sample(10) / 10 / float64(d.columns*d.rows)
	rays := d.perLeg / share
	d.rows = max(50, int(math.Sqrt(rays*2*math.Pi*8*apart)))
	d.columns = max(2, int(rays/float64(d.rows)))
}

// sample counts the points of some legs with the present raster.
func (d *drive) sample(legs int) float64 {
	n := 0
	for leg := range legs {
		r := &receiver{world: d.world, site: d.site(d.block(d.origin(leg, 0))), out: newPoints(false)}
		d.shoot(r, leg, 0, d.columns)
		n += r.out.Len()
	}
	return math.Max(20, float64(n))
}

// origin is where the scanner is at a column of a leg.
func (d *drive) origin(leg, column int) (x, y, z float64) {
	x, y, z = d.path(d.step * (float64(leg) + float64(column)/float64(max(1, d.columns))))
	return x, y, z + d.mount
}

func (d *drive) block(x, y, _ float64) place {
	return place{int(math.Floor(x / d.dx)), int(math.Floor(y / d.dy))}
}

func (d *drive) next() *job {
	if d.column >= d.columns {
		d.leg, d.column = d.leg+1, 0
	}
	leg, from := d.leg, d.column
	d.column = min(d.columns, from+max(1, columnJob/d.rows))
	to := d.column
	return &job{at: d.block(d.origin(leg, from)), quota: math.MaxInt,
		shoot: func(r *receiver) { d.shoot(r, leg, from, to) }}
}

// shoot sends the rays of some columns.
func (d *drive) shoot(r *receiver, leg, from, to int) {
	at := d.block(d.origin(leg, from))
	r.corner = [2]float64{float64(at.i) * d.dx, float64(at.j) * d.dy}
	for c := from; c < to; c++ {
		x, y, z := d.origin(leg, c)
		var drift [3]float64
		for k := range drift {
			drift[k] = d.drift * scenes.Noise(d.Seed+uint64(k),
				driftRate*(float64(leg)+float64(c)/float64(d.columns)), 0)
		}
		origin := [3]float32{float32(x - r.corner[0]), float32(y - r.corner[1]), float32(z)}
		for row := range d.rows {
			random := scenes.Random(scenes.Hash(d.Seed^uint64(leg+1)<<40, uint64(c), uint64(row)))
			along, bias := d.aim(&random, leg, c, row)
			p := pulse{
				ray: newRay(origin, along, float32(d.blind)), random: random, limit: d.limit,
				apart: .5, most: 2,
				from: [2]float64{-far, -far}, to: [2]float64{far, far},
				sigma: d.sigma, rough: .5, least: .008, strength: fading,
				angle: float32(math.Asin(float64(along[2])) * 180 / math.Pi),
				time:  float64(leg) + float64(c)/float64(d.columns) + float64(row)/float64(d.rows*d.columns),
			}
			for k := range 3 {
				p.shift[k] = bias*float64(along[k]) + drift[k]
			}
			if d.Noise > 0 && random.Chance(.01) {
				next, _ := d.aim(&random, leg, c, row+1)
				p.mixed = r.behind(p.ray, newRay(origin, next, p.ray.from), d.limit)
			}
			r.fire(&p)
		}
	}
}

// aim returns the direction of a ray and the error of its range.
func (d *drive) aim(r *scenes.Random, leg, column, row int) ([3]float32, float64) {
	if d.Mode != Mobile {
		turn := 2 * math.Pi * (float64(column) + .1*r.Normal()*d.Noise) / float64(d.columns)
		beam := row % d.rows
		along := toward(turn, d.beams[beam])
		if d.Mode == Handheld {
			along = lean(along, 2*math.Pi*(float64(leg)+float64(column)/float64(d.columns))*.37)
		}
		return along, d.bias[beam]
	}
	yaw := d.yaw[column%2]
	s, c := math.Sincos(2 * math.Pi * (float64(row) + .1*r.Normal()*d.Noise) / float64(d.rows))
	return [3]float32{float32(c * math.Cos(yaw)), float32(c * math.Sin(yaw)), float32(s)}, 0
}

// lean tips a direction by 50 degrees towards an azimuth: hands and motors turn
// the scanner over so that its beams reach floor and ceiling.
func lean(p [3]float32, azimuth float64) [3]float32 {
	const tip = 50 * math.Pi / 180
	sa, ca := math.Sincos(azimuth)
	st, ct := math.Sincos(tip)
	x, y, z := float64(p[0]), float64(p[1]), float64(p[2])
	u, w := ca*x+sa*y, ca*y-sa*x
	u, z = ct*u+st*z, ct*z-st*u
	return [3]float32{float32(ca*u - sa*w), float32(sa*u + ca*w), float32(z)}
}
