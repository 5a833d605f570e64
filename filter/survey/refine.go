package survey

import (
	"errors"
	"fmt"
	"os"
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

func (v *Survey) readJoined() (*local.Joined, *JoinDone, error) {
	done, err := v.joinMark()
	if err != nil {
		return nil, nil, err
	}
	arrays := new(local.JoinedArrays)
	if _, err := readArrays(v.joined(), arrays.Arrays()); err != nil {
		return nil, nil, err
	}
	j, err := arrays.Joined()
	return j, done, err
}

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
	done.Inputs = fmt.Sprintf("%08x", joined.Sum)
	if err := v.refine(t, done); err != nil {
		return nil, fmt.Errorf("tile %d (%s): %w", n, t.Name, err)
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
	if !readJSON(v.refineMark(n), done) || done.Plan != v.sum || done.Inputs != fmt.Sprintf("%08x", joined.Sum) {
		return nil
	}
	r := refined{PieceArrays: new(local.PieceArrays)}
	if sum, err := readArrays(v.tilePieces(n), r.arrays()); err != nil || sum != done.Sum {
		return nil
	}
	return done
}

func (v *Survey) refine(t *planned, done *RefineDone) error {
	mark := new(RunDone)
	if !readJSON(v.tileMark(t.Index), mark) || mark.Plan != v.sum {
		return fmt.Errorf("it is not done; run: pdal superpoint survey run %s %d", v.folder, t.Index)
	}
	r := refined{PieceArrays: (&local.Pieces{}).Flat()}
	if mark.Points > 0 {
		j, _, err := v.readJoined()
		if err != nil {
			return err
		}
		for halo := max(mark.HaloWidth, v.plan.Grid.Halo); ; {
			err := v.refineOnce(t, j, &r, mark)
			if err == nil {
				break
			}
			var unsure *local.Unsure
			switch {
			case errors.As(err, &unsure):
				v.host.Log(filter.LogInfo, fmt.Sprintf("tile %d, halo %.3g: %v", t.Index, halo*v.plan.Unit, err))
				halo *= widening
			case !errors.Is(err, os.ErrNotExist):
				return err
			}
			wide, err := v.again(t.Index, halo, nil, true)
			if err != nil {
				return err
			}
			halo = wide.HaloWidth
		}
	}
	done.Pieces = len(r.First)
	var err error
	done.Sum, err = writeArrays(v.tilePieces(t.Index), r.arrays())
	return err
}

func (v *Survey) refineOnce(t *planned, j *local.Joined, r *refined, mark *RunDone) error {
	c := nothing()
	if _, err := readArrays(v.tileState(t.Index), c.state()); err != nil {
		return err
	}
	m, err := c.State.Tile(j)
	if err != nil {
		return err
	}
	pieces, piece, err := m.Refine(v.parallel(), j)
	if err != nil {
		return err
	}
	r.PieceArrays = pieces.Flat()
	rank, at := make([]uint32, len(c.Order)), uint32(0) // of the records of the core
	for u, i := range c.Order {
		if int(i) >= len(rank) {
			return fmt.Errorf("%s: damaged; remove it and start again", v.tileState(t.Index))
		}
		if m.Core[u] {
			rank[i] = 1
		}
	}
	for i, in := range rank {
		rank[i] = at
		at += in
	}
	if int64(at) != mark.Points {
		return fmt.Errorf("%s: damaged; remove it and start again", v.tileState(t.Index))
	}
	r.Piece = make([]uint32, at)
	for u, i := range c.Order {
		if m.Core[u] {
			r.Piece[rank[i]] = piece[u]
		}
	}
	return nil
}
