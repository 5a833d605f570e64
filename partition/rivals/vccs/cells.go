// SPDX-License-Identifier: BSD-3-Clause

package vccs

import (
	"math"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
)

// block is the number of cells of a task.
const block = 4096

// cells are the voxels, which are clustered.
type cells struct {
	cloud  *neighbor.Cloud
	of     []uint32     // cell of each point
	at     [][3]int32   // mean position in units of the cloud
	normal [][3]float32 // unoriented unit normals
	color  [][3]float32 // mean colour; nil without colours
	start  []uint32     // cells + 1
	head   []uint32     // neighbours of cell i: head[start[i]:start[i+1]]
}

func (c *cells) len() int { return len(c.at) }

func (c *cells) around(i int) []uint32 { return c.head[c.start[i]:c.start[i+1]] }

// voxelCells groups points by voxel. A voxel's normal is computed from the mean
// positions of the voxels within two steps, each counted once for every path of at most
// two steps to it, as in the Point Cloud Library.
func voxelCells(run parallel.Run, in Input, resolution float64) (c *cells, err error) {
	defer parallel.Catch(&err)
	grid, err := supervoxel.NewGrid(in.Cloud.XYZ, in.Cloud.Unit, in.Cloud.Origin, resolution)
	if err != nil {
		return nil, err
	}
	c = &cells{cloud: in.Cloud, of: grid.Cell}
	c.average(grid, in)
	c.connect(run, grid)
	c.estimate(run)
	return c, nil
}

// average sets the mean position and colour of every voxel.
func (c *cells) average(grid *supervoxel.Grid, in Input) {
	n := grid.Len()
	count := make([]int64, n)
	sum := make([][3]int64, n)
	for i, v := range grid.Cell {
		p := &in.Cloud.XYZ[i]
		count[v]++
		sum[v][0] += int64(p[0])
		sum[v][1] += int64(p[1])
		sum[v][2] += int64(p[2])
	}
	c.at = make([][3]int32, n)
	for v := range n {
		for a := range 3 {
			c.at[v][a] = int32(sum[v][a] / count[v])
		}
	}
	if in.Color == nil {
		return
	}
	c.color = make([][3]float32, n)
	for i, v := range grid.Cell {
		for a := range 3 {
			c.color[v][a] += in.Color[i][a] / float32(count[v])
		}
	}
}

// connect sets the neighbours of each voxel: the occupied voxels among the 26 around it.
func (c *cells) connect(run parallel.Run, grid *supervoxel.Grid) {
	n := grid.Len()
	c.start = make([]uint32, n+1)
	parts := make([][]uint32, (n+block-1)/block)
	run.Do(n, block, func(lo, hi int) {
		part := make([]uint32, 0, 12*(hi-lo))
		for v := lo; v < hi; v++ {
			before := len(part)
			grid.Around(uint32(v), func(u uint32) { part = append(part, u) })
			c.start[v+1] = uint32(len(part) - before)
		}
		parts[lo/block] = part
	})
	for v := range n {
		c.start[v+1] += c.start[v]
	}
	c.head = make([]uint32, 0, c.start[n])
	for _, part := range parts {
		c.head = append(c.head, part...)
	}
}

// estimate sets the normals. Sums over all paths of at most two steps are sums,
// over a voxel and its neighbours, of such sums of one step.
func (c *cells) estimate(run parallel.Run) {
	n := c.len()
	near := make([]shape.Moments, n)
	run.Each(n, block, func(v int) {
		m := &near[v]
		c.add(m, uint32(v))
		for _, u := range c.around(v) {
			c.add(m, u)
		}
	})
	c.normal = make([][3]float32, n)
	run.Each(n, block, func(v int) {
		m := near[v]
		for _, u := range c.around(v) {
			m.Merge(&near[u])
		}
		c.normal[v] = supervoxel.NormalOf(&m)
	})
}

func (c *cells) add(m *shape.Moments, v uint32) {
	p, u := &c.at[v], c.cloud.Unit
	m.Add(float64(p[0])*u, float64(p[1])*u, float64(p[2])*u)
}

// squared returns the squared distance of two positions in units.
func squared(p, q [3]int32) float64 {
	x := float64(p[0]) - float64(q[0])
	y := float64(p[1]) - float64(q[1])
	z := float64(p[2]) - float64(q[2])
	return x*x + y*y + z*z
}

// seeds returns the initial cells of the segments, ascending: for every occupied cube
// of the seed resolution, the cell nearest to the cube's centre. A seed must have more
// voxels within R/2 than 5 % of the voxels that a plane has there, as in the Point
// Cloud Library. A cell that is the seed of two cubes is returned once.
func (c *cells) seeds(run parallel.Run, seed, voxel float64) (found []uint32, err error) {
	defer parallel.Catch(&err)
	grid, err := supervoxel.NewGrid(c.at, c.cloud.Unit, c.cloud.Origin, seed)
	if err != nil {
		return nil, err
	}
	s := &seeder{cells: c, grid: grid, members: grid.Members(), reach: seed / 2 / c.cloud.Unit}
	least := 0.05 * math.Pi * (seed / 2) * (seed / 2) / (voxel * voxel)
	found = make([]uint32, grid.Len())
	run.Each(grid.Len(), 64, func(cube int) {
		found[cube] = supervoxel.None
		if v := s.nearest(uint32(cube)); s.crowded(v, least) {
			found[cube] = v
		}
	})
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
	reach   float64 // R/2 in units of the cloud
}

func (s *seeder) in(cube uint32) []uint32 { return s.members.Of(int(cube)) }

// nearest returns the cell nearest to the centre of a cube, the lowest on ties.
// Cells outside the cube are at least R/2 from its centre, so they are searched
// only if no cell of the cube is nearer.
func (s *seeder) nearest(cube uint32) uint32 {
	center := s.grid.Center(cube)
	best := uint32(supervoxel.None)
	least := math.Inf(1)
	look := func(cube uint32) {
		for _, v := range s.in(cube) {
			p := &s.at[v]
			x := float64(p[0]) - center[0]
			y := float64(p[1]) - center[1]
			z := float64(p[2]) - center[2]
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

// crowded reports whether more than least cells lie within R/2 of a cell,
// including the cell itself.
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
