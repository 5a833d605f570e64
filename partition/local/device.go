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

// Device is the local solver with its steps on the points on a machine: coarsening
// and the passes; the same components, every id. Where memory does not suffice or
// the kernels are not made for a problem, the CPU does the step, and Fallback, if it
// is not nil, is called with which and why. The global merge is the CPU's. Graph, contrasts,
// values and the order of points stay on the machine until Close, or a problem with
// other ones; nothing may write to them meanwhile.
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
	helped bool // by the processor in what the machine cannot do
}

// resident is what a machine keeps of a problem: rows of edges with their weights,
// values, ranks and lots of points.
type resident struct {
	device.Task
	graph               *reduced.Graph
	order               []uint32 // points by rank
	start, head, weight device.Pointer
	values, rank, lot   device.Pointer
}

// residentBytes is the machine memory of resident.
func residentBytes(points, edges, dim int) int { return 8*edges + points*(4*dim+12) }

func (r *resident) release() {
	_ = r.End()
	*r = resident{}
}

// hold copies the arrays of g to the machine, unless they are there. It fails with
// errUnfit for graphs that the kernels are not made for, and if there is not as much
// memory as the arrays and more bytes take.
func (r *resident) hold(m device.Machine, g *reduced.Graph, more int) error {
	n, e := g.Vertices(), len(g.Head)
	if g.Before == nil || g.Sphere > 0 || n == 0 || e == 0 || e >= mostEdges {
		return errUnfit
	}
	there := r.graph != nil && &r.graph.Head[0] == &g.Head[0] && &r.graph.Weight[0] == &g.Weight[0] &&
		&r.graph.Mean[0] == &g.Mean[0]
	if !there {
		r.release()
		more += residentBytes(n, e, g.Dim)
	}
	if more += more/14 + 1<<13; more > m.Memory() { // and the machine's own rounding of allocations
		return fmt.Errorf("%d bytes where %d are free: %w", more, m.Memory(), device.ErrMemory)
	}
	if there {
		return nil
	}
	order, rank, lot := make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for u := range order {
		order[u], lot[u] = uint32(u), reduced.Lot(g.Key[u])
	}
	inOrder(g, order)
	for i, u := range order {
		rank[u] = uint32(i)
	}
	r.Task, r.graph, r.order = device.Task{Machine: m}, g, order
	r.start, r.head, r.weight = r.Upload(device.Bytes(starts(g))), r.Upload(device.Bytes(g.Head)),
		r.Upload(device.Bytes(g.Weight))
	r.values, r.rank, r.lot = r.Upload(device.Bytes(g.Mean)), r.Upload(device.Bytes(rank)), r.Upload(device.Bytes(lot))
	err := r.Err
	if err != nil {
		r.release()
	}
	return err
}

// starts returns where the rows of points begin, and the end.
func starts(g *reduced.Graph) []uint32 {
	return append(append(make([]uint32, 0, len(g.Start)+1), g.Start...), uint32(len(g.Head)))
}

// unable reports whether the processor has to do the step that failed.
func (d *onMachine) unable(step string, err error) bool {
	if !d.helped || !errors.Is(err, device.ErrMemory) && !errors.Is(err, errUnfit) {
		return false
	}
	if d.Fallback != nil {
		d.Fallback(step, err)
	}
	return true
}

func (d *onMachine) coarsen(run parallel.Run, g *reduced.Graph) ([]uint32, *reduced.Graph, error) {
	label, atoms, err := coarsenOn(d.Machine, run, g, &d.kept)
	if d.unable("coarsening", err) {
		return coarsen(run, g)
	}
	return label, atoms, err
}

func (d *onMachine) shift(run parallel.Run, g, part *reduced.Graph, label []uint32, t terms) error {
	err := shiftOn(d.Machine, run, g, part, &d.kept, label, t)
	if d.unable("boundary refinement", err) {
		return shift(run, g, part, label, t)
	}
	return err
}

// engineOf returns that of a machine without help, or the processor for none, and what
// frees memory.
func engineOf(m device.Machine) (e engine, free func()) {
	if m == nil {
		return processor{}, func() {}
	}
	d := &Device{Machine: m}
	return &onMachine{d, false}, d.Close
}

// Coarsening returns what the rounds on the points leave, the component of each point
// and the graph of the components in canonical order: on the CPU, or on a machine
// if that is not nil.
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

// Moving returns the component of each point before and after the passes: on the CPU,
// or on a machine if that is not nil.
func Moving(m device.Machine, run parallel.Run, p *partition.Problem) (before, after []uint32, err error) {
	if err := p.Validate(run); err != nil {
		return nil, nil, err
	}
	g, err := newGraph(run, p)
	if err != nil {
		return nil, nil, err
	}
	before, part, err := joined(run, g, p.MinSize, processor{}, func(float64) {})
	if err != nil {
		return nil, nil, err
	}
	after = slices.Clone(before)
	by, free := engineOf(m)
	defer free()
	return before, after, by.shift(run, g, part, after, fine(p.MinSize))
}
