package local

import (
	"errors"
	"fmt"
	"slices"

	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Device is the local solver with its steps on points, coarsening and boundary refinement,
// on a machine. The ids are the same as those of Solver. If memory does not suffice, or a
// problem exceeds limits of the kernels, the CPU does the step, and Fallback, if it is not
// nil, is called with the step and the reason. The global merge is done by the CPU. Graph,
// contrasts, values and the order of points stay on the machine until Close, or until a
// problem with others is solved; their slices must not be changed meanwhile.
type Device struct {
	Machine  device.Machine
	Fallback func(step string, err error)
	kept     resident
}

// Solve implements partition.Solver.
func (d *Device) Solve(run parallel.Run, p *partition.Problem) (*partition.Result, error) {
	return solveBy(run, p, &onMachine{d, true})
}

// Close frees the machine's memory. The solver may be used again.
func (d *Device) Close() { d.kept.release() }

// onMachine is the engine of a machine.
type onMachine struct {
	*Device
	helped bool // the CPU does steps that the machine cannot do
}

// resident are the arrays of a problem that stay on the machine: rows of edges with their
// weights; values, ranks and tie-break hashes of points.
type resident struct {
	device.Task
	graph               *reduced.Graph
	order               []uint32 // points by rank
	start, head, weight device.Pointer
	values, rank, tie   device.Pointer
}

// residentBytes returns the memory of resident on the machine.
func residentBytes(points, edges, dim int) int { return 8*edges + points*(4*dim+12) }

func (r *resident) release() {
	_ = r.End()
	*r = resident{}
}

// upload copies the arrays of g to the machine, unless they are there. Its error is
// errUnsupported for graphs that exceed limits of the kernels, and device.ErrMemory if there
// is less memory than the arrays and more bytes need.
func (r *resident) upload(m device.Machine, g *reduced.Graph, more int) error {
	n, e := g.Vertices(), len(g.Head)
	if g.Before == nil || g.Sphere > 0 || n == 0 || e == 0 || e >= mostEdges {
		return errUnsupported
	}
	there := r.graph != nil && &r.graph.Head[0] == &g.Head[0] && &r.graph.Weight[0] == &g.Weight[0] &&
		&r.graph.Mean[0] == &g.Mean[0]
	if !there {
		r.release()
		more += residentBytes(n, e, g.Dim)
	}
	if more += more/14 + 1<<13; more > m.Memory() { // the summands allow for rounding of allocations
		return fmt.Errorf("%d bytes where %d are free: %w", more, m.Memory(), device.ErrMemory)
	}
	if there {
		return nil
	}
	order, rank, tie := make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for u := range order {
		order[u], tie[u] = uint32(u), reduced.TieHash(g.Key[u])
	}
	inOrder(g, order)
	for i, u := range order {
		rank[u] = uint32(i)
	}
	r.Task, r.graph, r.order = device.Task{Machine: m}, g, order
	r.start, r.head, r.weight = r.Upload(device.Bytes(starts(g))), r.Upload(device.Bytes(g.Head)),
		r.Upload(device.Bytes(g.Weight))
	r.values, r.rank, r.tie = r.Upload(device.Bytes(g.Mean)), r.Upload(device.Bytes(rank)), r.Upload(device.Bytes(tie))
	err := r.Err
	if err != nil {
		r.release()
	}
	return err
}

// starts returns the offsets of all rows, and the end of the last.
func starts(g *reduced.Graph) []uint32 {
	return append(append(make([]uint32, 0, len(g.Start)+1), g.Start...), uint32(len(g.Head)))
}

// fallBack reports whether the CPU has to do the step that failed with err, and calls Fallback
// if so.
func (d *onMachine) fallBack(step string, err error) bool {
	if !d.helped || !errors.Is(err, device.ErrMemory) && !errors.Is(err, errUnsupported) {
		return false
	}
	if d.Fallback != nil {
		d.Fallback(step, err)
	}
	return true
}

func (d *onMachine) coarsen(run parallel.Run, g *reduced.Graph) ([]uint32, *reduced.Graph, error) {
	label, atoms, err := coarsenOn(d.Machine, run, g, &d.kept)
	if d.fallBack("coarsening", err) {
		return coarsen(run, g)
	}
	return label, atoms, err
}

func (d *onMachine) moveLabels(run parallel.Run, g, part *reduced.Graph, label []uint32, t moveOptions) error {
	err := moveLabelsOn(d.Machine, run, g, part, &d.kept, label, t)
	if d.fallBack("boundary refinement", err) {
		return moveLabels(run, g, part, label, t)
	}
	return err
}

// engineOf returns the engine of a machine without fallback, or of the CPU for nil, and a
// function that frees its memory.
func engineOf(m device.Machine) (e engine, free func()) {
	if m == nil {
		return processor{}, func() {}
	}
	d := &Device{Machine: m}
	return &onMachine{d, false}, d.Close
}

// Coarsening returns the initial component of each point, and the graph of the initial
// components in canonical order. It is computed on the CPU, or on m if that is not nil; the
// comparison of processors in embed/cuda/operations calls it.
func Coarsening(m device.Machine, run parallel.Run, p *partition.Problem) ([]uint32, *reduced.Graph, error) {
	if err := p.Validate(run); err != nil {
		return nil, nil, err
	}
	g, err := newGraph(run, p)
	if err != nil {
		return nil, nil, err
	}
	by, free := engineOf(m)
	defer free()
	return by.coarsen(run, g)
}

// Moving returns the component of each point before and after the label moves of boundary
// refinement, which are computed on the CPU, or on m if that is not nil.
func Moving(m device.Machine, run parallel.Run, p *partition.Problem) (before, after []uint32, err error) {
	if err := p.Validate(run); err != nil {
		return nil, nil, err
	}
	g, err := newGraph(run, p)
	if err != nil {
		return nil, nil, err
	}
	before, part, err := partitionPoints(run, g, p.MinSize, processor{}, func(float64) {})
	if err != nil {
		return nil, nil, err
	}
	after = slices.Clone(before)
	by, free := engineOf(m)
	defer free()
	return before, after, by.moveLabels(run, g, part, after, pointMoves(p.MinSize))
}
