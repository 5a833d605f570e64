// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/corner"
	"superpoint/testdata/must"
)

// village returns terrain of 60 × 60 m with a slope of 0.1 to the east, a house of 14 × 10 m
// that is 6 m high, a hedge of 1.5 m and a hole in the scan. Kind is the object of a point.
func village(t *testing.T, shift, thin float64) (s *Superpoints, kind []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 1))
	var x, y, z []float64
	var kinds []string
	for px := 0.25; px < 60; px += 0.5 * thin {
		for py := 0.25; py < 60; py += 0.5 * thin {
			k, h := "land", 0.0
			switch {
			case px > 20 && px < 34 && py > 20 && py < 30:
				k, h = "house", 6
			case py > 40 && py < 41.5 && px > 5 && px < 50:
				k, h = "hedge", 1.5
			case math.Hypot(px-48, py-15) < 6:
				continue
			}
			x, y, z = append(x, shift+px), append(y, shift+py), append(z, 100+px/10+h+0.02*r.NormFloat64())
			kinds = append(kinds, k)
		}
	}
	s = surveyed(t, x, y, z)
	for _, from := range s.Cloud.Order {
		kind = append(kind, kinds[from])
	}
	return s, kind
}

// surveyed returns a cloud with neighbours, without superpoints.
func surveyed(t testing.TB, x, y, z []float64) *Superpoints {
	t.Helper()
	cloud, lists := corner.Lists(t, x, y, z, ShapeNeighbors)
	return &Superpoints{Cloud: cloud, Neighbors: lists}
}

// TestHeightsAboveGround: heights of sloping terrain, of a house and of a hedge; also in a
// scan with a sixteenth of the points, and in tiles at other coordinates.
func TestHeightsAboveGround(t *testing.T) {
	for _, c := range []struct{ shift, thin, most float64 }{{0, 1, 0.35}, {-123.4, 1, 0.35}, {5e5, 4, 0.8}} {
		s, kind := village(t, c.shift, c.thin)
		terrain := s.findTerrain()
		above := terrain.reached
		limit := slices.Sorted(slices.Values(terrain.limit)) // 0.5 m and 1.25 m for the slope of 0.1
		median := limit[len(limit)/2]
		must.Hold(t, math.Abs(float64(median)-0.625) <= 0.02, "%+v: ground is up to %v m above the terrain",
			c, median)
		for k, want := range map[string]float64{"land": 0, "house": 6, "hedge": 1.5} {
			var wrong []float64
			for i, v := range above {
				if kind[i] == k {
					wrong = append(wrong, math.Abs(float64(v)-want))
				}
			}
			slices.Sort(wrong)
			n := len(wrong)
			must.Need(t, n != 0, "%+v: no points of %s", c, k)
			must.Hold(t, wrong[n*95/100] <= c.most,
				"%+v: of %d points of %s 95 %% are within %.2f m of %g m, want %.2f m",
				c, n, k, wrong[n*95/100], want, c.most)
		}
	}
}

// TestTopsOfHills: the opening by 15 cells lowers the top of a pyramid by 3 times its slope more than that by
// 9 cells. Up to 0.25 + 0.0375 × 15 m it is ground; for the other windows the slope may be larger.
func TestTopsOfHills(t *testing.T) {
	for slope, ground := range map[float64]bool{0.1: true, 0.26: true, 0.28: false, 0.4: false} {
		var x, y, z []float64
		for i := range 81 * 81 {
			px, py := float64(i%81-40)+0.5, float64(i/81-40)+0.5
			x, y, z = append(x, px), append(y, py), append(z, slope*(40-max(math.Abs(px), math.Abs(py))))
		}
		s := surveyed(t, x, y, z)
		above := make([]float32, len(x))
		s.aboveGround(above)
		top := slices.Max(above)
		must.Hold(t, (top < 0.3) == ground, "slope %v: a point is %v m above the ground", slope, top)
	}
}

