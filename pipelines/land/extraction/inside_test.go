// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/testdata/must"
)

// TestTopBesideTheOutline: four points 8 m from a house are in no part of its outline, so its top is not one
// of them; its peak is. If the house itself is then too low, there is no building.
func TestTopBesideTheOutline(t *testing.T) {
	for name, c := range map[string]struct {
		house     float64
		buildings int
	}{"a house": {106, 1}, "a terrace": {101, 0}} {
		t.Run(name, func(t *testing.T) {
			f := &field{}
			f.add(0, Ground, -20, -20, 60, level(100))
			f.add(1, Building, 0, 0, 8, level(c.house))
			f.add(1, Building, 16, 0, 2, level(112))
			found := f.find(t, DefaultSettings())
			must.Need(t, len(found.Buildings) == c.buildings, "buildings: got %v, want %v",
				len(found.Buildings), c.buildings)
			for _, o := range found.Buildings {
				must.Equal(t, f.Z[o.Top], c.house, "top")
				must.Equal(t, o.Height, c.house-100, "height")
				must.Equal(t, f.Z[o.Peak], 112, "peak")
				must.Equal(t, len(o.Points), 68, "points")
			}
		})
	}
}

// TestTopsOfScatteredHouses: houses of one large and some small squares have the highest of their points that
// is at most a cell from the outline as the top.
func TestTopsOfScatteredHouses(t *testing.T) {
	moved := 0
	random := rand.New(rand.NewPCG(4, 9))
	for range 40 {
		f := &field{}
		f.add(0, Ground, -40, -40, 120, level(100))
		for n := range 4 {
			x, y := n%2*50-20, n/2*50-20
			f.add(int32(1+n), Building, x, y, 6+random.IntN(5), level(104+4*random.Float64()))
			for range 4 {
				dx, dy := random.IntN(30)-10, random.IntN(30)-10
				f.add(int32(1+n), Building, x+dx, y+dy, 1+random.IntN(4), level(104+4*random.Float64()))
			}
		}
		found := f.find(t, DefaultSettings())
		must.Need(t, len(found.Buildings) > 0, "no buildings")
		isSorted := slices.IsSortedFunc(found.Buildings, func(a, b Object) int {
			return f.At[a.Peak].Y - f.At[b.Peak].Y
		})
		must.Hold(t, isSorted, "buildings are not sorted by their peaks")
		for _, o := range found.Buildings {
			highest := math.Inf(-1)
			for _, i := range o.Points {
				if f.isAtOutline(found, &o, i) {
					highest = max(highest, f.Z[i])
				}
			}
			must.Hold(t, f.isAtOutline(found, &o, o.Top), "top %v is beside the outline", f.At[o.Top])
			must.Equal(t, f.Z[o.Top], highest, "top")
			must.Equal(t, o.Height, highest-o.Ground, "height")
			if !math.IsNaN(o.Roof.Ridge) {
				must.Hold(t, o.Roof.Ridge <= highest, "ridge %v above the top %v", o.Roof.Ridge, highest)
			}
			if o.Top != o.Peak {
				moved++
			}
		}
	}
	must.Hold(t, moved >= 20, "tops that are not peaks: got %v, want at least 20", moved)
}

// isAtOutline reports whether a point is at most a cell from the outline of a building.
func (f *field) isAtOutline(found *Found, o *Object, i uint32) bool {
	at := f.At[i].Sub(found.Origin)
	point := geom.XY{X: float64(at.X), Y: float64(at.Y)}.AsPoint().AsGeometry()
	distance, isKnown := geom.Distance(point, shapeOf(o.Outline))
	return isKnown && distance <= per
}
