// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"cmp"
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/partition/base/arrays"
)

// levelStep is the height in metres within which adjacent flat superpoints belong to one level body, and by
// which its rim lies lower or higher: a few times the noise of airborne lidar.
const levelStep = 0.12

// A superpoint is flat if it is ground by SMRF, thin and level, or too small to tell.
const (
	flatThickness = 0.4 // metres
	flatNormal    = 0.9 // least z of the normal
	flatSmall     = 4   // points
)

// The banks of a body tell how rough the land is if there are leastBanks of them with bankPoints points each.
const (
	leastBanks = 5
	bankPoints = 10
)

// Body describes the level body of a superpoint: flat superpoints that adjoin each other at one height.
// Standing water is one level body with nothing lower at its rim. A superpoint that is not flat has a body
// with Area 0.
type Body struct {
	Area     float32 // m²
	Tilt     float32 // slope of the plane through its points, metres per metre
	Residual float32 // standard deviation of its points from that plane, metres
	Lower    float32 // share of the superpoints at its rim whose terrain lies more than levelStep lower
	Higher   float32 // share of those whose terrain lies more than levelStep higher
	Voids    float32 // share of empty cells around it, see voids, less the cloud's median
	Density  float32 // log ratio of its points per m² to the cloud's median

	// Not features, but evidence of water: see evidence.go.
	Sparse float32 // log ratio of the points per m² of the cloud's median, or of denser banks, to its own
	Dark   float32 // log ratio of the intensity of its banks to its own; 0 without intensity
	Across float32 // difference in height of its plane across its longest axis, metres
	Smooth float32 // thickness of its banks over its Residual; 0 where few banks tell

	seed   int  // superpoint from which it grew; −1 for none
	walled bool // whether most of the superpoint's points are of a walled component
	steep  bool // whether most are of a steep one
	sheet  bool // whether the superpoint is of a sheet, see there
	sunk   bool // whether it is under one
	inner  bool // whether all superpoints that adjoin it are of its body
}

// bodyNames are the features of a superpoint's body.
var bodyNames = []string{"body_area", "body_tilt", "body_residual", "body_lower", "body_higher", "body_voids",
	"body_density"}

// columns returns the features.
func (b *Body) columns() []float32 {
	return []float32{float32(math.Log1p(float64(b.Area))), float32(math.Log(float64(b.Tilt) + 3e-4)),
		logLength(float64(b.Residual)), b.Lower, b.Higher, b.Voids, b.Density}
}

// noBody is the body of a superpoint that is not flat.
var noBody = Body{Tilt: 0.05, Residual: 0.3, seed: -1}

// surface is what bodies are grown from: means over the points of each superpoint.
type surface struct {
	height, terrain []float64 // of the centroid and of the SMRF surface below it, metres
	voids, density  []float64
	bright          []float64    // mean logarithm of the intensity
	thick           []float64    // metres; 0 for those too small or too steep to tell
	flat, land      []bool       // land: mostly ground by SMRF
	walled, steep   []bool       // of most points, see terrain
	moments         [][6]float64 // xx, xy, xz, yy, yz, zz about the centroid, m²
	near            [][]int32    // superpoints that adjoin, or are nearest in plan
}

// bodies returns the body of each superpoint.
func (f *Features) bodies(s *Superpoints, m *arrays.Groups, voids []float32, g *Graph) []Body {
	u := f.surface(s, m, voids, g)
	bodies := slices.Repeat([]Body{noBody}, f.Len())
	of := slices.Repeat([]int{-1}, f.Len())
	order := make([]int, f.Len())
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(f.Size[b]) - int(f.Size[a]) })
	median := f.median(order, u.voids)
	for _, seed := range order {
		if of[seed] >= 0 || !u.flat[seed] {
			continue
		}
		inside, rim := u.grow(seed, of)
		b := u.describe(f, inside, s.spacing())
		b.Voids -= float32(median)
		b.seed = seed
		u.edge(&b, u.height[seed], rim)
		for _, k := range inside {
			bodies[k] = b
		}
	}
	for k := range bodies {
		bodies[k].walled = u.walled[k]
		bodies[k].steep = u.steep[k]
	}
	findInner(bodies, g)
	f.sheets(s, m, bodies)
	return bodies
}