// TestNoiseDoesNotChangeHeights: points far below and above the terrain are noise, and do
// not change the heights of the others.
func TestNoiseDoesNotChangeHeights(t *testing.T) {
	clean, _ := village(t, 0, 1)
	want := map[[2]float64]float32{}
	for i, v := range clean.findTerrain().reached {
		p := clean.Cloud.Position(uint32(i)).Add(clean.Cloud.Origin)
		want[[2]float64{math.Round(p.X * 1e3), math.Round(p.Y * 1e3)}] = v
	}
	var at [3][]float64
	for i := range clean.Cloud.Len() {
		p := clean.Cloud.Position(uint32(i)).Add(clean.Cloud.Origin)
		at[0], at[1], at[2] = append(at[0], p.X), append(at[1], p.Y), append(at[2], p.Z)
	}
	r := rand.New(rand.NewPCG(2, 1))
	const noise = 60
	for range noise {
		at[0], at[1] = append(at[0], 60*r.Float64()), append(at[1], 60*r.Float64())
		at[2] = append(at[2], 70+120*float64(r.IntN(2))+25*r.Float64())
	}
	cloud, lists := corner.Lists(t, at[0], at[1], at[2], 8)
	s := &Superpoints{Cloud: cloud, Neighbors: lists, Component: make([]uint32, cloud.Len()), Count: 1}
	must.OK(t, s.FindOutliers(parallel.Run{}))
	apart, compared := 0, 0
	for i, v := range s.findTerrain().reached {
		p := cloud.Position(uint32(i)).Add(cloud.Origin)
		if p.Z < 97 || p.Z > 120 {
			must.Hold(t, s.Noise[i],
				"a point at a height of %.1f m is not noise: s.Noise[i] is false", p.Z)
			must.Hold(t, s.Component[i] == None,
				"a point at a height of %.1f m is not noise: s.Component[i] is not None", p.Z)
			apart++
			continue
		}
		w, ok := want[[2]float64{math.Round(p.X * 1e3), math.Round(p.Y * 1e3)}]
		if ok {
			must.Need(t, math.Abs(float64(v-w)) <= 0.01,
				"the point at (%.2f, %.2f) is %.2f m above the ground, %.2f without noise",
				p.X, p.Y, v, w)
		}
		compared++
	}
	must.Equal(t, apart, noise, "points of noise")
	must.Equal(t, compared, clean.Cloud.Len(), "compared")
}

// TestGroundOfFewPoints: a single point is on the ground, and the raster of two points that
// are far from each other does not need more memory.
func TestGroundOfFewPoints(t *testing.T) {
	for _, far := range []float64{0, 3e5} {
		s := surveyed(t, []float64{0, far}, []float64{0, far}, []float64{7, 7})
		r := newRaster(s.Cloud, smrfCell, nil, s.ignored)
		must.Hold(t, len(r.height) <= fewCells, "%d cells for 2 points", len(r.height))
		for _, v := range s.findTerrain().reached {
			must.Hold(t, v == 0, "%g m above level ground", v)
		}
	}
}

