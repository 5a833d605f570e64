// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"

	"superpoint/partition/local"
)

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
