// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// groupScene is a scene of which some points, kind "test", are in a group of their own.
type groupScene struct {
	r       *rand.Rand
	x, y, z []float64
	test    []bool
}

func (s *groupScene) add(x, y, z float64, test bool) {
	s.x, s.y, s.z, s.test = append(s.x, x), append(s.y, y), append(s.z, z), append(s.test, test)
}

// cover adds about density points a square metre between corners, at heights of z where it is not NaN.
func (s *groupScene) cover(west, south, east, north, density float64, test bool,
	z func(x, y float64) float64) {
	for range int((east - west) * (north - south) * density) {
		x, y := west+(east-west)*s.r.Float64(), south+(north-south)*s.r.Float64()
		if h := z(x, y); !math.IsNaN(h) {
			s.add(x, y, h+0.02*s.r.NormFloat64(), test)
		}
	}
}

// blob adds points around a place, with standard deviations along the axes.
func (s *groupScene) blob(points int, x, y, z, wide, high float64) {
	for range points {
		s.add(x+wide*s.r.NormFloat64(), y+wide*s.r.NormFloat64(), z+high*s.r.NormFloat64(), true)
	}
}

func flat(height float64) func(x, y float64) float64 {
	return func(float64, float64) float64 { return height }
}

// except returns heights that are NaN inside a rectangle.
func except(height, west, south, east, north float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		if x > west && x < east && y > south && y < north {
			return math.NaN()
		}
		return height
	}
}

// field adds 80 × 80 m of ground with a slope of 2 % and a house.
func (s *groupScene) field() {
	s.cover(0, 0, 80, 80, 6, false, func(x, y float64) float64 {
		if x > 20 && x < 34 && y > 20 && y < 30 {
			return 106
		}
		return 100 + 0.02*x
	})
}

