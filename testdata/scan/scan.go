// SPDX-License-Identifier: BSD-3-Clause

// Package scan simulates laser scans of package scenes: airborne in overlapping
// swaths, with several returns in leaves, from a tripod, from a car, by hand, and
// by a depth camera. Rays are traced with bounding volume hierarchies. Every point
// has the class of its surface, the number of the object in PointSourceID, an
// intensity by material, incidence and range, and noise. Lengths are in metres, angles in
// radians unless said otherwise. Each pulse has its own random sequence, so points
// and their order do not depend on the number of threads.
package scan

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/scenes"
)

// The modes of scanning.
const (
	Aerial      = "aerial"
	Ellipse     = "ellipse" // airborne, a mirror that turns the beam on a cone
	Terrestrial = "terrestrial"
	Spinning    = "spinning" // on a car's roof, 16 to 64 beams that turn about the vertical
	Mobile      = "mobile"   // on a car, one beam that turns in a plane across the road
	Handheld    = "handheld" // carried through rooms, 16 beams, with drift
	Camera      = "camera"   // of depth, over small things
)

// Modes lists them.
func Modes() []string {
	return []string{Aerial, Ellipse, Terrestrial, Spinning, Mobile, Handheld, Camera}
}

func (o Options) airborne() bool { return o.Mode == Aerial || o.Mode == Ellipse }

// sight returns the range of visible blocks, 0 from the air.
func (o Options) sight() float64 {
	own := 0.
	switch o.Mode {
	case Terrestrial, Spinning:
		own = reach
	case Mobile:
		own = mobileReach
	}
	if o.Reach > 0 {
		return min(own, o.Reach)
	}
	return own
}

// Options are the parameters of a scan.
type Options struct {
	Mode   string
	Points int    // wanted; exact, except that a scene of one block may give up to 3 % fewer
	Seed   uint64 // of the scanner's noise; the scene has its own
	// aerial: mean points per m²; 0 lets 10,000 points cover 50 m × 50 m and large surveys have 20
	Density float64
	Stretch float64    // airborne: distance of scan lines / distance of pulses along them; 0 means about 1
	Reach   float64    // m, from the ground outdoors: longest range kept; 0 means the scanner's own
	Rain    float64    // factor on the share of outliers, 3 in 100,000; 0 means 1
	Keep    []uint8    // classes of the points to keep; none means all
	Noise   float64    // factor on every error of measurement; negative means none, 0 means 1
	Color   bool       // fill Red, Green, Blue
	Origin  [3]float64 // added to the coordinates
}

// Cloud scans a scene.
func Cloud(run parallel.Run, s scenes.Scene, o Options) (*las.Points, error) {
	if o.Points < 1 || o.Points > 1<<31 {
		return nil, fmt.Errorf("points %d: between 1 and 2³¹ can be scanned", o.Points)
	}
	if o.Density < 0 || math.IsNaN(o.Density) || math.IsInf(o.Density, 0) {
		return nil, fmt.Errorf("density %g: want points per square metre, or 0 to choose", o.Density)
	}
	if o.Noise == 0 {
		o.Noise = 1
	}
	o.Noise = max(0, o.Noise)
	if o.Rain == 0 {
		o.Rain = 1
	}
	if !(o.Stretch >= 0 && o.Stretch <= 100 && o.Rain >= 0 && o.Rain <= 1e4 &&
		(o.Reach == 0 || o.Reach >= 3)) {
		return nil,
			fmt.Errorf(
				"stretch %g, rain %g, reach %g: want a ratio up to 100, a factor up to 10,000 and 3 m or "+
					"more, or 0",
				o.Stretch, o.Rain, o.Reach)
	}
	w := newWorld(s, o)
	var p schedule
	var err error
	switch o.Mode {
	case Aerial, Ellipse:
		if s.Indoor() {
			return nil, fmt.Errorf("an %s scan of an indoor scene has points of the roof only; use %s",
				o.Mode, Terrestrial)
		}
		p = newSurvey(w)
	case Terrestrial:
		p, err = newTripod(run, w)
	case Spinning, Mobile, Handheld:
		p, err = newDrive(run, w)
	case Camera:
		p, err = newCamera(run, w)
	default:
		err = fmt.Errorf("unknown mode %q: choose one of %s", o.Mode, strings.Join(Modes(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return all(run, w, p, o.Points)
}

// schedule has the pulses to send, in jobs that are computed in any order.
type schedule interface {
	// next returns the next job, or nil after the last.
	next() *job
}

// job sends some pulses into one site.
type job struct {
	at    place
	shoot func(*receiver)
	quota int // points to keep at most of this job and the following ones of its group
	group int
}

// all computes the jobs in batches and returns their points in order.
func all(run parallel.Run, w *world, p schedule, want int) (*las.Points, error) {
	sum, got, group, left := &las.Points{}, 0, -1, 0
	for most := 2; got < want; most = min(2*most, 6*run.Workers()) { // a small cloud may need one job
		var batch []*job
		for len(batch) < most {
			j := p.next()
			if j == nil {
				break
			}
			batch = append(batch, j)
		}
		if len(batch) == 0 {
			break
		}
		results := make([]*las.Points, len(batch))
		if err := run.Quiet().For(len(batch), 1, func(lo, _ int) {
			r := &receiver{world: w, site: w.site(batch[lo].at), out: newPoints(w.Color)}
			batch[lo].shoot(r)
			results[lo] = r.out
		}); err != nil {
			return nil, err
		}
		for k, points := range results {
			if batch[k].group != group {
				group, left = batch[k].group, batch[k].quota
			}
			n := min(points.Len(), left, want-got)
			left -= n
			got += n
			appendPoints(sum, points, n)
		}
		w.forget(batch[len(batch)-1].at)
		run.Progress(float64(got) / float64(want))
	}
	return sum, nil
}

func newPoints(color bool) *las.Points {
	p := &las.Points{Intensity: []uint16{}}
	if color {
		p.Red, p.Green, p.Blue = []uint16{}, []uint16{}, []uint16{}
	}
	return p
}

// appendPoints adds the first n points of q to p.
func appendPoints(p, q *las.Points, n int) {
	to, from := reflect.ValueOf(p).Elem(), reflect.ValueOf(q).Elem()
	for k := range to.NumField() {
		if f := to.Field(k); f.Kind() == reflect.Slice {
			f.Set(reflect.AppendSlice(f, from.Field(k).Slice(0, min(n, from.Field(k).Len()))))
		}
	}
}

// The dimensions of true classes and objects of a scan that is as from a supplier.
const TrueClass, TrueObject = "TrueClass", "TrueObject"

// SetTruthApart moves classes and objects to dimensions of their own: the points have class 0, never
// classified, and flight line 1.
func SetTruthApart(p *las.Points) {
	class, object := make([]float64, p.Len()), make([]float64, p.Len())
	for i := range class {
		class[i], object[i] = float64(p.Classification[i]), float64(p.PointSourceID[i])
		p.Classification[i], p.PointSourceID[i] = 0, 1
	}
	p.Extra = map[string][]float64{TrueClass: class, TrueObject: object}
}
