// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/cube"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
)

// moments are the number of points of a cube, and the sums of their coordinates in the cube
// and of products of these coordinates, in steps of 1/cubeSteps of a near cube. They are
// exact: a coordinate is below 2^12 steps even in a far cube, so the sums of 2^39 points fit
// in 63 bits.
type moments struct{ n, x, y, z, xx, xy, xz, yy, yz, zz int64 }

const (
	// Three coordinates of cubeBits bits fit 32 bits (site). A step is then 6/1024 of the spacing of
	// points.
	cubeBits  = 10
	cubeSteps = 1 << cubeBits
)

// Coordinates are counted from the corner of the point's own cube, 0 to cubeSteps−1, and not from the
// anchor: sums of squares of the latter could exceed 63 bits.
func (m *moments) add(x, y, z int64) {
	m.n++
	m.x = m.x + x
	m.y = m.y + y
	m.z = m.z + z
	m.xx = m.xx + x*x
	m.xy = m.xy + x*y
	m.xz = m.xz + x*z
	m.yy = m.yy + y*y
	m.yz = m.yz + y*z
	m.zz = m.zz + z*z
}

// merge adds moments whose positions are first moved by a vector.
//
// Moving n points by a vector (a, b, c) adds n·a to the sum of x, and to the sums of products
//
//	Σ(x+a)² = Σx² + 2a Σx + n a²,   Σ(x+a)(y+b) = Σxy + a Σy + b Σx + n a b
//
// so moments around one point become moments around another without the points themselves. All terms
// are integers: the result does not depend on the order in which cubes are merged.
func (m *moments) merge(o *moments, x, y, z int64) {
	m.n += o.n
	m.x = m.x + o.x + o.n*x
	m.y = m.y + o.y + o.n*y
	m.z = m.z + o.z + o.n*z
	m.xx += o.xx + 2*x*o.x + o.n*x*x
	m.yy += o.yy + 2*y*o.y + o.n*y*y
	m.zz += o.zz + 2*z*o.z + o.n*z*z
	m.xy += o.xy + x*o.y + y*o.x + o.n*x*y
	m.xz += o.xz + x*o.z + z*o.x + o.n*x*z
	m.yz += o.yz + y*o.z + z*o.y + o.n*y*z
}

// contextRow holds the contextValues of a corner.
type contextRow [contextCount]float32

// describe returns the row of a corner from moments relative to it. edge is the edge of a
// cube in steps, plane the number of points that a plane through the eight cubes has on
// average.
//
// The first division is here, after all sums: covariance = Σxx/n − mean². It is the difference of two large
// numbers, and rounding may make a variance that should be 0 slightly negative; max corrects that.
// Covariances that are 0 give ratios of 0 (shape.Dimensionality).
func (m *moments) describe(edge, plane float64) (row contextRow) {
	if m.n == 0 {
		return row
	}
	// Exact for less than 2²⁹ points, as sums are then below 2⁵³: coordinates from a corner are below 2¹²
	// steps.
	n := float64(m.n)
	x := float64(m.x) / n
	y := float64(m.y) / n
	z := float64(m.z) / n
	c := shape.Covariance{
		XX: max(float64(m.xx)/n-x*x, 0), XY: float64(m.xy)/n - x*y, XZ: float64(m.xz)/n - x*z,
		YY: max(float64(m.yy)/n-y*y, 0), YZ: float64(m.yz)/n - y*z, ZZ: max(float64(m.zz)/n-z*z, 0),
	}
	l := c.Eigenvalues()
	ratios := shape.Dimensionality(l)
	// No value has a unit: ratios have none, the height is in edges, and the number of points is divided by
	// the number on a plane. The corner is the zero of z, so −z is its height above the mean of the points.
	return contextRow{ratios.Planarity, ratios.Scattering, c.Verticality(l), float32(-z / edge),
		float32(arithmetic.Log(n / plane))}
}

// scale is one of the two scales of context.
type scale struct {
	cubes *cube.Table[moments]
	edge  int64 // of a cube in steps
	// indices in rows of the corners of every cube; x is bit 0 of the place, y 1, z 2
	start  [][8]uint32
	rows   []contextRow        // of corners
	places [contextCount]int32 // index of each value in a row of the table, or −1
}

// site is the position of a point: the index of its cube of the near scale, and its
// coordinates in the cube, in steps, cubeBits for each axis.
//
// Memory: 8 bytes a point, where a key and three coordinates would take 24.
type site struct{ cube, at uint32 }

