package vccs

import (
	"math"
	"slices"

	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
	"superpoint/partition/supervoxel"
)

// seeds returns the cells that segments start from, ascending: in every occupied
// cube of the seed resolution, the cell nearest to the cube's middle. A seed
// with few voxels within R/2 is dropped (fewer than a twentieth of those that a
// plane would have, the Point Cloud Library's rule), except over points.
func (c *cells) seeds(run parallel.Run, seed, voxel float64, o *Options) ([]uint32, error) {
	grid, err := supervoxel.NewGrid(c.at, c.cloud.Unit, c.cloud.Origin, seed)
	if err != nil {
		return nil, err
	}
	s := &seeder{cells: c, grid: grid, members: grid.Members(), reach: seed / 2 / c.cloud.Unit}
	least := 0.05 * math.Pi * (seed / 2) * (seed / 2) / (voxel * voxel)
	m := newMeasure(c, seed, o)
	found := make([]uint32, grid.Len())
	err = run.For(grid.Len(), 64, func(lo, hi int) {
		for cube := lo; cube < hi; cube++ {
			v := s.nearest(uint32(cube))
			found[cube] = supervoxel.None
			if !o.Points && !s.crowded(v, least) {
				continue
			}
			if o.Gradient {
				v = s.flattest(v, &m)
			}
			found[cube] = v
		}
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if n := len(found); n > 0 && found[n-1] == supervoxel.None {
		found = found[:n-1]
	}
	return found, nil
}

type seeder struct {
	*cells
	grid    *supervoxel.Grid
	members arrays.Groups
	reach   float64 // R/2 in units
}

func (s *seeder) in(cube uint32) []uint32 { return s.members.Of(int(cube)) }

// nearest returns the cell nearest to the middle of a cube, the lowest on ties.
// Nothing outside the cube is nearer than R/2.
func (s *seeder) nearest(cube uint32) uint32 {
	middle := s.grid.Middle(cube)
	best, least := uint32(supervoxel.None), math.Inf(1)
	look := func(cube uint32) {
		for _, v := range s.in(cube) {
			p := &s.at[v]
			x, y, z := float64(p[0])-middle[0], float64(p[1])-middle[1], float64(p[2])-middle[2]
			if d := x*x + y*y + z*z; d < least || d == least && v < best {
				best, least = v, d
			}
		}
	}
	look(cube)
	if least > s.reach*s.reach {
		s.grid.Around(cube, look)
	}
	return best
}

// crowded reports whether more than least cells lie within R/2 of a cell.
func (s *seeder) crowded(v uint32, least float64) bool {
	n := 0.0
	count := func(cube uint32) {
		if n > least {
			return
		}
		for _, u := range s.in(cube) {
			if squared(s.at[u], s.at[v]) <= s.reach*s.reach {
				n++
			}
		}
	}
	cube := s.grid.Cell[v]
	count(cube)
	s.grid.Around(cube, count)
	return n > least
}

// flattest returns the cell of lowest gradient among a seed and those it touches.
func (s *seeder) flattest(v uint32, m *measure) uint32 {
	best, least := v, s.gradient(v, m)
	for _, u := range s.around(int(v)) {
		if g := s.gradient(u, m); g < least || g == least && u < best {
			best, least = u, g
		}
	}
	return best
}
