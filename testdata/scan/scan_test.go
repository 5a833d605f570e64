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
		"village": {Mode: Aerial, Points: 10_000, Color: true}, "forest": {Mode: Ellipse, Points: 8_000,
			Density: 20},
		"facade":       {Mode: Terrestrial, Points: 8_000, Reach: 60},
		"street":       {Mode: Spinning, Points: 8_000, Reach: 60},
		"construction": {Mode: Mobile, Points: 8_000}, "room": {Mode: Handheld, Points: 8_000},
		"table": {Mode: Camera, Points: 8_000},
	} {
		cloud := func(seed uint64, threads int) *las.Points {
			o.Seed = seed
			return must.Get(Cloud(parallel.Run{Threads: threads}, scene(t, name), o))(t)
		}
		p := cloud(3, 1)
		must.Need(t, p.Len() == o.Points, "%s: p.Len() is %v, want %v", name, p.Len(), o.Points)
		must.Equal(t, p, cloud(3, 5), "%s: p", name)
		must.Hold(t, !reflect.DeepEqual(p.Z, cloud(4, 2).Z), "%s: p.Z equals cloud(4, 2).Z", name)
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
		must.Need(t, p.Classification[i] == scenes.Ground,
			"point %d: class: got %v, want %v", i, p.Classification[i], scenes.Ground)
		must.Need(t, p.PointSourceID[i] == 1, "point %d: object: got %v, want 1", i, p.PointSourceID[i])
		must.Need(t, p.ReturnNumber[i] == 1,
			"point %d: p.ReturnNumber[i] is %v, want 1", i, p.ReturnNumber[i])
		must.Need(t, p.NumberOfReturns[i] == 1,
			"point %d: p.NumberOfReturns[i] is %v, want 1", i, p.NumberOfReturns[i])
		for k, v := range [2]float64{p.X[i], p.Y[i]} {
			if i == 0 {
				low[k], high[k] = v, v
			}
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	density := 30_000 / (high[0] - low[0]) / (high[1] - low[1])
	must.Hold(t, density >= 6, "%.1f points a square metre, asked for 10, want at least 6", density)
	must.Hold(t, density <= 15, "%.1f points a square metre, asked for 10, want at most 15", density)
}