// cubePosition is the position of a near cube in a scale: the index of the scale's cube (noCube:
// one without points), and the corner of the near cube in it, in steps.
type cubePosition struct {
	cube uint32
	at   [3]int32
}

// corners computes the rows of the corners of all cubes. Corners are divided into shares, of which workers
// take one after the other; those near one another are mostly of one share, so that their rows are near one
// another, too.
//
// Two steps. A corner belongs to up to eight cubes, which workers meet at different times, so each cube first
// sorts its corners by the share that they belong to. Then one worker for each share collects its corners in
// a table of its own, with the cubes around each, and no lock is needed. Rows are numbered by share, and the
// share depends on the key of the corner only, so neither the values nor the numbers depend on the workers.
func (s *scale) corners(run parallel.Run) (err error) {
	defer parallel.Catch(&err)
	const block = 1 << 9
	cubes := s.cubes.Keys
	// As many as follow from the cubes, not from the threads: the numbers of rows depend on it.
	shares := min(64, 1+len(cubes)/256)
	// 8 · cube in block + place, by share
	found := parallel.Map(run, len(cubes), block, func(lo, hi int) arrays.Groups {
		share := make([]uint32, 8*(hi-lo))
		for k := range share {
			c := cornerOf(cubes[lo+k/8], int32(k%8))
			// Blocks of 4 × 4 × 4 corners have one share. By the hash of single corners, the corners of
			// one cube would be in up to eight shares.
			share[k] = uint32(cube.Key{c[0] >> 2, c[1] >> 2, c[2] >> 2}.Share(shares))
		}
		return arrays.GroupBy(share, shares)
	})
	own := parallel.Map(run, shares, 1, func(w, _ int) (t cube.Table[[8]uint32]) {
		// of every corner the cubes around it: index + 1, 0 for none
		t.Reserve(3 * len(cubes) / shares) // a surface has two to three corners for each occupied cube
		for b := range found {
			for _, k := range found[b].Of(w) {
				// Of the eight cubes around a corner, cube i is the one whose corner c this is. No other cube
				// has that corner at place c, so each place of Values[at] is set at most once. A share visits
				// blocks in order, so that its corners are numbered by their first cubes.
				i := b*block + int(k/8)
				c := int32(k % 8)
				at := t.Add(cornerOf(cubes[i], c))
				t.Values[at][c] = uint32(i + 1)
			}
		}
		return t
	})
	first := make([]uint32, shares)
	for w := range own {
		first[w] = uint32(len(own[w].Keys))
	}
	s.start = make([][8]uint32, len(cubes))
	// Begin replaces the numbers of corners by their sums: first[w] becomes the first row of share w.
	s.rows = make([]contextRow, arrays.Begin(first))
	side := 2 * float64(s.edge) / cubeSteps * nearCube // of the cubes around a corner, in spacings
	return run.ForEach(shares, 1, func(w int) {
		for i := range own[w].Values {
			var around moments
			// One share has the corner, so one worker alone writes its row and its place in start.
			row := first[w] + uint32(i)
			for c, cube := range own[w].Values[i] {
				if cube > 0 {
					x := int64(c & 1)
					y := int64(c >> 1 & 1)
					z := int64(c >> 2)
					// The cube at place c begins an edge before the corner along each axis whose bit is set
					// in c. Moved by that, positions in the cube become positions from the corner.
					around.merge(&s.cubes.Values[cube-1], -x*s.edge, -y*s.edge, -z*s.edge)
					s.start[cube-1][c] = row
				}
			}
			s.rows[row] = around.describe(float64(s.edge), side*side)
		}
	})
}

// cornerOf returns the corner of a cube at a place.
//
// A corner has the key of the cube that begins at it: the corner at place 0 has the key of its own cube.
func cornerOf(k cube.Key, c int32) cube.Key { return cube.Key{k[0] + c&1, k[1] + c>>1&1, k[2] + c>>2} }