// groupScenes have groups of every kind; noise is the class that they must get, 0 none.
var groupScenes = []struct {
	name  string
	noise uint8
	build func(s *groupScene)
}{
	{"points without coordinates", Noise, func(s *groupScene) {
		s.field()
		for range 300 {
			s.add(-5e5, -5.5e6, -100, true)
		}
	}},
	{"points at the scanner, above the ground", Noise, func(s *groupScene) {
		s.field()
		for range 50 {
			s.add(50, 50, 130, true)
		}
	}},
	{"more points without coordinates than a twentieth", Noise, func(s *groupScene) {
		s.field()
		for range 9000 {
			s.add(4e3, 7e3, 0, true)
		}
	}},
	{"reflections below the ground", Noise, func(s *groupScene) {
		s.field()
		s.blob(40, 60, 60, 94, 1, 0.3)
	}},
	{"a facade that is reflected below the ground", Noise, func(s *groupScene) {
		s.field()
		s.cover(40, 50, 62, 50.4, 20, true, func(_, _ float64) float64 { return 92 + 4*s.r.Float64() })
	}},
	{"fog", HighNoise, func(s *groupScene) {
		s.field()
		s.blob(600, 40, 40, 300, 12, 3)
	}},
	{"smoke 80 m above the ground", HighNoise, func(s *groupScene) {
		s.field()
		s.blob(300, 40, 40, 190, 9, 3)
	}},
	{"a second site", 0, func(s *groupScene) {
		s.field()
		s.cover(30000, 0, 30015, 15, 6, true, flat(20))
	}},
	{"a house on an island", 0, func(s *groupScene) {
		s.field()
		s.cover(3000, 0, 3008, 8, 2, true, flat(105))
	}},
	{"a well", 0, func(s *groupScene) {
		s.cover(0, 0, 80, 80, 6, false, except(100, 40, 40, 43, 43))
		s.cover(40, 40, 43, 43, 3, true, flat(88))
	}},
	{"a courtyard", 0, func(s *groupScene) {
		s.cover(0, 0, 80, 80, 6, false, except(100, 40, 40, 70, 70))
		s.cover(40, 40, 70, 70, 6, false, except(115, 50, 50, 60, 60))
		s.cover(50, 50, 60, 60, 6, true, flat(96))
	}},
	{"a skyscraper without walls", 0, func(s *groupScene) {
		s.cover(0, 0, 80, 80, 6, false, except(100, 30, 30, 42, 42))
		s.cover(30, 30, 42, 42, 6, true, flat(260))
	}},
	{"the mast of a skyscraper", 0, func(s *groupScene) {
		s.cover(0, 0, 80, 80, 6, false, except(100, 30, 30, 50, 50))
		s.cover(30, 30, 50, 50, 6, false, flat(260))
		s.blob(40, 40, 40, 300, 0.5, 3)
	}},
	{"a jib of a crane", 0, func(s *groupScene) {
		s.field()
		s.cover(10, 40, 70, 41.5, 6, true, func(_, _ float64) float64 { return 180 + 1.5*s.r.Float64() })
	}},
	{"conductors over a valley", 0, func(s *groupScene) {
		s.field()
		for _, y := range []float64{30, 38, 46} {
			s.cover(0, y, 80, y+0.05, 60, true, func(x, _ float64) float64 { return 180 + (x-40)*(x-40)/200 })
		}
	}},
	{"gaps in a forest", 0, func(s *groupScene) {
		s.cover(0, 0, 80, 80, 6, false, func(_, _ float64) float64 { return 112 + 8*s.r.Float64() })
		for range 40 {
			s.blob(12, 80*s.r.Float64(), 80*s.r.Float64(), 100, 0.6, 0.05)
		}
	}},
	{"gaps in a plantation with a level top", 0, func(s *groupScene) {
		s.cover(0, 0, 80, 80, 6, false, flat(108))
		for range 60 {
			s.blob(12, 80*s.r.Float64(), 80*s.r.Float64(), 100, 0.8, 0.05)
		}
	}},
	{"the floor of a steep quarry", 0, func(s *groupScene) {
		s.cover(0, 0, 80, 80, 6, false, except(100, 30, 30, 45, 45))
		s.cover(30, 30, 45, 45, 6, true, flat(40))
	}},
	{"a ledge in a steep quarry", 0, func(s *groupScene) {
		s.cover(0, 0, 80, 50, 6, false, flat(20))
		s.cover(0, 55, 80, 80, 6, false, flat(140))
		s.cover(30, 51, 50, 54, 6, true, flat(80))
	}},
}

// TestGroupsThatAreNoise: groups of noise get their class, all other groups stay as they are, and so do all
// points beside them.
func TestGroupsThatAreNoise(t *testing.T) {
	for k, c := range groupScenes {
		t.Run(c.name, func(t *testing.T) {
			scene := &groupScene{r: rand.New(rand.NewPCG(uint64(k), 1))}
			c.build(scene)
			s := surveyed(t, scene.x, scene.y, scene.z)
			s.Component, s.Count = make([]uint32, len(scene.x)), 1
			must.OK(t, s.FindOutliers(parallel.Run{}))
			tested, marked, others := 0, 0, 0
			for i, from := range s.Cloud.Order {
				is := s.noiseClass != nil && s.noiseClass[i] != 0
				if !scene.test[from] {
					if is {
						others++
					}
					continue
				}
				tested++
				if is && s.noiseClass[i] == c.noise && s.Component[i] == None {
					marked++
				} else if is {
					t.Fatalf("class %d, want %d", s.noiseClass[i], c.noise)
				}
			}
			must.Hold(t, others == 0, "%d points beside the group are noise", others)
			if c.noise == 0 {
				must.Hold(t, marked == 0, "%d of %d points are noise: %+v", marked, tested, s.Groups)
				return
			}
			must.Hold(t, 10*marked >= 9*tested, "%d of %d points are noise", marked, tested)
			listed := 0
			for _, g := range s.Groups {
				listed += g.Points
			}
			must.Hold(t, listed == marked, "%d points are listed, %d marked", listed, marked)
		})
	}
}

