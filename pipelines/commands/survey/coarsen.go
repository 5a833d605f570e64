// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"superpoint/filter"
	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/folder"
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
func coarsen(v *folder.Survey, n int, m *folder.Mark) error {
	marks, _, err := v.Marks("embed")
	if err != nil {
		return err
	}
	c := emptyCoarsened()
	if m.Points = marks[n].Points; m.Points > 0 {
		m.Halo = v.Plan.Shared.Halo
		if c, err = coarsenTile(v, &v.Plan.Tiles[n], m); err != nil {
			return err
		}
		whole := func(int) ([]any, []float64) { return c.state(), nil }
		if _, err := v.StageBlocks(v.File("coarsen", n, "state"), 1, whole); err != nil {
			return err
		}
	}
	m.Sum, err = v.Save(m, v.File("coarsen", n, "atoms"), c.Arrays())
	return err
}

// coarsenTile coarsens a tile with a halo, m.Halo at first, that grows until the result is exact.
func coarsenTile(v *folder.Survey, t *plan.Tile, m *folder.Mark) (c *coarsened, err error) {
	edges, err := longEdges(v)
	if err != nil {
		return nil, err
	}
	err = untilExact(v, t, &m.Halo, func(bool) (err error) { c, err = coarsenIn(v, t, edges, m); return err })
	return c, err
}

// coarsenIn coarsens with a halo.
func coarsenIn(v *folder.Survey, t *plan.Tile, edges *edgeList, m *folder.Mark) (*coarsened, error) {
	a, err := readHaloTile(v, t, m.Halo)
	if err != nil {
		return nil, err
	}
	m.HaloPoints = int64(len(a.ID)) - m.Points
	a.markUnknown(edges)
	f, err := v.NewFilter()
	if err != nil {
		return nil, err
	}
	problem, err := f.Problem(v.Parallel(), &a.Input, filter.Frame{Origin: v.Plan.Shared.Origin,
		Measured: v.Plan.Shared.Measured()})
	if err != nil {
		return nil, err
	}
	tile := &local.Tile{Problem: problem, ID: a.ID, Core: a.Core, Known: a.Known}
	initial, err := tile.Coarsen(v.Parallel())
	if err != nil {
		return nil, err
	}
	return &coarsened{initial, tile, a.Record}, nil
}
