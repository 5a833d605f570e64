package cuda

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// MostNeighbors is the largest k of the search on a GPU.
const MostNeighbors = 32

const (
	passes   = 6       // grids tried, each twice as coarse as the one before
	widest   = 29      // log2 of the largest cell edge in units
	samples  = 1024    // points whose neighbourhood is measured to choose the first cells
	few      = 1024    // points that are not worth another grid
	least    = 1024    // queries a launch when memory is short
	settling = 1 << 20 // queries a launch, 84 MB of rows at k = 20
)

// Cloud is a cloud whose positions, and perhaps neighbour lists, are in a
// machine's memory: 12 bytes a point, and 4·k for the lists.
type Cloud struct {
	Host    *neighbor.Cloud
	XYZ     Pointer
	machine Machine
	launch  int             // queries a launch
	lists   *neighbor.Lists // of index
	index   Pointer         // all rows of lists, or 0
}

// Upload copies a cloud's positions to the machine. Close it afterwards.
func Upload(m Machine, c *neighbor.Cloud) (*Cloud, error) {
	t := Task{Machine: m}
	d := &Cloud{Host: c, machine: m, XYZ: t.Upload(Bytes(c.XYZ)), launch: settling}
	if t.Err == nil {
		t.Keep(d.XYZ)
	}
	return d, t.End()
}

// Close frees the machine's memory.
func (c *Cloud) Close() {
	c.machine.Free(c.XYZ)
	c.forget()
	c.XYZ = 0
}

func (c *Cloud) forget() {
	c.machine.Free(c.index)
	c.index, c.lists = 0, nil
}

// Index returns the rows of lists in the machine's memory, or 0 if they are not
// there.
func (c *Cloud) Index(lists *neighbor.Lists) Pointer {
	if c.lists != lists {
		return 0
	}
	return c.index
}

// Nearest returns the k ≤ MostNeighbors nearest neighbours of every point, bit
// by bit those of neighbor.Cloud.Nearest. Points in regions far sparser than the
// rest are looked for by the CPU in the end. Machine memory: 12 to 20 bytes a
// point beside the cloud's and the rows of 4 M points at a time; the lists stay
// there if they fit.
func (c *Cloud) Nearest(k int, run parallel.Run) (*neighbor.Lists, error) {
	n := c.Host.Len()
	if k < 1 || k > MostNeighbors {
		return nil, fmt.Errorf("%d neighbours asked for; the search on a GPU has 1 to %d", k, MostNeighbors)
	}
	if n <= k {
		return c.Host.Nearest(k, run)
	}
	c.forget()
	s := &search{Task: Task{Machine: c.machine}, cloud: c, k: k, run: run}
	s.lists = &neighbor.Lists{K: k, Points: n, Index: make([]uint32, n*k)}
	s.all()
	if err := s.End(); err != nil {
		return nil, err
	}
	return s.lists, nil
}

type search struct {
	Task
	cloud  *Cloud
	lists  *neighbor.Lists
	k      int
	run    parallel.Run
	member Pointer
	start  Pointer
	mask   int
	shift  int
}

func (s *search) all() {
	n := s.cloud.Host.Len()
	resident := s.Machine.Memory() > n*(4*s.k+24)
	s.shift, s.Err = firstShift(s.cloud.Host, s.k)
	s.mask = powerOfTwo(2*n) - 1
	rows := min(n, s.cloud.launch)
	held := n      // rows on the machine at once
	if !resident { // as many as nine tenths of what is left hold
		left := s.Machine.Memory() - 4*(s.mask+1) - 4*n
		rows = min(rows, max(left/10*9/(4*s.k+8), least))
		held = rows
	}
	s.start, s.member = s.Alloc(4*(s.mask+1)), s.Alloc(4*n)
	index, open, count := s.Alloc(4*held*s.k), s.Alloc(4*rows), s.Alloc(4)
	s.grid()
	var left []uint32
	for lo := 0; lo < n && s.Err == nil; lo += rows {
		m, at := min(rows, n-lo), index
		if resident {
			at += Pointer(4 * s.k * lo)
		}
		rest := s.ask(0, lo, m, at, open, count)
		if to := Bytes(s.lists.Index[lo*s.k : (lo+m)*s.k]); resident { // beside the next block's search
			s.Later(to, at)
		} else {
			s.Download(to, at)
		}
		for i := range rest {
			rest[i] += uint32(lo)
		}
		left = append(left, rest...)
		s.report(float64(lo+m) / float64(n))
	}
	s.settle()
	s.release(open)
	if !resident {
		s.release(index)
		index = 0
	}
	s.sparse(left, index, count)
	if resident && s.Err == nil {
		s.cloud.index, s.cloud.lists = s.Keep(index), s.lists
	}
}

