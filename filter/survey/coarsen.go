package survey

import (
	"errors"
	"fmt"
	"os"
	"time"

	"superpoint/filter"
	"superpoint/filter/memory"
	"superpoint/partition/local"
)

func (v *Survey) tileAtoms(n int) string { return v.path("tiles", fmt.Sprint(n)+".atoms") }
func (v *Survey) tileState(n int) string { return v.path("tiles", fmt.Sprint(n)+".state") }

// merge merges the points of an exact tile into atoms, unless that is done.
func (v *Survey) merge(t *planned) (*RunDone, error) {
	mark, err := v.embedMark(t.Index)
	if err != nil {
		return nil, err
	}
	all, err := v.allEmbedded()
	if err != nil {
		return nil, err
	}
	if done := v.isMerged(t, all); done != nil {
		return done, nil
	}
	start := time.Now()
	done := &RunDone{Step: "run", Tile: t.Index, Plan: v.sum, Inputs: all.Inputs, Points: mark.Points, Sum: mark.Sum,
		HaloWidth: v.plan.Exact.Halo}
	c := nothing()
	if mark.Points > 0 {
		if c, err = v.coarsen(t, all, done); err != nil {
			return nil, t.in(err)
		}
	}
	if done.SeamSum, err = writeArrays(v.tileAtoms(t.Index), c.AtomArrays.Arrays()); err != nil {
		return nil, err
	}
	done.Seconds, done.Memory = seconds(start), memory.Peak()
	return done, writeJSON(v.tileMark(t.Index), done)
}

// isMerged returns the mark of an exact tile whose points are merged, with its atoms
// whole, or nil.
func (v *Survey) isMerged(t *planned, all *embedded) *RunDone {
	done := new(RunDone)
	if !readJSON(v.tileMark(t.Index), done) || done.Plan != v.sum || done.Inputs != all.Inputs {
		return nil
	}
	if sum, err := readArrays(v.tileAtoms(t.Index), nothing().AtomArrays.Arrays()); err != nil || sum != done.SeamSum {
		return nil
	}
	return done
}

// coarsen merges the points of a tile into atoms, with as much around it as that
// takes, and writes the state.
func (v *Survey) coarsen(t *planned, all *embedded, done *RunDone) (*coarsened, error) {
	for {
		c, err := v.coarsenIn(t, all, done)
		var unsure *local.Unsure
		if !errors.As(err, &unsure) {
			if err == nil {
				_, err = writeArrays(v.tileState(t.Index), c.state())
			}
			return c, err
		}
		v.host.Log(filter.LogInfo, fmt.Sprintf("tile %d, halo %.3g m: %v", t.Index, done.HaloWidth*v.plan.Unit, err))
		done.HaloWidth *= widening
	}
}

// coarsenIn is coarsen with a halo.
func (v *Survey) coarsenIn(t *planned, all *embedded, done *RunDone) (*coarsened, error) {
	a, err := v.gatherPoints(t, done.HaloWidth)
	if err != nil {
		return nil, err
	}
	done.Halo = int64(len(a.ID)) - done.Points
	a.doubt(&all.long)
	f, err := v.planned()
	if err != nil {
		return nil, err
	}
	problem, err := f.Problem(v.parallel(), &a.Joined, filter.Frame{Origin: v.plan.Exact.Origin,
		Lambda: v.plan.Exact.Lambda})
	if err != nil {
		return nil, err
	}
	m := &local.Tile{Problem: problem, ID: a.ID, Core: a.Core, Known: a.Known}
	atoms, err := m.Coarsen(v.parallel())
	if err != nil {
		return nil, err
	}
	return &coarsened{AtomArrays: atoms.Flat(), State: m.State(), Record: a.Record}, nil
}

// planned returns the filter of the plan.
func (v *Survey) planned() (*filter.Filter, error) {
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	f, err := filter.New(options, v.host.Log)
	if err == nil {
		_, err = f.Describe(append([]string{"X", "Y", "Z"}, v.plan.Reads...))
	}
	return f, err
}

// state returns what Refine needs of a tile, made again if it is gone or the halo is
// too narrow for that.
func (v *Survey) state(t *planned, halo float64, fresh bool) (*coarsened, float64, error) {
	c := nothing()
	if !fresh {
		if _, err := readArrays(v.tileState(t.Index), c.state()); !errors.Is(err, os.ErrNotExist) {
			return c, halo, err
		}
	}
	mark, err := v.embedMark(t.Index)
	if err != nil {
		return nil, 0, err
	}
	all, err := v.allEmbedded()
	if err != nil {
		return nil, 0, err
	}
	done := &RunDone{Points: mark.Points, HaloWidth: halo}
	c, err = v.coarsen(t, all, done)
	return c, done.HaloWidth, err
}
