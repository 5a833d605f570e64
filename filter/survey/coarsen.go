package survey

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"superpoint/filter"
	"superpoint/partition/local"
)

func (v *Survey) tileAtoms(n int) string { return v.Path("coarsen", strconv.Itoa(n)+".atoms") }
func (v *Survey) tileState(n int) string { return v.Path("coarsen", strconv.Itoa(n)+".state") }

// coarsened is what coarsening a tile makes: initial components for the global merge, and
// the state that refining the tile begins with.
type coarsened struct {
	*local.AtomArrays
	State  *local.TileState
	Record []uint32 // of each point of the core: its place among the records
}

func nothing() *coarsened {
	return &coarsened{AtomArrays: (&local.Atoms{}).Flat(), State: new(local.TileState)}
}

func (c *coarsened) state() []any { return append(c.State.Arrays(), &c.Record) }

// coarsen merges the points of a tile into initial components. The state is large, made
// again if it is gone, and removed once the tile is written.
func (v *Survey) coarsen(n int, m *Mark) error {
	marks, _, err := v.marks("embed")
	if err != nil {
		return err
	}
	c := nothing()
	if m.Points = marks[n].Points; m.Points > 0 {
		if c, err = v.coarsenTile(&v.plan.Tiles[n], v.plan.Exact.Halo, m); err != nil {
			return err
		}
	}
	if m.Sum, err = writeArrays(v.tileAtoms(n), c.AtomArrays.Arrays()); err != nil {
		return err
	}
	return v.made(m, v.tileAtoms(n))
}

// coarsenTile coarsens with as much around a tile as that takes, and writes the state.
func (v *Survey) coarsenTile(t *planned, halo float64, m *Mark) (*coarsened, error) {
	edges, err := v.longEdges()
	if err != nil {
		return nil, err
	}
	for m.Halo = halo; ; m.Halo *= widening {
		c, err := v.coarsenIn(t, edges, m)
		var narrow *local.HaloError
		if !errors.As(err, &narrow) {
			if err == nil {
				_, err = writeArrays(v.tileState(t.Index), c.state())
			}
			return c, err
		}
		v.host.Log(filter.LogInfo, fmt.Sprintf("tile %d, halo %.3g m: %v", t.Index, m.Halo*v.plan.Unit, err))
	}
}

// coarsenIn coarsens with a halo.
func (v *Survey) coarsenIn(t *planned, edges *long, m *Mark) (*coarsened, error) {
	a, err := v.gatherPoints(t, m.Halo)
	if err != nil {
		return nil, err
	}
	m.HaloPoints = int64(len(a.ID)) - m.Points
	a.doubt(edges)
	f, err := v.planned()
	if err != nil {
		return nil, err
	}
	problem, err := f.Problem(v.parallel(), &a.Gathered, filter.Frame{Origin: v.plan.Exact.Origin,
		Measured: v.plan.Exact.measured()})
	if err != nil {
		return nil, err
	}
	tile := &local.Tile{Problem: problem, ID: a.ID, Core: a.Core, Known: a.Known}
	atoms, err := tile.Coarsen(v.parallel())
	if err != nil {
		return nil, err
	}
	return &coarsened{AtomArrays: atoms.Flat(), State: tile.State(), Record: a.Record}, nil
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

// state returns what refining a tile begins with, made again if it is gone or its halo is
// too narrow for that.
func (v *Survey) state(t *planned, m *Mark, fresh bool) (*coarsened, error) {
	c := nothing()
	if !fresh {
		if _, err := readArrays(v.tileState(t.Index), c.state()); !errors.Is(err, os.ErrNotExist) {
			return c, err
		}
	}
	return v.coarsenTile(t, m.Halo, m)
}