// interpolate writes the context of points to the rows of a table, and their scattering to scattered,
// if it is not nil. sites and scattered have an entry for every point of the cloud; cubes maps near
// cubes to cubes of this scale.
//
// The weights are trilinear: (1−x) or x times (1−y) or y times (1−z) or z, by the side on which a corner is.
// At the face between two cubes only the four corners that they share have a weight, so the value is the same
// from both sides.
//
// float32(w * row[k]) is a conversion of a float32, and does have an effect: without it the compiler may fuse
// the product and the sum that follows, which rounds once instead of twice (Go specification, "Floating-point
// operators"), and other processors would get other bits.
func (s *scale) interpolate(sites []site, cubes []cubePosition, points []uint32, table []float32, width int,
	scattered []float32) {
	per := 1 / float32(s.edge)
	for k, i := range points {
		// Zero for a point in a cube without points that count. It is written below like any other value,
		// because rows is memory of the caller, who uses it again for each block of points.
		p := sites[i]
		var planarity, scattering, verticality, height, density float32
		if in := &cubes[p.cube]; in.cube != noCube {
			// Steps are below 2¹², so float32 has them exactly. The upper two bits of p.at are 0, and z needs
			// no mask.
			x := float32(in.at[0]+int32(p.at&(cubeSteps-1))) * per
			y := float32(in.at[1]+int32(p.at>>cubeBits&(cubeSteps-1))) * per
			z := float32(in.at[2]+int32(p.at>>(2*cubeBits))) * per
			plane := [4]float32{(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y}
			corners := &s.start[in.cube]
			// In the order of places: sums of floats depend on it.
			for c := range 8 {
				w := plane[c&3] * z
				if c < 4 {
					w = plane[c&3] * (1 - z)
				}
				row := &s.rows[corners[c]]
				planarity += float32(w * row[0])
				scattering += float32(w * row[1])
				verticality += float32(w * row[2])
				height += float32(w * row[3])
				density += float32(w * row[4])
			}
		}
		row := table[k*width:]
		for v, value := range [contextCount]float32{planarity, scattering, verticality, height, density} {
			if at := s.places[v]; at >= 0 {
				row[at] = value
			}
		}
		if scattered != nil {
			scattered[i] = scattering
		}
	}
}

// noCube stands for a cube without points, or with isolated ones only: context is 0 there.
const noCube = math.MaxUint32

// widen returns the cubes of the far scale, and the positions in each scale of the near cubes
// and, after them, of others, which have isolated points only.
func widen(near *cube.Table[moments], others []cube.Key) (far *cube.Table[moments], in [2][]cubePosition) {
	far = new(cube.Table[moments])
	for k := range in {
		in[k] = make([]cubePosition, 0, len(near.Keys)+len(others))
	}
	// Numbers of positions are those that sites have: near cubes first, then others (nearCubes).
	for i, k := range near.Keys {
		wide, at := farther(k)
		cube := far.Add(wide)
		far.Values[cube].merge(&near.Values[i], int64(at[0]), int64(at[1]), int64(at[2]))
		in[0] = append(in[0], cubePosition{cube: uint32(i)})
		in[1] = append(in[1], cubePosition{uint32(cube), at})
	}
	for _, k := range others {
		wide, at := farther(k)
		// Found, not added: a far cube with isolated points only must not have corners, or these points would
		// have an effect on the rows around them.
		cube := uint32(far.Find(wide)) // −1 is noCube
		in[0] = append(in[0], cubePosition{cube: noCube})
		in[1] = append(in[1], cubePosition{cube, at})
	}
	return far, in
}

// farther returns the far cube that a near cube is in, and its position there, in steps.
//
// FloorDiv, not the division of Go, which rounds toward 0: cubes −2 to 2 would else be in one far cube.
func farther(k cube.Key) (wide cube.Key, at [3]int32) {
	for a := range k {
		wide[a] = int32(arithmetic.FloorDiv(int64(k[a]), farCubes))
		at[a] = (k[a] - farCubes*wide[a]) * cubeSteps
	}
	return wide, at
}

// cubeLocator computes the near cubes of points and the steps in them. A step is a fraction of
// the spacing, not rounded to whole units, and steps are counted from one point of the survey.
// So a cloud whose lengths are all multiplied by a factor has the same context.
type cubeLocator struct {
	per  float64  // steps per unit
	from [3]int64 // offset of the cloud's origin from that point, in units
	at   cube.Key // cube of the last point
}

// onEdge is added to coordinates in steps, so that a point on the boundary of two cubes is in the same one
// however the product is rounded. The five roundings from the spacing to the product have a relative error
// below 6·10⁻¹⁶, which is less than onEdge up to 1.6·10⁹ steps, 9 million spacings from the anchor.
const onEdge = 1e-6

// spacing is the reference spacing and s.cloud the scaled cloud, so that both have one unit of length. No
// cube near the anchor has the index MinInt32: the first point is in another cube than at.
func (s *Inputs) newCubeLocator(spacing float64, from [3]int64) cubeLocator {
	return cubeLocator{per: cubeSteps * s.cloud.Unit / (nearCube * spacing), from: from,
		at: cube.Key{math.MinInt32}}
}

// in sets at to the cube of a point, and returns the point's steps in it and whether the cube
// differs from the cube of the point before.
func (c *cubeLocator) in(p *[3]int32) (at [3]int64, moved bool) {
	var k cube.Key
	for a := range at {
		// The inner conversion keeps product and sum from being fused: rounded once instead of twice, the sum
		// could be on the other side of a whole number on another processor.
		step := int64(math.Floor(float64(float64(c.from[a]+int64(p[a]))*c.per) + onEdge))
		// A shift rounds down and a mask has no sign, as needed before the anchor: step −1 is the last of
		// cube −1. By division and remainder it would be step −1 of cube 0.
		k[a] = int32(step >> cubeBits)
		at[a] = step & (cubeSteps - 1)
	}
	moved, c.at = k != c.at, k
	return at, moved
}

// nearCubes computes the moments of each cube of the near scale, without isolated points (out),
// and the sites of all points. The cubes of others have isolated points only; their indices
// follow the indices of near.
//
// Three passes over the points: moments of cubes by block, each with a numbering of its own; the isolated
// points, which may be alone in their cubes; the numbers of a block replaced by the numbers of the
// complete table (collect).
func (s *Inputs) nearCubes(run parallel.Run, from cubeLocator, out []bool) (near *cube.Table[moments],
	others []cube.Key,
	sites []site, err error) {
	sites = make([]site, s.Len())
	near, numbers, err := collect(run, s.Len(), func(part *cube.Table[moments], lo, hi int) {
		// A copy for each block, since in changes it. At the first point moved is true, so cube is set before
		// it is read.
		w, cube := from, 0
		for i := lo; i < hi; i++ {
			if out[i] {
				continue
			}
			at, moved := w.in(&s.cloud.XYZ[i])
			if moved {
				cube = part.Add(w.at)
			}
			part.Values[cube].add(at[0], at[1], at[2])
			sites[i] = newSite(cube, at)
		}
	}, func(m, o *moments) { m.merge(o, 0, 0, 0) })
	if err != nil {
		return nil, nil, nil, err
	}
	for i, is := range out {
		if is {
			// After the first pass near is complete. A point gets the number of its cube in near; if near
			// lacks the cube, a new number, even if another isolated point is in the same cube: numbers only
			// have to lead to positions.
			at, _ := from.in(&s.cloud.XYZ[i])
			cube := near.Find(from.at)
			if cube < 0 {
				cube = len(near.Keys) + len(others)
				others = append(others, from.at)
			}
			sites[i] = newSite(cube, at)
		}
	}
	block := collectBlock(s.Len())
	return near, others, sites, run.For(s.Len(), block, func(lo, hi int) {
		// The blocks of collect, so that list has the numbers of their cubes. Isolated points have their
		// numbers already.
		list := numbers[lo/block]
		for i := lo; i < hi; i++ {
			if !out[i] {
				sites[i].cube = list[sites[i].cube]
			}
		}
	})
}

func newSite(cube int, at [3]int64) site {
	return site{uint32(cube), uint32(at[0] | at[1]<<cubeBits | at[2]<<(2*cubeBits))}
}

// context returns the function that writes the columns of context. Isolated points (out) have
// no effect on it.
func (s *Inputs) context(run parallel.Run, spacing float64, from [3]int64, out []bool) (fill, error) {
	// Far cubes are merged from near ones, so points are read for one scale only. Sums are the same, because
	// they add integers.
	near, others, sites, err := s.nearCubes(run, s.newCubeLocator(spacing, from), out)
	if err != nil {
		return nil, err
	}
	far, cubes := widen(near, others)
	scales := &[2]scale{{cubes: near, edge: cubeSteps}, {cubes: far, edge: farCubes * cubeSteps}}
	for k := range scales {
		if err := scales[k].corners(run); err != nil {
			return nil, err
		}
		for v := range contextCount {
			scales[k].places[v] = s.place(contextColumn(k, v))
			// Rows of Context begin with column kept (Columns has those before it), so places are counted
			// from there.
			if s.kept < s.width && scales[k].places[v] >= 0 {
				scales[k].places[v] -= int32(s.kept)
			}
		}
	}
	// Both only read scales and sites. Calls for different points write to different rows, and may run at
	// once. Scattering is computed from the near scale.
	return func(points []uint32, rows []float32, stride int) {
		scales[0].interpolate(sites, cubes[0], points, rows, stride, s.scattering)
		scales[1].interpolate(sites, cubes[1], points, rows, stride, nil)
	}, nil
}
