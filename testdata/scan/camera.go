// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"fmt"
	"math"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/scenes"
)

// A depth camera that compares a projected pattern with its picture, with the
// figures of the first one for living rooms (Khoshelham and Oude Elberink 2012,
// doi:10.3390/s120201437).
const (
	focal     = 525.0 // pixels
	baseline  = .075  // m, from the lens to the projector
	columns   = 640
	rows      = 480
	depthStep = 1. / 8 // pixel, smallest disparity
	depthBlur = .05    // pixel, noise of disparity
	deepest   = 1.9    // m
)

// camera takes pictures, one a block. Points are in its own coordinates: x to
// the right, y up, z backwards.
type camera struct {
	*world
	views scenes.Viewed
	view  int
	pixel float64 // size of a sample in pixels
}

func newCamera(run parallel.Run, w *world) (schedule, error) {
	views, ok := w.Scene.(scenes.Viewed)
	if !ok {
		return nil, fmt.Errorf("a %s needs a scene with small objects; use %s", w.Mode, Terrestrial)
	}
	c := &camera{world: w, views: views, pixel: 8}
	w.wide = (65536 - scenes.FirstLocal) / w.locals
	r := &receiver{world: w, site: w.site(place{0, 0}), out: newPoints(false)}
	c.shoot(r, 0)
	full := float64(max(1, r.out.Len())) * c.pixel * c.pixel
	each := float64(w.Points) / math.Ceil(float64(w.Points)/full)
	c.pixel = math.Max(1, math.Sqrt(full/each/1.02))
	return c, run.Err()
}

func (c *camera) next() *job {
	view := c.view
	c.view++
	return &job{at: place{view, 0}, group: view, quota: math.MaxInt,
		shoot: func(r *receiver) { c.shoot(r, view) }}
}

// shoot takes one picture.
func (c *camera) shoot(r *receiver, view int) {
	eye, target := c.views.View(view)
	r.corner = [2]float64{float64(view) * c.dx, 0}
	var axis [3]float64
	length := 0.0
	for k := range 3 {
		axis[k] = target[k] - eye[k]
		length += axis[k] * axis[k]
	}
	for k := range 3 {
		axis[k] /= math.Sqrt(length)
	}
	flat := math.Hypot(axis[0], axis[1])
	right := [3]float64{axis[1] / flat, -axis[0] / flat, 0}
	up := [3]float64{-axis[2] * axis[0] / flat, -axis[2] * axis[1] / flat, flat}
	origin := [3]float32{float32(eye[0] - r.corner[0]), float32(eye[1]), float32(eye[2])}
	projector := origin
	for k := range 3 {
		projector[k] += float32(baseline * right[k])
	}
	wide, high := int(columns/c.pixel), int(rows/c.pixel)
	for v := range high {
		for u := range wide {
			random := scenes.Random(scenes.Hash(c.Seed^uint64(view+1)<<40, uint64(u), uint64(v)))
			a := ((float64(u)+.5)*c.pixel - columns/2) / focal
			b := (rows/2 - (float64(v)+.5)*c.pixel) / focal
			size := math.Sqrt(1 + a*a + b*b)
			look := func(a, b float64) ray {
				var along [3]float32
				for k := range 3 {
					along[k] = float32((axis[k] + a*right[k] + b*up[k]) / size)
				}
				return newRay(origin, along, .3)
			}
			p := pulse{ray: look(a, b), random: random, limit: deepest, apart: 10, most: 1,
				rough: 0, least: .01,
				strength: func(float64) float64 { return 1 }, from: [2]float64{-far, -far},
				to:   [2]float64{far, far},
				time: float64(view) + float64(v*wide+u)/float64(wide*high)}
			p.measure = func(t float64, r *scenes.Random) float64 {
				return c.depth(t/size, r) * size
			}
			if c.shaded(r, &p, projector) {
				continue
			}
			if c.Noise > 0 && random.Chance(.5) { // the window that is compared reaches over an edge
				p.mixed = r.behind(p.ray, look(a+random.Between(-3, 3)/focal, b), p.limit)
			}
			n := r.out.Len()
			r.fire(&p)
			if r.out.Len() > n {
				own(r.out, n, eye, right, up, axis)
			}
		}
	}
}

// depth is a depth as it is measured: of a disparity with noise, in steps.
func (c *camera) depth(z float64, r *scenes.Random) float64 {
	if c.Noise == 0 {
		return z
	}
	disparity := focal*baseline/z + c.Noise*depthBlur*r.Normal()
	return focal * baseline / (math.Max(1, math.Round(disparity/depthStep)) * depthStep)
}

// shaded reports whether the projector does not reach the surface that the lens sees.
func (c *camera) shaded(r *receiver, p *pulse, projector [3]float32) bool {
	h := r.trace(&p.ray, p.limit)
	if h.item < 0 {
		return true
	}
	var along [3]float32
	for k := range 3 {
		along[k] = p.ray.origin[k] + h.t*p.ray.along[k] - projector[k]
	}
	light := newRay(projector, along, 0)
	return r.trace(&light, .995).item >= 0
}

// own transforms point n to coordinates of the camera.
func own(p *las.Points, n int, eye, right, up, axis [3]float64) {
	d := [3]float64{p.X[n] - eye[0], p.Y[n] - eye[1], p.Z[n] - eye[2]}
	dot := func(a [3]float64) float64 { return a[0]*d[0] + a[1]*d[1] + a[2]*d[2] }
	p.X[n], p.Y[n], p.Z[n] = dot(right), dot(up), -dot(axis)
}