// TestReached: a rock with a steep slope on one side and cliffs on the others, and a bridge over a ditch are
// connected with the ground around them; a house is not. SMRF takes all three away, but for the bridge of few
// points.
func TestReached(t *testing.T) {
	for _, step := range []float64{0.5, 2} {
		var x, y, z []float64
		height := func(px, py float64) float64 {
			switch {
			case px > 6 && px < 36 && math.Abs(py-20) < 10: // rock
				return min(6, 0.4*(px-6))
			case math.Abs(px-60) < 8 && math.Abs(py-20) < 8: // house
				return 5
			case math.Abs(py-60) < 6 && math.Abs(px-40) > 3: // ditch, with a bridge
				return -4
			}
			return 0
		}
		for px := step / 2; px < 80; px += step {
			for py := step / 2; py < 80; py += step {
				x, y, z = append(x, px), append(y, py), append(z, height(px, py))
			}
		}
		s := surveyed(t, x, y, z)
		s.terrain = s.findTerrain()
		for i, from := range s.Cloud.Order {
			for _, at := range []struct {
				name          string
				x, y          float64
				smrf, reached bool
			}{{"rock", 28, 20, false, true}, {"house", 60, 20, false, false},
				{"bridge", 40, 60, step > 1, true},
				{"land", 40, 40, true, true}, {"ditch", 60, 60, true, true}} {
				if max(math.Abs(x[from]-at.x), math.Abs(y[from]-at.y)) > 1 {
					continue
				}
				smrf, reached := s.terrain.smrf[i] < 1, s.terrain.reached[i] < 0.5
				must.Need(t, smrf == at.smrf, "step %g: smrf is %v, want %v", step, smrf, at.smrf)
				must.Need(t, reached == at.reached,
					"step %g: reached is %v, want %v", step, reached, at.reached)
				if !at.reached {
					must.Need(t, s.Level(i) == TooHigh, "step %g: s.Level(i) is not TooHigh", step)
				}
			}
		}
	}
}

// TestRasterOfAPlane: heights and slopes of a plane with a point in the middle of each cell are exact, also
// at the border, as are means over windows, which have fewer cells there.
func TestRasterOfAPlane(t *testing.T) {
	var x, y, z []float64
	for i := range 35 {
		x, y = append(x, 0.5+float64(i%7)), append(y, 0.5+float64(i/7))
		z = append(z, 0.3*x[i]+0.2*y[i])
	}
	cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
	r := newRaster(cloud, 1, nil, new(Superpoints).ignored)
	slope, heights := r.slope(), make([]float64, 35)
	for k, h := range r.height {
		heights[k] = float64(h)
	}
	mean := r.means(heights, 2)
	for i, k := range r.cell {
		p := cloud.Position(uint32(i))
		must.Hold(t, math.Abs(r.at(cloud, i)-p.Z) <= 1e-5,
			"cell %d: r.at(cloud, i) is %v, want %v within 1e-5", k, r.at(cloud, i), p.Z)
		must.Hold(t, math.Abs(float64(slope[k])-math.Sqrt(0.13)) <= 1e-5,
			"cell %d: slope: got %v, want %v within 1e-5", k, float64(slope[k]), math.Sqrt(0.13))
		sum, n := heights[k], 1.0
		r.within(int(k), 2, func(o int) { sum, n = sum+heights[o], n+1 })
		must.Hold(t, math.Abs(mean[k]-sum/n) <= 1e-5, "cell %d: the mean of %v cells is %v, not %v", k, n,
			mean[k], sum/n)
	}
}

// scattered returns points at random places of a square around 0 whose height is a number, and their x and y.
func scattered(t *testing.T, size, apart float64, height func(x, y float64) float64) (s *Superpoints, x,
	y []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 1))
	var z []float64
	for range int(size * size / apart / apart) {
		px, py := size*(r.Float64()-0.5), size*(r.Float64()-0.5)
		if h := height(px, py) + 0.02*r.NormFloat64(); !math.IsNaN(h) {
			x, y, z = append(x, px), append(y, py), append(z, h)
		}
	}
	return surveyed(t, x, y, z), x, y
}

