package survey

import (
	"errors"
	"fmt"
	"time"

	"superpoint/filter"
	"superpoint/filter/memory"
	"superpoint/partition/local"
)

// RefineDone tells that the points of a tile have moved to where they belong.
type RefineDone struct {
	Step    string  `json:"step"`
	Tile    int     `json:"tile"`
	Plan    string  `json:"plan"`
	Inputs  string  `json:"inputs"` // of the joined partition
	Pieces  int     `json:"pieces"`
	Sum     uint32  `json:"sum"`
	Seconds float64 `json:"seconds"`
	Memory  int64   `json:"memory"`
	Skipped bool    `json:"skipped,omitempty"` // the plan's tiles are stitched without this step
}

func (v *Survey) refineMark(n int) string { return v.path("tiles", fmt.Sprint(n)+".refined.json") }
func (v *Survey) tilePieces(n int) string { return v.path("tiles", fmt.Sprint(n)+".pieces") }

// refined are the pieces of a tile.
type refined struct {
	*local.PieceArrays
	Piece []uint32 // of each record of the core
}

func (r *refined) arrays() []any { return append(r.PieceArrays.Arrays(), &r.Piece) }

// joinMark reads the mark of the joined partition.
func (v *Survey) joinMark() (*JoinDone, error) {
	done := new(JoinDone)
	if !readJSON(v.path("joined.json"), done) || done.Plan != v.sum {
		return nil, fmt.Errorf("the tiles are not joined; run: pdal superpoint survey join %s", v.folder)
	}
	return done, nil
}

// checksum is that of the whole partition.
func (j *JoinDone) checksum() string { return fmt.Sprintf("%08x%08x", j.AtomSum, j.Sum) }

// Refine moves the points of tile n between the superpoints of the joined
// partition, unless that is done. Only exact tiles need it.
func (v *Survey) Refine(n int) (*RefineDone, error) {
	t, err := v.tile(n)
	if err != nil {
		return nil, err
	}
	done := &RefineDone{Step: "refine", Tile: n, Plan: v.sum}
	if v.plan.Exact == nil {
		done.Skipped = true
		return done, nil
	}
	joined, err := v.joinMark()
	if err != nil {
		return nil, err
	}
	if before := v.isRefined(n, joined); before != nil {
		return before, nil
	}
	start := time.Now()
	done.Inputs = joined.checksum()
	if err := v.refine(t, joined, done); err != nil {
		return nil, t.in(err)
	}
	done.Seconds, done.Memory = seconds(start), memory.Peak()
	return done, writeJSON(v.refineMark(n), done)
}

// RefineAll refines every tile.
func (v *Survey) RefineAll() (all []*RefineDone, err error) {
	err = v.each("refine", func(n int) error {
		done, err := v.Refine(n)
		all = append(all, done)
		return err
	})
	return all, err
}

// isRefined returns the mark of a tile that is refined, with its file whole, or
// nil.
func (v *Survey) isRefined(n int, joined *JoinDone) *RefineDone {
	done := new(RefineDone)
	if !readJSON(v.refineMark(n), done) || done.Plan != v.sum || done.Inputs != joined.checksum() {
		return nil
	}
	r := refined{PieceArrays: new(local.PieceArrays)}
	if sum, err := readArrays(v.tilePieces(n), r.arrays()); err != nil || sum != done.Sum {
		return nil
	}
	return done
}

func (v *Survey) refine(t *planned, joined *JoinDone, done *RefineDone) error {
	mark := new(RunDone)
	if !readJSON(v.tileMark(t.Index), mark) || mark.Plan != v.sum {
		return fmt.Errorf("it is not done; run: pdal superpoint survey run %s %d", v.folder, t.Index)
	}
	r := refined{PieceArrays: (&local.Pieces{}).Flat()}
	if mark.Points > 0 {
		halo, fresh := mark.HaloWidth, false
		for {
			c, wide, err := v.state(t, halo, fresh)
			if err != nil {
				return err
			}
			err = v.refineOnce(c, joined, &r, mark)
			var unsure *local.Unsure
			if err == nil {
				break
			}
			if !errors.As(err, &unsure) {
				return err
			}
			v.host.Log(filter.LogInfo, fmt.Sprintf("tile %d, halo %.3g m: %v", t.Index, wide*v.plan.Unit, err))
			halo, fresh = wide*widening, true
		}
	}
	done.Pieces = len(r.First)
	var err error
	done.Sum, err = writeArrays(v.tilePieces(t.Index), r.arrays())
	return err
}

func (v *Survey) refineOnce(c *coarsened, joined *JoinDone, r *refined, mark *RunDone) error {
	j, err := v.readJoined(joined, c.State.Atoms())
	if err != nil {
		return err
	}
	m, err := c.State.Tile(j)
	if err != nil {
		return err
	}
	if len(c.Record) != len(m.ID) {
		return errors.New("the state of the tile does not fit together; remove it and start again")
	}
	pieces, piece, err := m.Refine(v.parallel(), j)
	if err != nil {
		return err
	}
	r.PieceArrays = pieces.Flat()
	r.Piece = make([]uint32, mark.Points)
	for u, i := range c.Record {
		if !m.Core[u] {
			continue
		}
		if int(i) >= len(r.Piece) {
			return errors.New("the state of the tile does not fit together; remove it and start again")
		}
		r.Piece[i] = piece[u]
	}
	return nil
}
