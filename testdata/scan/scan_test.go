// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"context"
	"math"
	"reflect"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scenes"
)

func scene(t testing.TB, name string) scenes.Scene {
	t.Helper()
	return must.Get(scenes.New(name, scenes.Options{Seed: 2, Detail: .1}))(t)
}

// TestThreads scans by every mode: the number of points is the requested one, and points depend on the seed,
// but not on the number of threads. What the points are, the digests of testdata/scanner say.
func TestThreads(t *testing.T) {
	for name, o := range map[string]Options{
		"village": {Mode: Aerial, Points: 20_000, Color: true}, "forest": {Mode: Ellipse, Points: 15_000,
			Density: 20},
		"facade":       {Mode: Terrestrial, Points: 15_000, Reach: 60},
		"street":       {Mode: Spinning, Points: 15_000, Reach: 60},
		"construction": {Mode: Mobile, Points: 15_000}, "room": {Mode: Handheld, Points: 12_000},
		"table": {Mode: Camera, Points: 15_000},
	} {
		cloud := func(seed uint64, threads int) *las.Points {
			o.Seed = seed
			return must.Get(Cloud(parallel.Run{Threads: threads}, scene(t, name), o))(t)
		}
		p := cloud(3, 1)
		must.Hold(t, p.Len() == o.Points && reflect.DeepEqual(p, cloud(3, 5)) &&
			!reflect.DeepEqual(p.Z, cloud(4, 2).Z),
			"%s: %d points of %d; or 5 threads give others, or another seed the same", name,
			p.Len(), o.Points)
	}
}

func TestRefusals(t *testing.T) {
	for want, c := range map[string]struct {
		scene string
		o     Options
	}{
		"points 0":         {"field", Options{Mode: Aerial}},
		"unknown mode":     {"field", Options{Mode: "orbit", Points: 1}},
		"indoor":           {"room", Options{Mode: Aerial, Points: 1}},
		"density -1":       {"field", Options{Mode: Aerial, Points: 1, Density: -1}},
		"reach -1":         {"field", Options{Mode: Terrestrial, Points: 1, Reach: -1}},
		"rain -1":          {"field", Options{Mode: Aerial, Points: 1, Rain: -1}},
		"follows a path":   {"dry", Options{Mode: Spinning, Points: 1}},
		"small objects":    {"field", Options{Mode: Camera, Points: 1}},
		"context canceled": {"field", Options{Mode: Aerial, Points: 1000}},
	} {
		run := parallel.Run{Threads: 1}
		if want == "context canceled" {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			run.Context = ctx
		}
		must.Fail(Cloud(run, scene(t, c.scene), c.o))(t, want)
	}
}

// plane is an endless floor at height 2.
type plane struct{}

func (plane) Size() (dx, dy float64)          { return 30, 30 }
func (plane) Indoor() bool                    { return false }
func (plane) Station(n int) (x, y, z float64) { return 5 + 30*float64(n), 15, 3.5 }
func (plane) Block(_, _ int) *scenes.Block {
	const size, high = 30, 2
	a, b := [3]float32{0, 0, high}, [3]float32{size, 0, high}
	c, d := [3]float32{size, size, high}, [3]float32{0, size, high}
	return &scenes.Block{Mesh: &scenes.Mesh{Triangles: [][3][3]float32{{a, b, c}, {a, c, d}},
		Of:    []uint16{0, 0},
		Parts: []scenes.Part{{Class: scenes.Ground, Material: scenes.Plaster, Object: 1}}}, Locals: 1}
}

// TestAerialOverPlane scans without noise, which no digest has.
func TestAerialOverPlane(t *testing.T) {
	o := Options{Mode: Aerial, Points: 30_000, Noise: -1, Density: 10}
	p := must.Get(Cloud(parallel.Run{}, plane{}, o))(t)
	must.Hold(t, p.Len() == 30_000, "%d points, want 30000", p.Len())
	var low, high [2]float64
	for i := range p.X {
		must.Need(t, math.Abs(p.Z[i]-2) <= 1e-4, "point %d at height %g of a plane at 2 without noise", i,
			p.Z[i])
		must.Need(t, p.Classification[i] == scenes.Ground && p.PointSourceID[i] == 1 &&
			p.ReturnNumber[i] == 1 &&
			p.NumberOfReturns[i] == 1,
			"point %d: class %d, object %d, return %d of %d", i, p.Classification[i], p.PointSourceID[i],
			p.ReturnNumber[i],
			p.NumberOfReturns[i])
		for k, v := range [2]float64{p.X[i], p.Y[i]} {
			if i == 0 {
				low[k], high[k] = v, v
			}
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	density := 30_000 / (high[0] - low[0]) / (high[1] - low[1])
	must.Hold(t, density >= 6 && density <= 15, "%.1f points a square metre, asked for 10", density)
}
