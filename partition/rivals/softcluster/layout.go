// SPDX-License-Identifier: BSD-3-Clause

package softcluster

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
)

// layout defines the sparse matrix of associations. A point can be associated with the
// centres of its own cube and of the occupied cubes among the 26 around it.
// Associations are stored by cube: the row of the r-th point of cube c begins at row(c,
// r) and has one value for each centre of near(c), in that order.
type layout struct {
	cell   []uint32      // cube of every point
	member arrays.Groups // points of every cube
	first  []uint32      // cubes + 1
	centre []uint32      // centres near cube c: centre[first[c]:first[c+1]], ascending
	mirror []uint32      // for the i-th entry (c, d) of centre: index of c in near(d)
	begin  []int         // cubes + 1: first association of each cube
}

// newLayout groups a cloud by cubes of the seed resolution in metres.
func newLayout(run parallel.Run, c *neighbor.Cloud, resolution float64) (*layout, error) {
	grid, err := supervoxel.NewGrid(c.XYZ, c.Unit, c.Origin, resolution)
	if err != nil {
		return nil, err
	}
	lists := make([][]uint32, grid.Len()) // cubes around each cube, itself included, ascending
	run.Each(len(lists), 256, func(c int) {
		list := append(make([]uint32, 0, 16), uint32(c))
		grid.Around(uint32(c), func(d uint32) { list = append(list, d) })
		slices.Sort(list)
		lists[c] = list
	})
	l := &layout{
		cell:   grid.Cell,
		member: grid.Members(),
		first:  make([]uint32, len(lists)+1),
		begin:  make([]int, len(lists)+1),
	}
	for c, list := range lists {
		l.centre = append(l.centre, list...)
		l.first[c+1] = uint32(len(l.centre))
		l.begin[c+1] = l.begin[c] + len(list)*len(l.of(c))
	}
	l.mirror = mirrorOf(lists)
	return l, nil
}

// mirrorOf returns, for every entry d of the list of every cube c, the index of c in the list of d.
func mirrorOf(lists [][]uint32) (mirror []uint32) {
	for c, list := range lists {
		for _, d := range list {
			at, _ := slices.BinarySearch(lists[d], uint32(c))
			mirror = append(mirror, uint32(at))
		}
	}
	return mirror
}

// Count returns the number of centres.
func (l *layout) Count() int { return l.member.Len() }

// Points returns the number of points.
func (l *layout) Points() int { return len(l.cell) }

// Associations returns the length of an association array.
func (l *layout) Associations() int { return l.begin[l.Count()] }

func (l *layout) of(c int) []uint32 { return l.member.Of(c) }

func (l *layout) near(c int) []uint32 { return l.centre[l.first[c]:l.first[c+1]] }

// row returns the index of the first association of the r-th point of cube c.
func (l *layout) row(c, r int) int { return l.begin[c] + r*len(l.near(c)) }

// points calls visit for every point, in parallel over cubes, with its centres and
// the index of its first association.
func (l *layout) points(run parallel.Run, visit func(point int, near []uint32, row int)) {
	l.centres(run, func(c int) {
		near := l.near(c)
		for r, p := range l.of(c) {
			visit(int(p), near, l.row(c, r))
		}
	})
}

// around calls visit for every point that can be associated with centre d, in a
// fixed order, with the index of that association.
func (l *layout) around(d int, visit func(point, at int)) {
	for i := l.first[d]; i < l.first[d+1]; i++ {
		c, slot := int(l.centre[i]), int(l.mirror[i])
		for r, p := range l.of(c) {
			visit(int(p), l.row(c, r)+slot)
		}
	}
}

// centres calls visit for every centre, in parallel.
func (l *layout) centres(run parallel.Run, visit func(d int)) { run.Each(l.Count(), 16, visit) }