// TestFarPoints: heights over the ground and voids of a town are the same with another point, or another
// town, far away in X, in Y or in both; beside a town but for voids at the border, where empty lines now
// follow.
func TestFarPoints(t *testing.T) {
	const size, border = 100.0, 25.0
	_, x, y := scattered(t, size, 0.7, func(float64, float64) float64 { return 0 })
	z := make([]float64, len(x))
	for i := range x {
		z[i] = 0.05 * x[i]
		if max(math.Abs(x[i]), math.Abs(y[i])) < 12 { // a house
			z[i] += 6
		}
	}
	measure := func(x, y, z []float64) (of [][4]float32) {
		s := surveyed(t, x, y, z)
		s.Component = make([]uint32, len(x))
		must.OK(t, s.FindOutliers(parallel.Run{}))
		s.terrain = s.findTerrain()
		above, void := make([]float32, len(x)), make([]float32, len(x))
		s.aboveGround(above)
		_, wide := s.voids()
		wide(void)
		of = make([][4]float32, len(x))
		for i, from := range s.Cloud.Order {
			of[from] = [4]float32{s.terrain.smrf[i], s.terrain.reached[i], above[i], void[i]}
		}
		return of
	}
	want := measure(x, y, z)
	for _, away := range []float64{300, 1e4, 2e5, 2e6} {
		for _, to := range [][2]float64{{1, 0}, {0, -1}, {-1, 1}} {
			for many, part := range map[int]int{1: 1000, len(x): 100} {
				fx, fy, fz := slices.Clone(x), slices.Clone(y), slices.Clone(z)
				for i := range many {
					fx, fy, fz = append(fx, x[i]+away*to[0]), append(fy, y[i]+away*to[1]), append(fz, z[i])
				}
				got, off := measure(fx, fy, fz), 0
				for i, w := range want {
					g := got[i]
					if many > 1 && max(math.Abs(x[i]), math.Abs(y[i])) > size/2-border {
						g[3] = w[3]
					}
					for k := range w {
						if math.Abs(float64(g[k]-w[k])) > 0.05 {
							off++
							break
						}
					}
				}
				must.Hold(t, off*part < len(want),
					"%d of %d points are other with %d points at %v times %v m", off, len(want),
					many, to, away)
			}
		}
	}
}

// TestCover: on level, rolling and steep land with plants of 0.3 m at every third spot, the plants are cover,
// and hardly any ground is.
func TestCover(t *testing.T) {
	for name, slope := range map[string]float64{"level": 0, "rolling": 0.05, "steep": 0.3} {
		plant := func(x, y float64) bool { return math.Mod(math.Abs(7.3*x+math.Floor(y/2)), 3) < 1 }
		s, x, y := scattered(t, 80, 0.3, func(x, y float64) float64 {
			if plant(x, y) {
				return slope*x + 0.3
			}
			return slope * x
		})
		s.terrain = s.findTerrain()
		var count [2][Levels]int
		for i, from := range s.Cloud.Order {
			of := 0
			if plant(x[from], y[from]) {
				of = 1
			}
			count[of][s.Level(i)]++
		}
		for of, want := range []Level{Low, Cover} {
			all := count[of][Low] + count[of][Cover]
			must.Hold(t, 10*count[of][want] >= 9*all,
				"%s land: 10*count[of][want] is %v, want at least %v", name, 10*count[of][want], 9*all)
			must.Hold(t, all >= 1000, "%s land: all is %v, want at least 1000", name, all)
		}
	}
}

