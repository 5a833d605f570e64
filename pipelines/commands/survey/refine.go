// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"os"

	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
)

// refined has the core components of a tile: the connected parts there of the merged components. Its file is
// named pieces.
type refined struct {
	*local.CoreComponents
	CoreOf []uint32 // core component of each record of the core
}

func (r *refined) arrays() []any { return append(r.Arrays(), &r.CoreOf) }

// readRefined reads the core components of a tile.
func readRefined(v *folder.Survey, n int) (*refined, error) {
	r := &refined{CoreComponents: new(local.CoreComponents)}
	return r, v.ReadArrays(v.File("refine", n, "pieces"), r.arrays())
}

// refine moves points of a tile between the components of the merged partition (boundary
// refinement).
func refine(v *folder.Survey, n int, m *folder.Mark) error {
	merged, err := v.Mark("merge", 0)
	if err != nil {
		return err
	}
	tiles, _, err := v.Marks("coarsen")
	if err != nil {
		return err
	}
	r := refined{CoreComponents: new(local.CoreComponents)}
	if m.Points = tiles[n].Points; m.Points > 0 {
		if err := refineTile(v, &v.Plan.Tiles[n], &merged.Merged.Head, tiles[n].Halo, &r,
			m.Points); err != nil {
			return err
		}
	}
	m.CoreComponents = len(r.First)
	m.Sum, err = v.Save(m, v.File("refine", n, "pieces"), r.arrays())
	return err
}

// refineTile refines a tile with a halo that grows until the result is exact.
func refineTile(v *folder.Survey, t *plan.Tile, head *local.MergedHeader, halo float64, r *refined,
	points int64) error {
	misfit := errors.New("the state of the tile does not fit together; remove the folder coarsen and rerun")
	again := &folder.Mark{Points: points, Halo: halo}
	return untilExact(v, t, &again.Halo, func(fresh bool) error {
		c, err := readState(v, t, again, fresh)
		if err != nil {
			return err
		}
		merged, err := readMerged(v, head, c.Tile.InitialIDs())
		if err != nil {
			return err
		}
		if len(c.Record) != len(c.Tile.ID) {
			return misfit
		}
		cores, coreOf, err := c.Tile.Refine(v.Parallel(), merged)
		if err != nil {
			return err
		}
		r.CoreComponents = cores
		r.CoreOf = make([]uint32, points)
		for u, i := range c.Record {
			if !c.Tile.Core[u] {
				continue
			}
			if int(i) >= len(r.CoreOf) {
				return misfit
			}
			r.CoreOf[i] = coreOf[u]
		}
		return nil
	})
}

// readState returns the state for refinement. It is computed again if it is missing or, with
// fresh, because its halo was too narrow.
func readState(v *folder.Survey, t *plan.Tile, m *folder.Mark, fresh bool) (*coarsened, error) {
	c := emptyCoarsened()
	if !fresh {
		err := v.ReadArrays(v.File("coarsen", t.Index, "state"), c.state())
		if !errors.Is(err, os.ErrNotExist) {
			return c, err
		}
	}
	return coarsenTile(v, t, m)
}
