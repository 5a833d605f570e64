// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"math"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/scenes"
)

const (
	reach      = 110.0            // m, longest range outdoors
	perStation = 2_000_000        // points, at most
	lowest     = -math.Pi / 2.6   // elevation of the raster
	highest    = math.Pi / 2 * .8 // likewise
	far        = 1e12             // m, leaves nothing out
	columnJob  = 40_000           // rays that are sent together
)

// tripod is a terrestrial scan: rasters of equal steps in azimuth and
// elevation, from one station after the other.
type tripod struct {
	*world
	stations, station int
	columns, rows     int
	column            int
	x, y, z           float64
}

func newTripod(run parallel.Run, w *world) (*tripod, error) {
	t := &tripod{world: w, stations: max(1, (w.Points+perStation-1)/perStation)}
	if w.Indoor() && w.Points >= 20_000 {
		t.stations = max(2, t.stations)
	}
	x, y, _ := w.Station(0)
	w.first = place{int(math.Floor(x/w.dx)) - w.around, int(math.Floor(y/w.dy)) - w.around}
	x, _, _ = w.Station(t.stations - 1)
	w.wide = int(math.Floor(x/w.dx)) + w.around + 1 - w.first.i
	if err := run.Err(); err != nil {
		return nil, err
	}
	t.begin()
	return t, nil
}

// begin sends a coarse raster from a station to estimate the number of rays for the
// wanted points, and sets the raster.
func (t *tripod) begin() {
	t.x, t.y, t.z = t.Station(t.station)
	r := &receiver{world: t.world, site: t.site(t.block()), out: newPoints(false)}
	t.raster(20_000)
	t.shoot(r, 0, t.columns)
	share := float64(max(r.out.Len(), 20)) / float64(t.columns*t.rows)
	t.raster(float64(t.share()) / share * 1.03)
	t.column = 0
}

// share returns the number of points of the current station.
func (t *tripod) share() int {
	return t.Points*(t.station+1)/t.stations - t.Points*t.station/t.stations
}

func (t *tripod) raster(rays float64) {
	step := math.Sqrt(2 * math.Pi * (highest - lowest) / rays)
	t.rows = int(math.Ceil((highest - lowest) / step))
	t.columns = int(math.Ceil(rays / float64(t.rows)))
}

func (t *tripod) block() place {
	return place{int(math.Floor(t.x / t.dx)), int(math.Floor(t.y / t.dy))}
}

func (t *tripod) next() *job {
	if t.column >= t.columns {
		if t.station++; t.station >= t.stations {
			return nil
		}
		t.begin()
	}
	here := *t
	from, to := t.column, min(t.columns, t.column+max(1, columnJob/t.rows))
	t.column = to
	return &job{at: t.block(), group: t.station, quota: t.share(),
		shoot: func(r *receiver) { here.shoot(r, from, to) }}
}

// shoot sends the rays of some columns.
func (t *tripod) shoot(r *receiver, from, to int) {
	at := t.block()
	r.corner = [2]float64{float64(at.i) * t.dx, float64(at.j) * t.dy}
	origin := [3]float32{float32(t.x - r.corner[0]), float32(t.y - r.corner[1]), float32(t.z)}
	limit := float32(t.sight())
	if t.Indoor() {
		limit = 40
	}
	turn, rise := 2*math.Pi/float64(t.columns), (highest-lowest)/float64(t.rows)
	for c := from; c < to; c++ {
		for row := range t.rows {
			random := scenes.Random(scenes.Hash(t.Seed^uint64(t.station+1)<<40, uint64(c), uint64(row)))
			azimuth := (float64(c) + .08*random.Normal()*t.Noise) * turn
			elevation := lowest + (float64(row)+.5+.08*random.Normal()*t.Noise)*rise
			p := pulse{
				ray: newRay(origin, toward(azimuth, elevation),
					.4), random: random, limit: limit, apart: .1, most: 3, from: [2]float64{-far, -far},
				to:    [2]float64{far, far},
				sigma: .0015, rough: .35, least: .012, strength: fading,
				angle: float32(elevation * 180 / math.Pi),
				time: float64(t.station)*600 + (float64(c)+float64(row)/float64(t.rows))/float64(
					t.columns)*300,
			}
			if t.Noise > 0 && random.Chance(.02) {
				p.mixed = r.behind(p.ray, newRay(origin, toward(azimuth+rise, elevation), p.ray.from), limit)
			}
			r.fire(&p)
		}
	}
}

func toward(azimuth, elevation float64) [3]float32 {
	se, ce := math.Sincos(elevation)
	sa, ca := math.Sincos(azimuth)
	return [3]float32{float32(ce * ca), float32(ce * sa), float32(se)}
}

// fading returns the strength of the signal at a range: constant up to 12 m, then
// inversely proportional to the square of the range.
func fading(t float64) float64 { return math.Min(1, 144/(t*t)) }

// behind returns the range of a surface that a neighbouring ray sees a little
// way from the one at this ray: the scanner measures something in between. It
// returns 0 where there is none.
func (r *receiver) behind(here, other ray, limit float32) float32 {
	first := r.trace(&here, limit)
	second := r.trace(&other, limit)
	gap := second.t - first.t
	if first.item < 0 || second.item < 0 || gap < .1 || gap > 1.5 {
		return 0
	}
	return second.t
}