// TestPlacesKeepTheirPrecision: the centroids of superpoints that are 5,500 km from others are right to a
// millimetre.
func TestPlacesKeepTheirPrecision(t *testing.T) {
	s, _ := village(t, 0, 1)
	var x, y, z []float64
	for i := range s.Cloud.Len() {
		p := s.Cloud.Position(uint32(i)).Add(s.Cloud.Origin)
		x, y, z = append(x, p.X+5.5e6), append(y, p.Y), append(z, p.Z)
	}
	for k := range 300 {
		x, y, z = append(x, float64(k%20)/2), append(y, float64(k/20)/2), append(z, 0)
	}
	far := surveyed(t, x, y, z)
	far.Component, far.Count = make([]uint32, len(x)), 2
	count, want := 0.0, 0.0
	for i, from := range far.Cloud.Order {
		if int(from) >= s.Cloud.Len() {
			far.Component[i] = 1
			continue
		}
		count++
		want += far.Cloud.Position(uint32(i)).X
	}
	want /= count
	f, _, err := Describe(parallel.Run{}, far, 0)
	must.OK(t, err)
	must.Hold(t, math.Abs(f.Place[0][0]-want) < 1e-3, "centroid at %v, want %v", f.Place[0][0], want)
}

// TestFormOfAGroup: the width of a group is the ratio of its second to its longest axis, whatever its height
// and its direction, without points of other groups and noise.
func TestFormOfAGroup(t *testing.T) {
	for name, c := range map[string]struct {
		sides [3]float64
		width float64
	}{
		"a cube":   {[3]float64{4, 4, 4}, 1},
		"a plate":  {[3]float64{8, 8, 1}, 1},
		"a beam":   {[3]float64{16, 4, 1}, 0.25},
		"a mast":   {[3]float64{1, 4, 16}, 0.25},
		"a cable":  {[3]float64{50, 1, 1}, 0.02},
		"a screen": {[3]float64{10, 0.5, 5}, 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			var x, y, z []float64
			add := func(a, b, c float64) { x, y, z = append(x, a), append(y, b), append(z, c) }
			const steps = 11
			for i := range steps * steps * steps {
				add(c.sides[0]*float64(i%steps)/(steps-1), c.sides[1]*float64(i/steps%steps)/(steps-1),
					c.sides[2]*float64(i/steps/steps)/(steps-1))
			}
			points := len(x)
			add(300, 0, 0) // of another group
			add(0, 300, 0) // noise
			s := surveyed(t, x, y, z)
			s.Noise = make([]bool, len(x))
			g := &groupSearch{Superpoints: s, of: make([]int32, len(x)), low: make([][3]float64, 2)}
			for i, o := range s.Cloud.Order {
				s.Noise[i] = int(o) == points+1
				if int(o) == points {
					g.of[i] = 1
				}
			}
			_, width := g.form(0)
			must.Hold(t, math.Abs(width-c.width) <= 0.01, "width %.4f of the length, want %v", width, c.width)
		})
	}
}

// TestSmallGroups: a group is small by its share of the points of all groups, but noise.
func TestSmallGroups(t *testing.T) {
	sizes := []int{30, 30, 30, 30, 7, 7}
	var x, y, z []float64
	var of []int32
	var all []embed.Group
	for k, n := range sizes {
		for range n {
			x, y, z = append(x, float64(len(x))), append(y, 0), append(z, 0)
			of = append(of, int32(k))
		}
		all = append(all, embed.Group{Points: n, Columns: k + 1})
	}
	s := surveyed(t, x, y, z)
	s.Noise = make([]bool, len(x))
	s.Noise[120] = true // of group 4, which has 6 points left of 133
	g := &groupSearch{Superpoints: s, of: of}
	g.measure(all)
	must.Equal(t, g.points, []int{30, 30, 30, 30, 6, 7}, "points")
	must.Equal(t, g.small, []bool{false, false, false, false, true, false}, "small")
	must.Equal(t, g.density, 133/21., "density")
}
