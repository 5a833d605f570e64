package local

import (
	"errors"

	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Device is the local solver with its coarsening on a machine: the same components,
// every id. Where memory does not suffice or the kernels are not made for a problem,
// the CPU coarsens. The joint step and the moves of points are the CPU's.
type Device struct{ Machine device.Machine }

// Solve implements partition.Solver.
func (d Device) Solve(run parallel.Run, p *partition.Problem) (*partition.Result, error) {
	return solveBy(run, p, d.coarsen)
}

func (d Device) coarsen(run parallel.Run, g *reduced.Graph) ([]uint32, *reduced.Graph, error) {
	label, atoms, err := coarsenOn(d.Machine, run, g)
	if errors.Is(err, device.ErrMemory) || errors.Is(err, errUnfit) {
		return coarsen(run, g)
	}
	return label, atoms, err
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
	if m == nil {
		return coarsen(run, g)
	}
	return coarsenOn(m, run, g)
}
