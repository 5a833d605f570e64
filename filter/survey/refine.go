package survey

import (
	"errors"
	"fmt"
	"strconv"

	"superpoint/filter"
	"superpoint/partition/local"
)

func (v *Survey) tilePieces(n int) string { return v.Path("refine", strconv.Itoa(n)+".pieces") }

// refined has the connected parts of components in a tile.
type refined struct {
	*local.CoreArrays
	Piece []uint32 // of each record of the core
}

func (r *refined) arrays() []any { return append(r.CoreArrays.Arrays(), &r.Piece) }

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
	r := refined{CoreArrays: (&local.CoreComponents{}).Flat()}
	if m.Points = tiles[n].Points; m.Points > 0 {
		if err := v.refineTile(&v.plan.Tiles[n], &merged.Merged.Head, tiles[n].Halo, &r, m.Points); err != nil {
			return err
		}
	}
	m.Pieces = len(r.First)
	if m.Sum, err = writeArrays(v.tilePieces(n), r.arrays()); err != nil {
		return err
	}
	return v.addFile(m, v.tilePieces(n))
}

// refineTile refines a tile with a halo that grows until the result is exact.
func (v *Survey) refineTile(t *plannedTile, head *local.MergedHeader, halo float64, r *refined, points int64) error {
	again := &Mark{Points: points, Halo: halo}
	for fresh := false; ; fresh = true {
		c, err := v.state(t, again, fresh)
		if err != nil {
			return err
		}
		err = v.refineIn(c, head, r, points)
		var narrow *local.HaloError
		if !errors.As(err, &narrow) {
			return err
		}
		v.host.Log(filter.LogInfo, fmt.Sprintf("tile %d, halo %.3g m: %v", t.Index, again.Halo*v.plan.Unit, err))
		again.Halo *= haloGrowth
	}
}

func (v *Survey) refineIn(c *coarsened, head *local.MergedHeader, r *refined, points int64) error {
	j, err := v.readMerged(head, c.State.InitialIDs())
	if err != nil {
		return err
	}
	tile, err := c.State.Tile(j)
	if err != nil {
		return err
	}
	if len(c.Record) != len(tile.ID) {
		return errors.New("the state of the tile does not fit together; remove the folder coarsen and rerun")
	}
	pieces, piece, err := tile.Refine(v.parallel(), j)
	if err != nil {
		return err
	}
	r.CoreArrays = pieces.Flat()
	r.Piece = make([]uint32, points)
	for u, i := range c.Record {
		if !tile.Core[u] {
			continue
		}
		if int(i) >= len(r.Piece) {
			return errors.New("the state of the tile does not fit together; remove the folder coarsen and rerun")
		}
		r.Piece[i] = piece[u]
	}
	return nil
}
