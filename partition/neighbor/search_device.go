// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
)

const (
	blockOf = 128  // threads of a block
	passes  = 6    // maximum number of grids, each with cells of twice the edge of the last
	widest  = 29   // log2 of the largest edge of a cell in units
	samples = 1024 // number of points by which the first grid is chosen
	few     = 1024 // number of points up to which the CPU searches instead of another grid
)

// A grid is a hash table of cubic cells: start has the end of each bucket and member the points, by bucket. A
// row is settled if its k neighbors are nearer than everything outside the 27 cells around the point
// (nearest.cu): then it is exact. Other rows are open, and are searched with cells of twice the edge, up to
// passes grids, and the rest by the CPU.
type residentSearch struct {
	gpu.Task
	cloud  *Resident
	lists  *Lists
	k      int
	run    parallel.Run
	member gpu.Pointer
	start  gpu.Pointer
	index  gpu.Pointer // rows of all points
	count  gpu.Pointer // number of queries that a grid could not settle
	mask   int
	shift  int // log2 of the edge of a cell
	last   int // the largest of them
}

// all computes the rows of all points, batch by batch, and then those that the first grid could not settle.
//
// Rows are computed and downloaded for some points at a time, so that progress is reported and open, with an
// entry for each query, stays small. s.index has the rows of all points: kernels of later steps read them
// there (Index).
func (s *residentSearch) all() {
	n := s.cloud.Host.Len()
	s.shift, s.last, s.Err = shifts(s.cloud.Host, s.k)
	s.mask = gpu.PowerOfTwo(2*n) - 1
	s.start = s.Alloc(4 * (s.mask + 1))
	s.member = s.Alloc(4 * n)
	s.index = s.Alloc(4 * n * s.k)
	rows := min(n, s.cloud.launch)
	open := s.Alloc(4 * rows)
	s.count = s.Alloc(4)

	s.grid()
	var left []uint32
	for lo := 0; lo < n && s.Err == nil; lo += rows {
		m := min(rows, n-lo)
		left = append(left, s.batch(lo, m, open)...)
		s.report(float64(lo+m) / float64(n))
	}
	s.Release(open)

	s.sparse(left)
	if s.Err == nil {
		s.cloud.index = s.Keep(s.index)
		s.cloud.lists = s.lists
	}
}

// batch computes the rows of m points from lo on, and returns the points that the grid could not settle.
//
// The download includes rows that are still open; they are overwritten when they are settled (sparse).
func (s *residentSearch) batch(lo, m int, open gpu.Pointer) []uint32 {
	at := s.index + gpu.Pointer(4*s.k*lo)
	left := s.ask(0, lo, m, at, open)
	s.Download(gpu.Bytes(s.lists.Index[lo*s.k:(lo+m)*s.k]), at)
	for i := range left {
		// from the query of this batch to the point
		left[i] += uint32(lo)
	}
	return left
}

func (s *residentSearch) report(fraction float64) {
	s.run.Progress(fraction)
	if s.Err == nil {
		s.Err = s.run.Err()
	}
}

// grid sorts the points into buckets of cells.
//
// A counting sort: sizes of buckets, their prefix sums, then the points. The order of points within a bucket
// is left to chance, and does not matter, since neighbors are ordered by a total order.
func (s *residentSearch) grid() {
	n := s.cloud.Host.Len()
	xyz := uint64(s.cloud.XYZ)
	s.Fill(s.start, 0, 4*(s.mask+1))
	s.Launch(kernels.Kernel("knn_count"), n, blockOf, 0, xyz, n, s.shift, s.k, s.start, s.mask)
	s.Scan(s.start, s.mask+1)
	s.Launch(kernels.Kernel("knn_fill"), n, blockOf, 0, xyz, n, s.shift, s.k, s.start, s.mask,
		s.member)
}

// ask computes the rows of m queries, from point first on or of the points in query, and
// returns the indices of the queries that could not be settled, sorted.
func (s *residentSearch) ask(query gpu.Pointer, first, m int, index, open gpu.Pointer) []uint32 {
	s.Fill(s.count, 0, 4)
	s.Launch(kernels.Kernel("knn_search"), m, blockOf, 0, s.cloud.XYZ, s.cloud.Host.Len(), s.shift,
		s.start, s.mask,
		s.member, query, first, m, s.k, index, open, s.count)
	var found [1]uint32
	s.Download(gpu.Bytes(found[:]), s.count)
	// found is at most m unless the launch failed; then the error is in s.Err, and the number must not be
	// trusted.
	rest := make([]uint32, min(int(found[0]), m))
	s.Download(gpu.Bytes(rest), open)
	// Threads append in any order; sorted, the work of the next grid and of the CPU is the same in every run.
	slices.Sort(rest)
	return rest
}

// sparse settles the queries that the first grid could not: with coarser grids while many are
// left, then by the CPU.
func (s *residentSearch) sparse(left []uint32) {
	first := left
	// Each grid has eight times the volume of cells: rows that lacked neighbors in the last one may find
	// them. A grid is a pass over all points, which a few rows are not worth.
	for len(left) > few && s.shift < s.last && s.Err == nil {
		left = s.coarser(left)
	}
	// Coarser grids have settled rows after the batches had been downloaded.
	if len(left) < len(first) {
		s.fetch(first)
	}
	if s.Err != nil || len(left) == 0 {
		return
	}
	s.cloud.hosted = len(left)
	s.Err = s.cloud.Host.nearestEach(len(left), s.lists.K, s.run.Quiet(), func(i int) (uint32, []uint32) {
		return left[i], s.lists.Of(int(left[i]))
	})
	s.replace(left)
}

