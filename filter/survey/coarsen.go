package survey

import (
	"errors"
	"fmt"
	"path/filepath"

	"superpoint/filter"
	"superpoint/filter/records"
	"superpoint/partition/local"
)

func (v *Survey) tileAtoms(n int) string { return v.path("tiles", fmt.Sprint(n)+".atoms") }
func (v *Survey) tileLong(n int) string  { return v.path("tiles", fmt.Sprint(n)+".long") }
func (v *Survey) tileState(n int) string { return v.path("tiles", fmt.Sprint(n)+".state") }

// coarsen merges the points of a tile into atoms, with as much around it as that
// takes, and writes its core, the atoms and the state. Of a tile whose atoms are
// joined it writes the state only.
func (v *Survey) coarsen(t *planned, work string, all *records.File, halo float64, doubts [][2]uint64, joined bool,
	done *RunDone) error {
	for {
		done.HaloWidth = halo
		c, err := v.coarsenIn(t, all, v.see(t, halo), doubts, done)
		var unsure *local.Unsure
		if errors.As(err, &unsure) {
			v.host.Log(filter.LogInfo, fmt.Sprintf("tile %d, halo %.3g m: %v", t.Index, halo*v.plan.Unit, err))
			halo *= widening
			all, err = v.gatherWide(t, filepath.Join(work, fmt.Sprintf("%g.las", halo)), halo)
			if err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if _, err := writeArrays(v.tileState(t.Index), c.state()); err != nil || joined {
			return err // the atoms are those that were joined, perhaps in another order
		}
		if _, err := writeArrays(v.tileLong(t.Index), c.long.arrays()); err != nil {
			return err
		}
		done.SeamSum, err = writeArrays(v.tileAtoms(t.Index), c.AtomArrays.Arrays())
		return err
	}
}

// coarsenIn is coarsen with what a file holds. Doubts are edges that the tile must
// know of.
func (v *Survey) coarsenIn(t *planned, all *records.File, see *view, doubts [][2]uint64, done *RunDone) (*coarsened,
	error) {
	c := nothing()
	if all == nil {
		return c, nil
	}
	s, err := v.place(t, all)
	if err != nil {
		return nil, err
	}
	core := 0
	for _, is := range s.Core {
		if is {
			core++
		}
	}
	done.Points, done.Halo = int64(core), int64(all.Count-core)
	if core == 0 {
		return c, nil
	}
	f, columns, err := v.filter(all)
	if err != nil {
		return nil, err
	}
	e := v.plan.Exact
	part, err := f.Part(filter.Run{Context: v.host.Context(), Step: v.host.Progress}, columns.View(), filter.Frame{
		Origin: e.Origin, Lambda: e.Lambda, Rim: func(i int) float64 { return see.rim(columns.X[i], columns.Y[i]) }})
	if err != nil {
		return nil, err
	}
	if err := v.writeCore(t, all, s.Core, nil, part.Outputs, done); err != nil {
		return nil, err
	}
	ground := local.Ground{At: part.At, Rim: func(u uint32) float64 {
		i := part.Order[u]
		return see.rim(columns.X[i], columns.Y[i])
	}}
	m := &local.Tile{Problem: part.Problem, ID: part.ID, Core: make([]bool, len(part.ID)),
		Known: local.Known(part.Problem.Graph, part.Sure, ground, e.Reach)}
	for u, i := range part.Order {
		m.Core[u] = s.Core[i]
	}
	c.long = longOf(m, ground, e.Reach, func(u uint32) (x, y float64) {
		return columns.X[part.Order[u]], columns.Y[part.Order[u]]
	})
	doubt(m, doubts)
	atoms, err := m.Coarsen(v.parallel())
	if err != nil {
		return nil, err
	}
	c.AtomArrays, c.State, c.Order = atoms.Flat(), m.State(), part.Order
	return c, nil
}