// findInner marks the superpoints inside of bodies. Those at the rim, or alone, may be in part of the banks.
func findInner(bodies []Body, g *Graph) {
	for k := range bodies {
		b := &bodies[k]
		alone := true
		beside := false
		for _, other := range g.Touching[k*Fan : (k+1)*Fan] {
			alone = alone && int(other) == k
			beside = beside || bodies[other].seed != b.seed
		}
		b.inner = b.seed >= 0 && !alone && !beside
	}
}

// edge describes the rim of a body at a height, and compares the body with its banks: the land at the rim
// that is higher.
func (u *surface) edge(b *Body, height float64, rim []int) {
	density := []float64{0} // 0 is the cloud's median
	var bright, thick []float64
	for _, k := range rim {
		d := u.terrain[k] - height
		if d < -levelStep {
			b.Lower++
		}
		if d <= levelStep {
			continue
		}
		b.Higher++
		if u.land[k] {
			density = append(density, u.density[k])
			bright = append(bright, u.bright[k])
		}
		if u.land[k] && u.thick[k] > 0 {
			thick = append(thick, u.thick[k])
		}
	}
	b.Smooth = 0
	if len(thick) >= leastBanks {
		b.Smooth = float32(arrays.Median(thick)) / max(b.Residual, shortest)
	}
	all := float32(max(1, len(rim)))
	b.Lower /= all
	b.Higher /= all
	slices.Sort(density)
	b.Sparse = float32(max(0, density[len(density)/4])) - b.Density
	if len(bright) == 0 {
		b.Dark = 0
		return
	}
	slices.Sort(bright)
	b.Dark += float32(bright[len(bright)/2])
}

// newSurface returns a surface of superpoints whose means are 0.
func newSurface(n int) *surface {
	return &surface{
		height:  make([]float64, n),
		terrain: make([]float64, n),
		voids:   make([]float64, n),
		density: make([]float64, n),
		bright:  make([]float64, n),
		thick:   make([]float64, n),
		flat:    make([]bool, n),
		land:    make([]bool, n),
		walled:  make([]bool, n),
		steep:   make([]bool, n),
		moments: make([][6]float64, n),
		near:    make([][]int32, n),
	}
}

// surface computes the means.
func (f *Features) surface(s *Superpoints, m *arrays.Groups, voids []float32, g *Graph) *surface {
	u := newSurface(f.Len())
	thickness, normal := slices.Index(f.Names, "thickness"), slices.Index(f.Names, "normal_z")
	for k := range f.Len() {
		u.add(s, k, m.Of(k), r3.Vector{X: f.Place[k][0], Y: f.Place[k][1], Z: f.Place[k][2]}, voids)
		row := f.Row(k)
		thin := row[thickness] < logLength(flatThickness)
		level := row[normal] > flatNormal
		u.flat[k] = u.land[k] && (f.Size[k] < flatSmall || thin && level)
		if level && f.Size[k] >= bankPoints {
			u.thick[k] = math.Exp(float64(row[thickness])) - shortest
		}
		near := slices.Concat(g.Touching[k*Fan:(k+1)*Fan], g.Near[k*Fan:k*Fan+Fan/2])
		slices.Sort(near)
		u.near[k] = slices.Compact(near)
	}
	return u
}