// coarser asks a grid of twice the cell size for the rows of points, and returns the points that it could not
// settle.
//
// Cells of twice the edge have the same buckets and members arrays: the number of points is the same.
func (s *residentSearch) coarser(points []uint32) []uint32 {
	s.shift++
	s.grid()
	query := s.Upload(gpu.Bytes(points))
	open := s.Alloc(4 * len(points))
	left := s.ask(query, 0, len(points), s.index, open)
	s.Release(query)
	s.Release(open)
	return left
}

// fetch downloads the rows of some points, or all rows if these are at least half of them or
// there is no memory to pack them.
func (s *residentSearch) fetch(points []uint32) {
	if len(points) > s.lists.Points/2 || s.Backend.Memory() < 5*(s.k+1)*len(points) {
		s.Download(gpu.Bytes(s.lists.Index), s.index)
		return
	}
	rows := make([]uint32, len(points)*s.k)
	list := s.Upload(gpu.Bytes(points))
	packed := s.Alloc(4 * len(rows))
	s.Launch(kernels.Kernel("knn_rows"), len(rows), blockOf, 0, s.index, list, len(rows), s.k, packed)
	s.Download(gpu.Bytes(rows), packed)
	for i, p := range points {
		copy(s.lists.Of(int(p)), rows[i*s.k:])
	}
	s.Release(list)
	s.Release(packed)
}

// replace uploads rows that the CPU computed.
//
// Few rows are copied one by one, many with all rows in one copy.
func (s *residentSearch) replace(points []uint32) {
	const most = 1 << 12
	if len(points) > most {
		s.Copy(s.index, gpu.Bytes(s.lists.Index))
		return
	}
	for _, i := range points {
		s.Copy(s.index+gpu.Pointer(4*s.k*int(i)), gpu.Bytes(s.lists.Of(int(i))))
	}
}

// shifts returns log2 of the edges of cells of the first and the last grid, in units. The
// first edge is the distance of the k-th neighbour that three quarters of the points do not
// exceed, but at most four to eight times this distance in the densest sixteenth, so that no cell has
// too many points.
func shifts(c *Cloud, k int) (first, last int, err error) {
	squares, err := sampledSquares(c, k)
	if err != nil {
		return 0, 0, err
	}
	dense := shiftOf(squares[len(squares)/16])
	most := shiftOf(squares[len(squares)*12/16])
	first = min(most, dense+2)
	last = min(most+passes-1, widest)
	return first, last, nil
}

// sampledSquares returns the squared distances to the k-th neighbours of some points, ascending.
func sampledSquares(c *Cloud, k int) ([]float64, error) {
	n := c.Len()
	// evenly spread in the order of points, which is an order in space
	points := make([]uint32, min(n, samples))
	for i := range points {
		points[i] = uint32(i * n / len(points))
	}
	rows := &Lists{K: k, Points: len(points), Index: make([]uint32, len(points)*k)}
	each := func(i int) (uint32, []uint32) { return points[i], rows.Of(i) }
	if err := c.nearestEach(len(points), k, parallel.Run{}, each); err != nil {
		return nil, err
	}
	squares := make([]float64, len(points))
	for i, p := range points {
		squares[i] = squareBetween(c, p, rows.Of(i)[k-1])
	}
	slices.Sort(squares)
	return squares, nil
}

// squareBetween returns the squared distance of two points, in units.
//
// In float64, since only an estimate of the edge of cells follows from it; results do not depend on that
// edge.
func squareBetween(c *Cloud, p, q uint32) (square float64) {
	for axis := range 3 {
		d := float64(c.XYZ[p][axis]) - float64(c.XYZ[q][axis])
		square += d * d
	}
	return square
}

// shiftOf returns log2 of the smallest edge, a power of two, that is above the root of a square, at most the
// widest.
//
// 1 is added so that the edge is above the distance, also where that is 0.
func shiftOf(square float64) int {
	edge := math.Sqrt(square) + 1
	return min(int(math.Ceil(math.Log2(edge))), widest)
}

// Nearest returns the k ≤ MostNeighbors nearest neighbours of every point, equal to the lists of
// Cloud.Nearest. Points in regions far sparser than the rest are searched for by the CPU.
// Memory of the backend: 12 to 20 bytes a point in addition to the cloud, and the rows, which
// remain there. With less it returns gpu.ErrMemory.
func (c *Resident) Nearest(k int, run parallel.Run) (*Lists, error) {
	n := c.Host.Len()
	if k < 1 || k > MostNeighbors {
		return nil, fmt.Errorf("search for %d neighbours; on a GPU give 1 to %d", k, MostNeighbors)
	}
	if n <= k {
		return c.Host.Nearest(k, run)
	}
	c.forget()
	c.hosted = 0
	s := &residentSearch{Task: gpu.Task{Backend: c.backend}, cloud: c, k: k, run: run}
	s.lists = &Lists{K: k, Points: n, Index: gpu.Touched[uint32](run, n*k)}
	s.all()
	if err := s.End(); err != nil {
		return nil, err
	}
	return s.lists, nil
}
