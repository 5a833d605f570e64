// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"os"

	"superpoint/filter"
	"superpoint/partition/local"
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
func (v *Survey) coarsenTile(t *plannedTile, m *Mark) (c *coarsened, err error) {
	edges, err := v.longEdges()
	if err != nil {
		return nil, err
	}
	err = v.untilExact(t, &m.Halo, func(bool) (err error) { c, err = v.coarsenIn(t, edges, m); return err })
	return c, err
}

// coarsenIn coarsens with a halo.
func (v *Survey) coarsenIn(t *plannedTile, edges *edgeList, m *Mark) (*coarsened, error) {
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
		Measured: v.plan.Shared.measured()})
	if err != nil {
		return nil, err
	}
	tile := &local.Tile{Problem: problem, ID: a.ID, Core: a.Core, Known: a.Known}
	atoms, err := tile.Coarsen(v.parallel())
	if err != nil {
		return nil, err
	}
	return &coarsened{atoms, tile, a.Record}, nil
}

// state returns the state for refinement. It is computed again if it is missing or, with
// fresh, because its halo was too narrow.
func (v *Survey) state(t *plannedTile, m *Mark, fresh bool) (*coarsened, error) {
	c := emptyCoarsened()
	if !fresh {
		err := v.readArrays(v.file("coarsen", t.Index, "state"), c.state())
		if !errors.Is(err, os.ErrNotExist) {
			return c, err
		}
	}
	return v.coarsenTile(t, m)
}

// refined has the connected parts of components in a tile.
type refined struct {
	*local.CoreComponents
	Piece []uint32 // of each record of the core
}

func (r *refined) arrays() []any { return append(r.Arrays(), &r.Piece) }

func (v *Survey) readPieces(n int) (*refined, error) {
	r := &refined{CoreComponents: new(local.CoreComponents)}
	return r, v.readArrays(v.file("refine", n, "pieces"), r.arrays())
}

// refine moves points of a tile between the components of the merged partition (boundary
// refinement).
func (v *Survey) refine(n int, m *Mark) error {
	merged, err := v.mark("merge", 0)
	if err != nil {
		return err
	}
	tiles, _, err := v.marks("coarsen")
	if err != nil {
		return err
	}
	r := refined{CoreComponents: new(local.CoreComponents)}
	if m.Points = tiles[n].Points; m.Points > 0 {
		if err := v.refineTile(&v.plan.Tiles[n], &merged.Merged.Head, tiles[n].Halo, &r,
			m.Points); err != nil {
			return err
		}
	}
	m.Pieces = len(r.First)
	m.Sum, err = v.save(m, v.file("refine", n, "pieces"), r.arrays())
	return err
}

// refineTile refines a tile with a halo that grows until the result is exact.
func (v *Survey) refineTile(t *plannedTile, head *local.MergedHeader, halo float64, r *refined,
	points int64) error {
	misfit := errors.New("the state of the tile does not fit together; remove the folder coarsen and rerun")
	again := &Mark{Points: points, Halo: halo}
	return v.untilExact(t, &again.Halo, func(fresh bool) error {
		c, err := v.state(t, again, fresh)
		if err != nil {
			return err
		}
		merged, err := v.readMerged(head, c.Tile.InitialIDs())
		if err != nil {
			return err
		}
		if len(c.Record) != len(c.Tile.ID) {
			return misfit
		}
		pieces, piece, err := c.Tile.Refine(v.parallel(), merged)
		if err != nil {
			return err
		}
		r.CoreComponents, r.Piece = pieces, make([]uint32, points)
		for u, i := range c.Record {
			if !c.Tile.Core[u] {
				continue
			}
			if int(i) >= len(r.Piece) {
				return misfit
			}
			r.Piece[i] = piece[u]
		}
		return nil
	})
}
