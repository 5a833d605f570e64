package embed

import (
	"math"
	"slices"
	"strings"

	"superpoint/embed/shape"
	"superpoint/partition/arithmetic"
	"superpoint/partition/parallel"
)

// The context of a point is what a wider neighborhood than its nearest neighbors looks
// like, at two scales. Space is cut into cubes from the survey's origin and height 0.
// Every corner of occupied cubes is described by the points of the eight cubes around it,
// from integer sums of their positions and products; between corners, what describes them is
// interpolated, so that it is continuous. The context of a point depends on the points
// at most two cubes of the wider scale away from it, along each axis.
const (
	nearCube = 6 // reference spacings, edge of a cube of the narrower scale
	farCubes = 3 // of those, edge of a cube of the wider scale
)

// contextValues are the columns of one scale: planarity, scattering and verticality as
// in package shape; height above the mean, in cubes; density, the logarithm of the
// number of points relative to that of a plane.
var contextValues = [...]string{"planarity", "scattering", "verticality", "height", "density"}

const contextCount = len(contextValues)

const scatteringValue = 1 // of contextValues

// contextColumn returns the name of a column.
func contextColumn(scale, value int) string {
	return [...]string{"near_", "far_"}[scale] + contextValues[value]
}

func isContext(name string) bool {
	return strings.HasPrefix(name, "near_") || strings.HasPrefix(name, "far_")
}

// ContextReach returns how far from a point, along each axis, its context depends on
// other points, in spacings of the points; 0 without columns of context.
func (c *Card) ContextReach() float64 {
	if !slices.ContainsFunc(c.Inputs.uses(), func(col column) bool { return isContext(col.name) }) {
		return 0
	}
	return 2 * nearCube * farCubes
}

// moments are sums over the points of a cube, of places in it in steps of 1/cubeSteps.
type moments struct{ n, x, y, z, xx, xy, xz, yy, yz, zz int64 }

const (
	cubeBits  = 10
	cubeSteps = 1 << cubeBits
)

func (m *moments) add(x, y, z int64) {
	m.n++
	m.x, m.y, m.z = m.x+x, m.y+y, m.z+z
	m.xx, m.xy, m.xz = m.xx+x*x, m.xy+x*y, m.xz+x*z
	m.yy, m.yz, m.zz = m.yy+y*y, m.yz+y*z, m.zz+z*z
}

// merge adds other moments, of which the positions are moved by a vector.
func (m *moments) merge(o *moments, x, y, z int64) {
	m.n += o.n
	m.x, m.y, m.z = m.x+o.x+o.n*x, m.y+o.y+o.n*y, m.z+o.z+o.n*z
	m.xx += o.xx + 2*x*o.x + o.n*x*x
	m.yy += o.yy + 2*y*o.y + o.n*y*y
	m.zz += o.zz + 2*z*o.z + o.n*z*z
	m.xy += o.xy + x*o.y + y*o.x + o.n*x*y
	m.xz += o.xz + x*o.z + z*o.x + o.n*x*z
	m.yz += o.yz + y*o.z + z*o.y + o.n*y*z
}

// contextRow is what describes a corner: the values, and in cubes how far from it the mean
// of the points is in which each counts by its height above the bottom of the lowest cube.
type contextRow [contextCount + 3]float32

// describe describes the points around a corner, relative to which their moments are,
// with cubes of an edge in steps. A plane has so many points on average.
func (m *moments) describe(edge, plane float64) (row contextRow) {
	if m.n == 0 {
		return row
	}
	n := float64(m.n)
	x, y, z := float64(m.x)/n, float64(m.y)/n, float64(m.z)/n
	c := shape.Covariance{
		XX: max(float64(m.xx)/n-x*x, 0), XY: float64(m.xy)/n - x*y, XZ: float64(m.xz)/n - x*z,
		YY: max(float64(m.yy)/n-y*y, 0), YZ: float64(m.yz)/n - y*z, ZZ: max(float64(m.zz)/n-z*z, 0),
	}
	l := c.Eigenvalues()
	ratios := shape.Dimensionality(l)
	heights := (edge+1)*n + float64(m.z)
	pull := func(sum, times int64) float32 {
		return float32(((edge+1)*float64(sum) + float64(times)) / (heights * edge))
	}
	return contextRow{ratios.Planarity, ratios.Scattering, c.Verticality(l), float32(-z / edge),
		float32(arithmetic.Log(n / plane)), pull(m.x, m.xz), pull(m.y, m.yz), pull(m.z, m.zz)}
}

