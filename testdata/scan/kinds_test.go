// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scenes"
)

// TestKinds scans every scene in its usual modes: the number of points is the requested one,
// points do not depend on the number of threads, the expected classes occur, and every object
// has one class.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		scene   string
		o       Options
		classes []uint8 // each with 20 points or more
	}{
		{"village", Options{Mode: Aerial, Points: 20_000, Color: true},
			[]uint8{scenes.Ground, scenes.Building, scenes.Tree, scenes.Car, scenes.Fence}},
		{"field", Options{Mode: Aerial, Points: 10_000, Color: true}, []uint8{scenes.Ground}},
		{"shore", Options{Mode: Aerial, Points: 10_000}, []uint8{scenes.Ground, scenes.WaterClass, scenes.Bridge}},
		{"street", Options{Mode: Spinning, Points: 15_000, Reach: 60},
			[]uint8{scenes.Ground, scenes.Building, scenes.Car, scenes.Pole, scenes.Tree}},
		{"street", Options{Mode: Mobile, Points: 15_000}, []uint8{scenes.Ground, scenes.Building, scenes.Car}},
		{"street", Options{Mode: Aerial, Points: 10_000, Density: 1}, []uint8{scenes.Ground, scenes.Building, scenes.Tree}},
		{"construction", Options{Mode: Mobile, Points: 15_000}, []uint8{scenes.Ground, scenes.OtherItem}},
		{"facade", Options{Mode: Terrestrial, Points: 15_000, Reach: 60},
			[]uint8{scenes.Ground, scenes.Building, scenes.Window}},
		{"forest", Options{Mode: Ellipse, Points: 15_000, Density: 20, Stretch: 4}, []uint8{scenes.Ground, scenes.Tree}},
		{"room", Options{Mode: Handheld, Points: 12_000},
			[]uint8{scenes.Wall, scenes.Floor, scenes.Ceiling, scenes.Table, scenes.Chair}},
		{"home", Options{Mode: Terrestrial, Points: 12_000}, []uint8{scenes.Wall, scenes.Floor, scenes.Ceiling}},
		{"table", Options{Mode: Camera, Points: 15_000}, []uint8{scenes.Table, scenes.Clutter}},
	} {
		name := c.scene + " " + c.o.Mode
		o := scenes.Options{Seed: 2, Detail: .1}
		if o.Water = c.scene == "shore"; o.Water {
			c.scene = "field"
		}
		s := must.Get(scenes.New(c.scene, o))(t)
		c.o.Seed = 3
		p := cloud(t, s, c.o, 1)
		if p.Len() != c.o.Points {
			t.Errorf("%s: %d points, want %d", name, p.Len(), c.o.Points)
		}
		if !reflect.DeepEqual(p, cloud(t, s, c.o, 5)) {
			t.Errorf("%s: 5 threads give other points than 1", name)
		}
		if c.o.Seed++; c.o.Color && reflect.DeepEqual(p.Z, cloud(t, s, c.o, 2).Z) {
			t.Errorf("%s: another seed gives the same points", name)
		}
		classes, objects, several := map[uint8]int{}, map[uint16]uint8{}, 0
		for i, class := range p.Classification {
			classes[class]++
			id := p.PointSourceID[i]
			if old, ok := objects[id]; ok && id != 0 && old != class {
				t.Fatalf("%s: object %d has points of class %d and %d", name, id, old, class)
			}
			objects[id] = class
			n, of := p.ReturnNumber[i], p.NumberOfReturns[i]
			if n < 1 || n > of || of > maxReturns {
				t.Fatalf("%s: point %d is return %d of %d", name, i, n, of)
			}
			if of > 1 {
				several++
			}
		}
		if len(objects) < 5 || c.scene == "village" && several < 500 {
			t.Errorf("%s: %d objects, %d points of several returns", name, len(objects), several)
		}
		for _, class := range c.classes {
			if classes[class] < 20 {
				t.Errorf("%s: %d points of class %d: %v", name, classes[class], class, classes)
			}
		}
	}
}

// TestScanLines: without noise, the rings of a spinning scanner are on as many cones as it has
// beams, and the lines of an airborne one have the requested distance.
func TestScanLines(t *testing.T) {
	rings := map[int]bool{}
	for _, angle := range cloud(t, road{}, Options{Mode: Spinning, Points: 20_000, Noise: -1}, 2).ScanAngle {
		rings[int(math.Round(float64(angle)*1e3))] = true
	}
	if len(rings) < 5 || len(rings) > 64 {
		t.Errorf("%d elevations of a scanner with 16 to 64 beams", len(rings))
	}
	for _, stretch := range []float64{1, 5} {
		p := cloud(t, plane{}, Options{Mode: Aerial, Points: 20_000, Density: 4, Stretch: stretch, Noise: -1}, 2)
		if got := apart(p); got < stretch*.6 || got > stretch*1.5 {
			t.Errorf("lines are %.2f times as far apart as points along them, want about %g", got, stretch)
		}
	}
}

// apart returns the distance of scan lines divided by that of pulses along them: medians along
// y and x, of one swath.
func apart(p *las.Points) float64 {
	var along, across []float64
	order := arrays.Indices[int](p.Len())
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(p.GPSTime[a], p.GPSTime[b]), a-b) })
	for k := 1; k < len(order); k++ {
		a, b := order[k-1], order[k]
		if d := p.X[b] - p.X[a]; d > 0 {
			along = append(along, d)
		} else if p.GPSTime[b]-p.GPSTime[a] < 60 {
			across = append(across, (p.GPSTime[b]-p.GPSTime[a])*60)
		}
	}
	slices.Sort(along)
	slices.Sort(across)
	return across[len(across)/2] / along[len(along)/2]
}

// road is a plane with a road.
type road struct{ plane }

func (road) Drive(m float64) (x, y, z float64) { return 15 + m, 15, 2 }