// add sets the means of superpoint k with its points and their centroid.
func (u *surface) add(s *Superpoints, k int, points []uint32, centre r3.Vector, voids []float32) {
	t, intensity := s.terrain, s.Attributes[intensityName]
	ground := 0
	walled := 0
	steep := 0
	share := 1 / float64(max(1, len(points)))
	for _, i := range points {
		d := s.Cloud.Position(i).Sub(centre)
		for a, v := range [6]float64{d.X * d.X, d.X * d.Y, d.X * d.Z, d.Y * d.Y, d.Y * d.Z, d.Z * d.Z} {
			u.moments[k][a] += v * share
		}
		u.terrain[k] -= float64(t.smrf[i]) * share
		u.voids[k] += float64(voids[i]) * share
		u.density[k] += float64(t.density[t.cell[i]]) * share
		if intensity != nil {
			u.bright[k] += math.Log1p(float64(max(0, intensity[i]))) * share
		}
		if t.ground(int(i)) {
			ground++
		}
		if !s.isLow(int(i)) {
			continue
		}
		if t.walled[t.cell[i]] {
			walled++
		}
		if t.steep[t.cell[i]] {
			steep++
		}
	}
	u.height[k] = centre.Z
	u.terrain[k] += centre.Z
	u.land[k] = 2*ground > len(points)
	u.walled[k] = 2*walled > len(points)
	u.steep[k] = 2*steep > len(points)
}

// median returns the median of values over the points. order lists all superpoints.
func (f *Features) median(order []int, values []float64) float64 {
	sorted, all := slices.Clone(order), 0.0
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	for _, size := range f.Size {
		all += float64(size)
	}
	sum := 0.0
	for _, k := range sorted {
		if sum += float64(f.Size[k]); 2*sum >= all {
			return values[k]
		}
	}
	return 0
}

// grow returns the superpoints of the body of a seed, and those at its rim, both ascending. Those of the body
// get the seed in of.
func (u *surface) grow(seed int, of []int) (inside, rim []int) {
	of[seed] = seed
	inside = []int{seed}
	for at := 0; at < len(inside); at++ {
		for _, j := range u.near[inside[at]] {
			k := int(j)
			level := math.Abs(u.height[k]-u.height[seed]) <= levelStep
			switch {
			case of[k] == seed:
			case of[k] < 0 && u.flat[k] && level:
				of[k] = seed
				inside = append(inside, k)
			case !level || !u.flat[k]:
				rim = append(rim, k)
			}
		}
	}
	slices.Sort(inside)
	slices.Sort(rim)
	return inside, slices.Compact(rim)
}

// describe returns the body of superpoints, without its rim; Voids are not relative yet.
func (u *surface) describe(f *Features, inside []int, spacing float64) (b Body) {
	total := 0.0
	for _, k := range inside {
		total += float64(f.Size[k])
	}
	var centre [3]float64
	for _, k := range inside {
		for a := range centre {
			centre[a] += float64(f.Size[k]) / total * f.Place[k][a]
		}
	}
	var c [6]float64
	var voids, density, bright float64
	for _, k := range inside {
		share := float64(f.Size[k]) / total
		x := f.Place[k][0] - centre[0]
		y := f.Place[k][1] - centre[1]
		z := f.Place[k][2] - centre[2]
		for a, v := range [6]float64{x * x, x * y, x * z, y * y, y * z, z * z} {
			c[a] += share * (u.moments[k][a] + v)
		}
		voids += share * u.voids[k]
		density += share * u.density[k]
		bright += share * u.bright[k]
	}
	c[0], c[3] = c[0]+1e-3, c[3]+1e-3 // m², so that points on a line have a plane
	determinant := c[0]*c[3] - c[1]*c[1]
	east, north := (c[2]*c[3]-c[4]*c[1])/determinant, (c[4]*c[0]-c[2]*c[1])/determinant
	sin, cos := math.Sincos(math.Atan2(2*c[1], c[0]-c[3]) / 2) // of the body's longest axis
	width := 2 * math.Sqrt(max(0, (c[0]+c[3])/2-math.Hypot((c[0]-c[3])/2, c[1])))
	return Body{Area: float32(total * spacing * spacing), Tilt: float32(math.Hypot(east, north)),
		Across:   float32(math.Abs(north*cos-east*sin) * width),
		Residual: float32(math.Sqrt(max(0, c[5]-east*c[2]-north*c[4]))), Voids: float32(voids),
		Density: float32(density),
		Dark:    -float32(bright)}
}