// TestRims: walls all around make an object, whatever its height and the spacing of the points; dikes,
// mounds, terraces with a ramp and the land around pits and beside cuttings have none.
func TestRims(t *testing.T) {
	const size = 100.0
	within := func(x, y, dx, dy float64) bool { return max(math.Abs(x)/dx, math.Abs(y)/dy) < 1 }
	step := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	for name, c := range map[string]struct {
		height func(x, y float64) float64 // in heights, from the middle
		walled bool                       // of the middle; (48, 48) has none
	}{
		"hall":       {func(x, y float64) float64 { return step(within(x, y, 25, 15)) }, true},
		"roof tilts": {func(x, y float64) float64 { return (1 + x/200) * step(within(x, y, 25, 15)) }, true},
		"dike":       {func(x, _ float64) float64 { return min(1, max(0, (25-math.Abs(x))/12)) }, false},
		"mound":      {func(x, y float64) float64 { return min(1, max(0, (30-math.Hypot(x, y))/12)) }, false},
		"terrace with a ramp": {func(x, y float64) float64 {
			return max(step(within(x, y, 20, 20)), step(math.Abs(y) < 4)*min(1, max(0, (40-x)/20)))
		}, false},
		"pit":     {func(x, y float64) float64 { return -step(math.Hypot(x, y) < 25) }, false},
		"cutting": {func(x, _ float64) float64 { return -step(math.Abs(x) < 8) }, false},
		"wall":    {func(x, _ float64) float64 { return -step(x < -20) }, false},
	} {
		for _, high := range []float64{2.5, 6} {
			for _, apart := range []float64{0.4, 1, 1.6} {
				s, x, y := scattered(t, size, apart,
					func(px, py float64) float64 { return high * c.height(px, py) })
				s.terrain = s.findTerrain()
				for i, from := range s.Cloud.Order {
					walled := s.terrain.walled[s.terrain.cell[i]]
					middle := max(math.Abs(x[from]), math.Abs(y[from])) < 2
					corner := max(math.Abs(x[from]-(size/2-2)), math.Abs(y[from]-(size/2-2))) < 2
					if middle {
						must.Need(t, walled == c.walled,
							"%s of %g m, points %g m apart: walls around the middle: got %v, want %v",
							name, high, apart, walled, c.walled)
					}
					if corner {
						must.Need(t, !walled,
							"%s of %g m, points %g m apart: walled is true", name, high, apart)
					}
				}
			}
		}
	}
}

// TestVoids: a field of 60 × 60 m and a pond of 20 × 20 m that returns no pulse, at two densities. Inside the
// field nothing is missing, at the border of the tile neither; at the pond's side near to half of the cells
// are empty.
func TestVoids(t *testing.T) {
	for _, step := range []float64{0.5, 1} {
		var x, y, z []float64
		for px := step / 2; px < 60; px += step {
			for py := step / 2; py < 60; py += step {
				if px < 20 || px > 40 || py < 20 || py > 40 {
					x, y, z = append(x, px), append(y, py), append(z, 0)
				}
			}
		}
		s := surveyed(t, x, y, z)
		near, wide := s.voids()
		voids := [2][]float32{make([]float32, len(x)), make([]float32, len(x))}
		near(voids[0])
		wide(voids[1])
		for i := range s.Cloud.Len() {
			p := s.Cloud.Position(uint32(i)).Add(s.Cloud.Origin)
			beside := math.Abs(p.X-30) < 10.1+step && math.Abs(p.Y-30) < 5 // the middle of a side
			far := max(math.Abs(p.X-30), math.Abs(p.Y-30)) > 10+25*step
			for k, share := range voids {
				// the wide window is wider than the pond at the second density
				want := []float64{0.4, min(0.4, 0.2/step)}[k]
				if share[i] < 0 || share[i] >= 1 || far && share[i] != 0 || beside &&
					math.Abs(float64(share[i])-want) > 0.15 {
					t.Fatalf("step %g, window %d: %g of the cells around %v are empty", step, k, share[i], p)
				}
			}
		}
	}
}

// TestExtremesAgreeWithBruteForce compares the sliding window with a loop over each window.
func TestExtremesAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 7, 40} {
		from, to := make([]float32, n), make([]float32, n)
		for i := range from {
			from[i] = float32(r.IntN(9))
		}
		for _, half := range []int{1, 3, 50} {
			for _, highest := range []bool{false, true} {
				extremes(to, from, 0, 1, n, half, highest)
				for i := range to {
					part := from[max(0, i-half):min(n, i+half+1)]
					want := slices.Min(part)
					if highest {
						want = slices.Max(part)
					}
					must.Need(t, to[i] == want, "%d within %d of %v: %g, want %g", i, half, from, to[i], want)
				}
			}
		}
	}
}
