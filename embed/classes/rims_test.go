// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// built returns the bodies of the test points of a scene, whose superpoints are squares of 6 m, points and
// roofs of 3 m in height apart.
func built(t *testing.T, scene *groupScene) (bodies []Body) {
	t.Helper()
	s := surveyed(t, scene.x, scene.y, scene.z)
	s.Component = make([]uint32, len(scene.x))
	number := map[[3]float64]uint32{}
	test := map[uint32]bool{}
	for i, from := range s.Cloud.Order {
		key := [3]float64{math.Floor(scene.x[from] / 6), math.Floor(scene.y[from] / 6),
			math.Floor(scene.z[from] / 3)}
		if _, known := number[key]; !known {
			number[key] = uint32(len(number))
		}
		s.Component[i] = number[key]
		test[number[key]] = test[number[key]] || scene.test[from]
	}
	s.Count = len(number)
	must.OK(t, s.FindOutliers(parallel.Run{}))
	f, _, err := Describe(parallel.Run{}, s, 0)
	must.OK(t, err)
	for k := range f.Bodies {
		if test[uint32(k)] {
			bodies = append(bodies, f.Bodies[k])
		}
	}
	return bodies
}

// stepScenes have land or a roof, the test points, of which at least most, or hardly any, superpoints end in
// a step.
var stepScenes = []struct {
	name  string
	steep bool
	build func(s *groupScene)
}{
	{"a roof over the tile, a street at one side", true, func(s *groupScene) {
		s.cover(0, 0, 12, 70, 5, false, flat(100))
		s.cover(12, 0, 70, 70, 5, true, flat(110))
	}},
	{"a gabled roof, a street across a corner behind a gap", true, func(s *groupScene) {
		s.cover(0, 0, 70, 70, 5, true, func(x, y float64) float64 {
			if x+y < 45 {
				return math.NaN()
			}
			return 125 - 0.1*math.Abs(x-40)
		})
		s.cover(0, 0, 40, 40, 5, false, func(x, y float64) float64 {
			if x+y > 36 {
				return math.NaN()
			}
			return 100
		})
	}},
	{"a low hall beside a yard", true, func(s *groupScene) {
		s.cover(0, 0, 70, 12, 5, false, flat(100))
		s.cover(0, 12, 70, 70, 5, true, flat(104.5))
	}},
	{"a deck over a street on two sides", true, func(s *groupScene) {
		s.cover(0, 0, 10, 70, 5, false, flat(100))
		s.cover(10, 0, 60, 70, 5, true, flat(107))
		s.cover(60, 0, 70, 70, 5, false, flat(100))
	}},
	{"a field", false,
		func(s *groupScene) { s.cover(0, 0, 70, 70, 5, true, func(x, _ float64) float64 { return x / 20 }) }},
	{"a dike", false, func(s *groupScene) {
		s.cover(0, 0, 70, 70, 5, true,
			func(x, _ float64) float64 { return min(6, max(0, (30-math.Abs(x-35))/2)) })
	}},
	{"a terrace with a low wall", false, func(s *groupScene) {
		s.cover(0, 0, 35, 70, 5, false, flat(0))
		s.cover(35, 0, 70, 70, 5, true, flat(1.5))
	}},
	{"a terrace with a ramp", false, func(s *groupScene) {
		s.cover(0, 0, 70, 70, 5, true, func(x, y float64) float64 {
			if y > 50 {
				return min(8, max(0, (x-15)/4))
			}
			if x > 35 {
				return 8
			}
			return 0
		})
	}},
	{"the plateau around a quarry", false, func(s *groupScene) {
		s.cover(0, 0, 70, 70, 5, true, except(30, 25, 25, 45, 45))
		s.cover(25, 25, 45, 45, 5, false, flat(5))
	}},
	{"the floor of a quarry", false, func(s *groupScene) {
		s.cover(0, 0, 70, 70, 5, false, except(30, 15, 15, 55, 55))
		s.cover(15, 15, 55, 55, 5, true, flat(5))
	}},
	{"a quay of 2 m", false, func(s *groupScene) {
		s.cover(0, 0, 70, 30, 2, false, flat(0))
		s.cover(0, 30, 70, 70, 5, true, flat(2))
	}},
	{"a steep slope", false, func(s *groupScene) {
		s.cover(0, 0, 70, 70, 5, true, func(x, _ float64) float64 { return max(0, min(30, 1.2*(x-20))) })
	}},
}

// TestGroundThatEndsInAStep: roofs and decks that reach the border of the cloud end in a step wherever they
// end; land with banks, ramps, low walls, and land around a pit does not.
func TestGroundThatEndsInAStep(t *testing.T) {
	for k, c := range stepScenes {
		t.Run(c.name, func(t *testing.T) {
			scene := &groupScene{r: rand.New(rand.NewPCG(uint64(k), 2))}
			c.build(scene)
			bodies, steep := built(t, scene), 0
			for _, b := range bodies {
				if b.steep {
					steep++
				}
			}
			if c.steep {
				must.Hold(t, 10*steep >= 8*len(bodies), "%d of %d superpoints end in a step",
					steep, len(bodies))
			} else {
				must.Hold(t, 50*steep <= len(bodies), "%d of %d superpoints end in a step",
					steep, len(bodies))
			}
		})
	}
}

// TestSheets: the surface of clear water is a sheet and its bottom is under it; roofs, also of glass with a
// ridge, crowns and water alone are no sheets.
func TestSheets(t *testing.T) {
	for k, c := range []struct {
		name  string
		sheet bool
		build func(s *groupScene)
	}{
		{"clear water", true, func(s *groupScene) {
			s.cover(0, 0, 70, 70, 4, false, func(x, _ float64) float64 { return -4 - 2*math.Sin(x/20) })
			s.cover(0, 0, 70, 70, 2, true, flat(0))
		}},
		{"a level roof", false, func(s *groupScene) {
			s.cover(0, 0, 70, 70, 4, false, except(0, 20, 20, 50, 50))
			s.cover(20, 20, 50, 50, 4, true, flat(6))
		}},
		{"a greenhouse", false, func(s *groupScene) {
			s.cover(0, 0, 70, 70, 4, false, flat(0))
			s.cover(10, 10, 60, 60, 4, true, func(x, _ float64) float64 {
				return 3 +
					math.Abs(math.Mod(x, 8)-4)/2
			})
		}},
		{"crowns", false, func(s *groupScene) {
			s.cover(0, 0, 70, 70, 4, false, flat(0))
			s.cover(0, 0, 70, 70, 4, true, func(_, _ float64) float64 { return 8 + 4*s.r.Float64() })
		}},
		{"water without a bottom", false, func(s *groupScene) { s.cover(0, 0, 70, 70, 4, true, flat(0)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			scene := &groupScene{r: rand.New(rand.NewPCG(uint64(k), 3))}
			c.build(scene)
			bodies, sheets := built(t, scene), 0
			for _, b := range bodies {
				if b.sheet {
					sheets++
				}
			}
			if c.sheet {
				must.Hold(t, 10*sheets >= 8*len(bodies), "%d of %d superpoints are of a sheet",
					sheets, len(bodies))
			} else {
				must.Hold(t, sheets == 0, "%d of %d superpoints are of a sheet", sheets, len(bodies))
			}
		})
	}
}
