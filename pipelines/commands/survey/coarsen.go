// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"os"

	"superpoint/filter"
	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/plan"
)

// coarsened is the result of coarsening a tile: initial components for the global merge, and
// the state for boundary refinement.
type coarsened struct {
	*local.InitialComponents
	Tile   *local.Tile
	Record []uint32 // index of the record of each point of the core
}

func emptyCoarsened() *coarsened {
	return &coarsened{InitialComponents: new(local.InitialComponents), Tile: local.EmptyTile()}
}

func (c *coarsened) state() []any { return append(c.Tile.Arrays(), &c.Record) }

// coarsen merges the points of a tile into initial components. The state is large: it is
// removed by step label, and computed again if it is missing.
func (v *Survey) coarsen(n int, m *Mark) error {
	marks, _, err := v.marks("embed")
	if err != nil {
		return err
	}
	c := emptyCoarsened()
	if m.Points = marks[n].Points; m.Points > 0 {
		m.Halo = v.plan.Shared.Halo
		if c, err = v.coarsenTile(&v.plan.Tiles[n], m); err != nil {
			return err
		}
		whole := func(int) ([]any, []float64) { return c.state(), nil }
		if _, err := v.stageBlocks(v.file("coarsen", n, "state"), 1, whole); err != nil {
			return err
		}
	}
	m.Sum, err = v.save(m, v.file("coarsen", n, "atoms"), c.Arrays())
	return err
}

// coarsenTile coarsens a tile with a halo, m.Halo at first, that grows until the result is exact.
func (v *Survey) coarsenTile(t *plan.Tile, m *Mark) (c *coarsened, err error) {
	edges, err := v.longEdges()
	if err != nil {
		return nil, err
	}
	err = v.untilExact(t, &m.Halo, func(bool) (err error) { c, err = v.coarsenIn(t, edges, m); return err })
	return c, err
}

// coarsenIn coarsens with a halo.
func (v *Survey) coarsenIn(t *plan.Tile, edges *edgeList, m *Mark) (*coarsened, error) {
	a, err := v.readHaloTile(t, m.Halo)
	if err != nil {
		return nil, err
	}
	m.HaloPoints = int64(len(a.ID)) - m.Points
	a.markUnknown(edges)
	f, err := v.newFilter()
	if err != nil {
		return nil, err
	}
	problem, err := f.Problem(v.parallel(), &a.Input, filter.Frame{Origin: v.plan.Shared.Origin,
		Measured: v.plan.Shared.Measured()})
	if err != nil {
		return nil, err
	}
	tile := &local.Tile{Problem: problem, ID: a.ID, Core: a.Core, Known: a.Known}
	initial, err := tile.Coarsen(v.parallel())
	if err != nil {
		return nil, err
	}
	return &coarsened{initial, tile, a.Record}, nil
}

// state returns the state for refinement. It is computed again if it is missing or, with
// fresh, because its halo was too narrow.
func (v *Survey) state(t *plan.Tile, m *Mark, fresh bool) (*coarsened, error) {
	c := emptyCoarsened()
	if !fresh {
		err := v.readArrays(v.file("coarsen", t.Index, "state"), c.state())
		if !errors.Is(err, os.ErrNotExist) {
			return c, err
		}
	}
	return v.coarsenTile(t, m)
}