func (s *search) report(fraction float64) {
	s.run.Progress(fraction)
	if s.Err == nil {
		s.Err = s.run.Err()
	}
}

// grid sorts the points into buckets of cells.
func (s *search) grid() {
	n, xyz := s.cloud.Host.Len(), uint64(s.cloud.XYZ)
	s.Fill(s.start, 0, 4*(s.mask+1))
	s.Launch("knn_count", n, threads, 0, xyz, uint64(n), uint64(s.shift), uint64(s.start), uint64(s.mask))
	s.scan(s.start, s.mask+1)
	s.Launch("knn_fill", n, threads, 0, xyz, uint64(n), uint64(s.shift), uint64(s.start), uint64(s.mask), uint64(s.member))
}

// ask fills the rows of m queries from point first on, or of those in query,
// and returns the places of those that it cannot settle, sorted.
func (s *search) ask(query Pointer, first, m int, index, open, count Pointer) []uint32 {
	s.Fill(count, 0, 4)
	s.Launch("knn_search", m, threads, 0, uint64(s.cloud.XYZ), uint64(s.shift), uint64(s.start), uint64(s.mask),
		uint64(s.member),
		uint64(query), uint64(first), uint64(m), uint64(s.k), uint64(index), uint64(open), uint64(count))
	var found [1]uint32
	s.Download(Bytes(found[:]), count)
	rest := make([]uint32, min(int(found[0]), m))
	s.Download(Bytes(rest), open)
	slices.Sort(rest)
	return rest
}

// sparse settles what the first cells could not: with coarser and coarser
// grids while many are left, then with the CPU's tree. With index 0 the rows are
// not on the machine and the tree does it all.
func (s *search) sparse(left []uint32, index, count Pointer) {
	first := left
	for pass := 1; index != 0 && pass < passes && len(left) > few && s.shift < widest && s.Err == nil; pass++ {
		s.shift++
		s.grid()
		query, open := s.Upload(Bytes(left)), s.Alloc(4*len(left))
		left = s.ask(query, 0, len(left), index, open, count)
		s.release(query)
		s.release(open)
	}
	if index != 0 && len(left) < len(first) {
		s.fetch(first, index)
	}
	if s.Err != nil || len(left) == 0 {
		return
	}
	s.Err = s.cloud.Host.NearestOf(left, s.lists, s.run)
	s.replace(left, index)
}

// fetch downloads the rows of some points, or all where there is no room to pack
// them or little to win.
func (s *search) fetch(points []uint32, index Pointer) {
	if len(points) > s.lists.Points/2 || s.Machine.Memory() < 5*(s.k+1)*len(points) {
		s.Download(Bytes(s.lists.Index), index)
		return
	}
	rows := make([]uint32, len(points)*s.k)
	list, packed := s.Upload(Bytes(points)), s.Alloc(4*len(rows))
	s.Launch("knn_rows", len(rows), threads, 0, uint64(index), uint64(list), uint64(len(rows)), uint64(s.k),
		uint64(packed))
	s.Download(Bytes(rows), packed)
	for i, p := range points {
		copy(s.lists.Of(int(p)), rows[i*s.k:])
	}
	s.release(list)
	s.release(packed)
}

// replace puts rows that the CPU found into the machine's lists.
func (s *search) replace(points []uint32, index Pointer) {
	if index == 0 {
		return
	}
	const most = 1 << 12
	if len(points) > most {
		s.Copy(index, Bytes(s.lists.Index))
		return
	}
	for _, i := range points {
		s.Copy(index+Pointer(4*s.k*int(i)), Bytes(s.lists.Of(int(i))))
	}
}

// firstShift returns log2 of a cell edge, in units, that reaches the k-th
// neighbour of three quarters of the points.
func firstShift(c *neighbor.Cloud, k int) (int, error) {
	n := c.Len()
	points := make([]uint32, min(n, samples))
	for i := range points {
		points[i] = uint32(i * n / len(points))
	}
	rows := &neighbor.Lists{K: k, Points: len(points), Index: make([]uint32, len(points)*k)}
	if err := c.NearestRows(points, rows, parallel.Run{}); err != nil {
		return 0, err
	}
	reach := make([]float64, len(points))
	for i, p := range points {
		q := rows.Of(i)[k-1]
		for a := range 3 {
			d := float64(c.XYZ[p][a]) - float64(c.XYZ[q][a])
			reach[i] += d * d
		}
	}
	slices.Sort(reach)
	edge := math.Sqrt(reach[len(reach)*3/4]) + 1
	return min(int(math.Ceil(math.Log2(edge))), widest), nil
}