// scale is one scale of context.
type scale struct {
	cubes  *cells[moments]
	edge   int64        // of a cube in steps
	start  [][8]uint32  // corners of every cube
	rows   []contextRow // of corners
	places [contextCount]int32
	placing
}

// site is where a point is: in which cube of the narrower scale, and where in it, in
// steps, cubeBits for each axis.
type site struct{ cube, at uint32 }

// within is where a cube is in a scale: in which cube (noCube: none with points), and where
// in it, in steps.
type within struct {
	cube uint32
	at   [3]int32
}

// placing is how placements are found.
type placing struct {
	pull      float32 // metres of the cloud as it was read that a point is moved, for each cube of offset
	from, per float32 // damping begins at this scattering, and grows so much with it
}

// corners describes the corners of all cubes.
func (s *scale) corners(run parallel.Run) error {
	var all cells[[8]uint32]          // of every corner the cubes around it, from 1 on, and 0 for none
	all.reserve(3 * len(s.cubes.key)) // of which a surface has two to three times as many as cubes
	s.start = make([][8]uint32, len(s.cubes.key))
	for i, k := range s.cubes.key {
		for c := range int32(8) {
			x, y, z := c&1, c>>1&1, c>>2
			at := all.add(key{k[0] + x, k[1] + y, k[2] + z})
			s.start[i][c] = uint32(at)
			all.value[at][c] = uint32(i + 1)
		}
	}
	s.rows = make([]contextRow, len(all.key))
	side := 2 * float64(s.edge) / cubeSteps * nearCube // of the cubes around a corner, in spacings
	return run.For(len(s.rows), 1<<10, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var around moments
			for c, cube := range all.value[i] {
				if cube > 0 {
					x, y, z := int64(c&1), int64(c>>1&1), int64(c>>2)
					around.merge(&s.cubes.value[cube-1], -x*s.edge, -y*s.edge, -z*s.edge)
				}
			}
			s.rows[i] = around.describe(float64(s.edge), side*side)
		}
	})
}

// plain writes the values of points to the rows of a table, and their placements to placed,
// if it is not nil; cubes are where those of the points are in this scale. The kernel in C
// gives the same bits.
func (s *scale) plain(sites []site, cubes []within, table []float32, width int, placed []float32) {
	per := 1 / float32(s.edge)
	for i, p := range sites {
		var values contextRow
		if in := &cubes[p.cube]; in.cube != noCube {
			var at [3]float32
			for a := range at {
				at[a] = float32(in.at[a]+int32(p.at>>(cubeBits*a)&(cubeSteps-1))) * per
			}
			along, across, up := [2]float32{1 - at[0], at[0]}, [2]float32{1 - at[1], at[1]}, [2]float32{1 - at[2], at[2]}
			for c := range 8 {
				corner, weight := s.start[in.cube][c], along[c&1]*across[c>>1&1]*up[c>>2]
				for v := range values {
					values[v] += float32(weight * s.rows[corner][v])
				}
			}
		}
		for v, place := range s.places {
			if place >= 0 {
				table[i*width+int(place)] = values[v]
			}
		}
		if placed == nil {
			continue
		}
		row := placed[i*PlacementWidth:][:PlacementWidth]
		for a, v := range values[contextCount:] {
			row[a] = v * s.placing.pull
		}
		row[3] = min(max((values[scatteringValue]-s.placing.from)*s.placing.per, 0), 1)
	}
}

// noCube is the cube of where no point counts.
const noCube = math.MaxUint32

// widen returns the cubes of the wider scale, and where those of the narrower one, and then
// other cubes, in which no point counts, are in each scale.
func widen(near *cells[moments], others []key) (far *cells[moments], in [2][]within) {
	far = new(cells[moments])
	for k := range in {
		in[k] = make([]within, 0, len(near.key)+len(others))
	}
	for i, k := range near.key {
		wide, at := farther(k)
		cube := far.add(wide)
		far.value[cube].merge(&near.value[i], int64(at[0]), int64(at[1]), int64(at[2]))
		in[0], in[1] = append(in[0], within{cube: uint32(i)}), append(in[1], within{uint32(cube), at})
	}
	for _, k := range others {
		wide, at := farther(k)
		cube := uint32(far.find(wide)) // −1 is noCube
		in[0], in[1] = append(in[0], within{cube: noCube}), append(in[1], within{cube, at})
	}
	return far, in
}

