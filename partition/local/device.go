package local

import (
	"errors"
	"slices"

	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Device is the local solver with its steps on the points on a machine: coarsening
// and the passes; the same components, every id. Where memory does not suffice or
// the kernels are not made for a problem, the CPU does the step, and Fallback, if it
// is not nil, is told which and why. The global merge is the CPU's.
type Device struct {
	Machine  device.Machine
	Fallback func(step string, err error)
}

// Solve implements partition.Solver.
func (d Device) Solve(run parallel.Run, p *partition.Problem) (*partition.Result, error) {
	return solveBy(run, p, &onMachine{machine: d.Machine, helped: true, fallback: d.Fallback})
}

// onMachine is the engine of a machine.
type onMachine struct {
	machine device.Machine
	helped  bool     // by the processor in what the machine cannot do
	order   []uint32 // points by rank, once they are known

	fallback func(step string, err error) // or nil
}

// ranked returns the points of g in their order.
func (d *onMachine) ranked(g *reduced.Graph) []uint32 {
	if d.order == nil && g.Before != nil {
		d.order = make([]uint32, g.Vertices())
		for u := range d.order {
			d.order[u] = uint32(u)
		}
		inOrder(g, d.order)
	}
	return d.order
}

// unable reports whether the processor has to do the step that failed.
func (d *onMachine) unable(step string, err error) bool {
	if !d.helped || !errors.Is(err, device.ErrMemory) && !errors.Is(err, errUnfit) {
		return false
	}
	if d.fallback != nil {
		d.fallback(step, err)
	}
	return true
}

func (d *onMachine) coarsen(run parallel.Run, g *reduced.Graph) ([]uint32, *reduced.Graph, error) {
	label, atoms, err := coarsenOn(d.machine, run, g, d.ranked(g))
	if d.unable("coarsening", err) {
		return coarsen(run, g)
	}
	return label, atoms, err
}

func (d *onMachine) shift(run parallel.Run, g, part *reduced.Graph, label []uint32, t terms) error {
	err := shiftOn(d.machine, run, g, part, d.ranked(g), label, t)
	if d.unable("boundary refinement", err) {
		return shift(run, g, part, label, t)
	}
	return err
}

// engineOf returns that of a machine without help, or the processor for none.
func engineOf(m device.Machine) engine {
	if m == nil {
		return processor{}
	}
	return &onMachine{machine: m}
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
	return engineOf(m).coarsen(run, g)
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
	return before, after, engineOf(m).shift(run, g, part, after, fine(p.MinSize))
}
