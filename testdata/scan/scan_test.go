// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"context"
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

// TestThreads scans by every mode: the number of points is the requested one, and points depend on the seed, but not on
// the number of threads. What the points are, the digests of testdata/scanner say.
func TestThreads(t *testing.T) {
	for name, o := range map[string]Options{
		"village": {Mode: Aerial, Points: 20_000, Color: true}, "forest": {Mode: Ellipse, Points: 15_000, Density: 20},
		"facade": {Mode: Terrestrial, Points: 15_000, Reach: 60}, "street": {Mode: Spinning, Points: 15_000, Reach: 60},
		"construction": {Mode: Mobile, Points: 15_000}, "room": {Mode: Handheld, Points: 12_000},
		"table": {Mode: Camera, Points: 15_000},
	} {
		cloud := func(seed uint64, threads int) *las.Points {
			o.Seed = seed
			return must.Get(Cloud(parallel.Run{Threads: threads}, scene(t, name), o))(t)
		}
		p := cloud(3, 1)
		if p.Len() != o.Points || !reflect.DeepEqual(p, cloud(3, 5)) || reflect.DeepEqual(p.Z, cloud(4, 2).Z) {
			t.Errorf("%s: %d points of %d; or 5 threads give others, or another seed the same", name, p.Len(), o.Points)
		}
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