// farther returns the cube of the wider scale that a cube is in, and where, in steps.
func farther(k key) (wide key, at [3]int32) {
	for a := range k {
		wide[a] = int32(arithmetic.FloorDiv(int64(k[a]), farCubes))
		at[a] = (k[a] - farCubes*wide[a]) * cubeSteps
	}
	return wide, at
}

// places finds where points are: numbers of cubes and of steps in them. A step is an
// exact share of the spacing, not rounded to whole units, and steps count from one point
// of the survey. So a cloud whose lengths are all multiplied has the same context.
type places struct {
	per  float64  // steps in a unit
	from [3]int64 // of the cloud's origin from that point, in units
	at   key      // cube of the point before
}

// onEdge is added to steps, so that a point on an edge is on the same side of it however
// the product is rounded.
const onEdge = 1e-6

func (s *Inputs) newPlaces(spacing float64, from [3]int64) places {
	return places{per: cubeSteps * s.cloud.Unit / (nearCube * spacing), from: from, at: key{math.MinInt32}}
}

// in returns where a point is in its cube, in steps, and whether that is not the cube of
// the point before.
func (c *places) in(p *[3]int32) (at [3]int64, moved bool) {
	var k key
	for a := range at {
		step := int64(math.Floor(float64(float64(c.from[a]+int64(p[a]))*c.per) + onEdge))
		k[a], at[a] = int32(step>>cubeBits), step&(cubeSteps-1)
	}
	moved, c.at = k != c.at, k
	return at, moved
}

// nearCubes sums up the points in each cube of the narrower scale, and finds where all
// points are: in one of these, or in one of the others, in which no point counts.
func (s *Inputs) nearCubes(run parallel.Run, from places, out []bool) (near *cells[moments], others []key,
	sites []site, err error) {
	sites = make([]site, s.Len())
	near, numbers, err := collect(run, s.Len(), func(part *cells[moments], lo, hi int) {
		w, cube := from, 0
		for i := lo; i < hi; i++ {
			if out[i] {
				continue
			}
			at, moved := w.in(&s.cloud.XYZ[i])
			if moved {
				cube = part.add(w.at)
			}
			part.value[cube].add(at[0], at[1], at[2])
			sites[i] = newSite(cube, at)
		}
	}, func(m, o *moments) { m.merge(o, 0, 0, 0) })
	if err != nil {
		return nil, nil, nil, err
	}
	for i, is := range out {
		if is {
			at, _ := from.in(&s.cloud.XYZ[i])
			cube := near.find(from.at)
			if cube < 0 {
				cube = len(near.key) + len(others)
				others = append(others, from.at)
			}
			sites[i] = newSite(cube, at)
		}
	}
	return near, others, sites, run.For(s.Len(), collectBlock, func(lo, hi int) {
		list := numbers[lo/collectBlock]
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

// context returns what writes the columns of context. Points that are left out count
// nowhere.
func (s *Inputs) context(run parallel.Run, spacing float64, from [3]int64, out []bool) (fill, error) {
	near, others, sites, err := s.nearCubes(run, s.newPlaces(spacing, from), out)
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
			if s.kept < s.width && scales[k].places[v] >= 0 {
				scales[k].places[v] -= int32(s.kept)
			}
		}
	}
	if v := s.volume; v != nil {
		scales[0].placing = placing{float32(v.Pull * nearCube * spacing / s.scale), float32(v.From),
			float32(1 / (v.To - v.From))}
	}
	return func(lo, hi int, rows []float32, stride int) {
		for k := range scales {
			var placed []float32
			if k == 0 && s.volume != nil && s.placed != nil {
				placed = s.placed[lo*PlacementWidth : hi*PlacementWidth]
			}
			scales[k].interpolate(sites[lo:hi], cubes[k], rows, stride, placed)
		}
	}, nil
}
