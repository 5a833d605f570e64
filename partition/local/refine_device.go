package local

import (
	"superpoint/partition/device"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// longest is the maximum number of neighbours of a point, all of which one thread reads.
const longest = 1 << 12

// mostEdges is the number of edges from which on row offsets of 32 bits do not suffice: each edge is in two rows.
const mostEdges = 1 << 31

// labelMoveBytes returns the memory of the machine that moveLabelsOn needs in addition to
// resident.
func labelMoveBytes(points, edges, components, dim int) int {
	return 24*edges + points*32 + components*4*(dim+1)
}

// moveLabelsOn is moveLabels on a machine, with the same bytes as result, for static sizes and
// means. Its error is errUnsupported for problems that exceed limits of the kernels.
func moveLabelsOn(m device.Machine, run parallel.Run, g, part *reduced.Graph, kept *resident, label []uint32,
	t moveOptions) error {
	n := g.Vertices()
	if !t.static || !t.keep {
		return errUnsupported
	}
	if err := kept.upload(m, g, labelMoveBytes(n, len(g.Head), part.Vertices(), g.Dim)); err != nil {
		return err
	}
	s := newLabelMoves(&device.Task{Machine: m}, g, part, kept, label, t)
	for range t.passes {
		if moved := s.pass(); s.Err != nil || moved == 0 {
			break
		}
		if s.Err = run.Err(); s.Err != nil {
			break
		}
	}
	moved := make([]uint32, n)
	s.Download(device.Bytes(moved), s.label)
	if err := s.End(); err != nil {
		return err
	}
	copy(label, moved)
	return nil
}

// labelMoves is the state of moveLabelsOn.
type labelMoves struct {
	*device.Task
	moveOptions
	kept                *resident
	points, dim         int
	scale               float64
	begin, near, weight device.Pointer // all neighbours of each point
	size, mean, label   device.Pointer
	border, active      device.Pointer
	group, to, fall     device.Pointer
	granted, moved      device.Pointer
}

// newLabelMoves uploads the components and finds the boundary.
func newLabelMoves(t *device.Task, g, part *reduced.Graph, kept *resident, label []uint32,
	how moveOptions) *labelMoves {
	n, e := g.Vertices(), len(g.Head)
	s := &labelMoves{Task: t, moveOptions: how, kept: kept, points: n, dim: g.Dim, scale: float64(g.Scale)}
	s.begin, s.moved = t.Alloc(4*(n+1)), t.Alloc(4)
	s.near, s.weight, s.group = t.Alloc(8*e), t.Alloc(8*e), t.Alloc(8*e)
	s.rows()
	s.label, s.size = t.Upload(device.Bytes(label)), t.Upload(device.Bytes(part.Size))
	s.mean = t.Upload(device.Bytes(part.Mean))
	s.border, s.active, s.granted = t.Alloc(4*n), t.Alloc(4*n), t.Alloc(4*n)
	s.to, s.fall = t.Alloc(4*n), t.Alloc(4*n)
	s.each("refine_border", s.begin, s.near, s.label, n, s.border, s.active)
	return s
}

// rows lists all neighbours of each point.
func (s *labelMoves) rows() {
	used, refused := s.Alloc(4*s.points), s.moved
	s.Fill(s.begin, 0, 4*(s.points+1))
	s.Fill(used, 0, 4*s.points)
	s.Fill(refused, 0, 4)
	s.each("refine_degree", s.kept.start, s.kept.head, s.points, s.begin)
	s.Scan(s.begin, s.points+1)
	s.each("refine_rows", s.kept.start, s.kept.head, s.kept.weight, s.points, s.begin, used, longest, s.near, s.weight,
		refused)
	s.Release(used)
	if s.count(refused) > 0 && s.Err == nil {
		s.Err = errUnsupported
	}
	s.each("refine_sort", s.begin, s.points, s.near, s.weight)
}

// each launches a kernel with a thread for each point.
func (s *labelMoves) each(kernel string, arguments ...any) {
	s.Launch(moving.Kernel(kernel), s.points, threads, 0, arguments...)
}

// count downloads a number.
func (s *labelMoves) count(at device.Pointer) uint32 {
	var found [1]uint32
	s.Download(device.Bytes(found[:]), at)
	return found[0]
}

// pass makes one pass of label moves and returns their number.
func (s *labelMoves) pass() uint32 {
	n := s.points
	s.each("refine_wish", s.begin, s.near, s.weight, s.label, n, s.kept.values, s.dim, s.size, s.mean, s.scale, s.least,
		s.active, s.group, s.to, s.fall)
	s.each("refine_grant", s.begin, s.near, s.label, n, s.kept.rank, s.to, s.fall, s.granted)
	s.Fill(s.moved, 0, 4)
	s.each("refine_move", s.begin, s.near, n, s.border, s.to, s.granted, s.label, s.active, s.moved)
	return s.count(s.moved)
}
