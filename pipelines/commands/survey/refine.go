// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"os"

	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/blocks"
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

// number merges adjacent parts of components of all tiles into superpoints and assigns ids.
func number(v *folder.Survey, _ int, m *folder.Mark) error {
	merged, err := v.Mark("merge", 0)
	if err != nil {
		return err
	}
	j, err := merged.Merged.Head.Part(local.MergedInitial{}, nil, local.Components{})
	if err != nil {
		return err
	}
	cores := make([]*local.CoreComponents, len(v.Plan.Tiles))
	for n := range cores {
		r, err := readRefined(v, n)
		if err != nil {
			return fmt.Errorf("%v: %w", &v.Plan.Tiles[n], err)
		}
		cores[n] = r.CoreComponents
	}
	levels, err := local.Finish(v.Parallel(), j, cores, v.Plan.Shared.Coarser)
	if err != nil {
		return err
	}
	m.Points, m.Superpoints = merged.Points, countIDs(levels[0])
	for _, ids := range levels[1:] {
		m.Coarser = append(m.Coarser, countIDs(ids).Superpoints)
	}
	var sums []uint32
	for n := range cores {
		m.CoreComponents += len(levels[0][n])
		var ids [][]uint32
		for _, level := range levels {
			ids = append(ids, level[n])
		}
		sum, err := v.Save(m, v.File("number", n, "ids"), blocks.Pointers(ids))
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	m.Sum = blocks.Checksum(sums...)
	return nil
}

// countIDs changes numbers of superpoints from 0 to ids from 1, and counts them.
func countIDs(id [][]uint32) *folder.Superpoints {
	r := &folder.Superpoints{Tiles: len(id)}
	in := map[uint32]int{} // tile of a superpoint, plus 1; −1 for several
	for n := range id {
		for k := range id[n] {
			id[n][k]++
			switch c := id[n][k]; {
			case in[c] == 0:
				in[c] = n + 1
			case in[c] != n+1:
				in[c] = -1
			}
		}
	}
	r.Superpoints = int64(len(in))
	for n := range id {
		for _, c := range id[n] {
			if in[c] < 0 {
				r.Crossing++
			}
		}
	}
	return r
}
