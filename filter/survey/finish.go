package survey

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/filter/child"
	"superpoint/filter/records"
	"superpoint/partition/local"
)

// FinishDone tells that a tile is written with its final ids.
type FinishDone struct {
	Step    string  `json:"step"`
	Tile    int     `json:"tile"`
	Plan    string  `json:"plan"`
	Stitch  string  `json:"stitch"` // inputs of the stitching
	File    string  `json:"file"`   // in out; "" if the tile has no points
	Points  int64   `json:"points"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

func (v *Survey) finishMark(n int) string { return v.path("out", fmt.Sprintf(".%d.json", n)) }

// errElsewhere tells that the result has another name than was wanted.
var errElsewhere = errors.New("the result is written elsewhere")

// Finish writes tile n with its ids, unless that is done.
func (v *Survey) Finish(n int) (*FinishDone, error) {
	t, err := v.tile(n)
	if err != nil {
		return nil, err
	}
	s := new(StitchDone)
	if !readJSON(v.path("stitch.json"), s) || s.Plan != v.sum {
		return nil, fmt.Errorf("tile %d: the tiles are not stitched; run: pdal superpoint survey stitch %s", n, v.folder)
	}
	done := new(FinishDone)
	if readJSON(v.finishMark(n), done) && done.Plan == v.sum && done.Stitch == s.Inputs && v.resultWhole(done) {
		return done, nil
	}
	if err := v.foreign([]planned{*t}); err != nil {
		return nil, err
	}
	start := time.Now()
	mark := new(RunDone)
	if !readJSON(v.tileMark(n), mark) || mark.Plan != v.sum {
		return nil, fmt.Errorf("tile %d (%s) is not done; run: pdal superpoint survey run %s %d", n, t.Name, v.folder, n)
	}
	done = &FinishDone{Step: "finish", Tile: n, Plan: v.sum, Stitch: s.Inputs, Points: mark.Points}
	if err := os.MkdirAll(v.path("out"), 0o755); err != nil {
		return nil, err
	}
	if mark.Points > 0 {
		if err = v.writeResult(t, mark, done); err != nil {
			return nil, t.in(err)
		}
	}
	done.Seconds = seconds(start)
	if err := writeJSON(v.finishMark(n), done); err != nil {
		return nil, err
	}
	// large, and made again if anybody asks
	if err := os.Remove(v.tileState(n)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return done, os.RemoveAll(v.path("cut", strconv.Itoa(n)))
}

// FinishAll writes every tile with its ids.
func (v *Survey) FinishAll() ([]*FinishDone, error) {
	var all []*FinishDone
	for n := range v.plan.Tiles {
		done, err := v.Finish(n)
		if err != nil {
			return nil, err
		}
		all = append(all, done)
		v.host.Progress("write", float64(n+1)/float64(len(v.plan.Tiles)))
	}
	return all, nil
}

func (v *Survey) resultWhole(done *FinishDone) bool {
	path := v.path("out", done.File)
	info, err := os.Stat(path)
	return done.Points == 0 || err == nil && info.Size() == done.Bytes && madeBy(path) == v.sum
}

// writeResult puts the ids into the core's records and compresses them.
func (v *Survey) writeResult(t *planned, mark *RunDone, done *FinishDone) error {
	id, err := v.readIDs(t.Index)
	if err != nil {
		return err
	}
	l, err := records.Read(v.tileLAS(t.Index))
	if err != nil {
		return fmt.Errorf("%w; remove it and run the tile again", err)
	}
	to, err := v.output(v.result(t))
	if err != nil {
		return err
	}
	err = to.File(func(packed string) error {
		raw := filepath.Join(filepath.Dir(packed), "raw.las")
		if err := v.relabel(l, raw, id, mark); err != nil {
			return err
		}
		err := child.Pipeline(v.host.Context(), raw, v.plan.Layout.writer(packed, "all"))
		if child.RefusedToPack(err) {
			return v.writeUnpacked(t, raw)
		}
		if err != nil {
			return err
		}
		if err := records.CheckLAZ(packed, mark.Points); err != nil {
			return err
		}
		return v.record(t.Index, packed)
	})
	done.File = t.Name
	if errors.Is(err, errElsewhere) {
		done.File, err = child.UnpackedName(t.Name), nil
	}
	if err != nil {
		return err
	}
	for _, name := range resultNames(t) { // this plan's own, as foreign has seen
		if name == done.File {
			continue
		}
		if err := os.Remove(v.path("out", name)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	info, err := os.Stat(v.path("out", done.File))
	if err == nil {
		done.Bytes = info.Size()
	}
	return err
}

// writeUnpacked takes a tile as LAS.
func (v *Survey) writeUnpacked(t *planned, raw string) error {
	name := child.UnpackedName(t.Name)
	to, err := v.output(v.path("out", name))
	if err == nil {
		err = to.File(func(temporary string) error {
			if err := v.record(t.Index, raw); err != nil {
				return err
			}
			return whole.Move(raw, temporary)
		})
	}
	if err != nil {
		return err
	}
	v.host.Log(filter.LogWarning, fmt.Sprintf("%s: %s; the result is %s", t.Name, child.CannotPack, name))
	return errElsewhere
}

func (v *Survey) relabel(l *records.File, path string, id []uint32, mark *RunDone) error {
	at, ok := l.Extra[v.plan.Outputs[0].Name]
	if !ok {
		return fmt.Errorf("%s has no dimension %s", l.Path, v.plan.Outputs[0].Name)
	}
	r := refined{PieceArrays: new(local.PieceArrays)} // else pieces are in the records
	if v.plan.Exact != nil {
		if _, err := readArrays(v.tilePieces(mark.Tile), r.arrays()); err != nil {
			return err
		}
		if len(r.Piece) != l.Count {
			return fmt.Errorf("%s: damaged: %d pieces of points, %d points; remove it and start again", v.tilePieces(mark.Tile),
				len(r.Piece), l.Count)
		}
	}
	w, err := records.NewWriter(path, l.Head)
	if err != nil {
		return err
	}
	defer w.Discard()
	var sum records.Sum
	err = l.Each(func(i int, record []byte) error {
		sum.Add(record)
		piece := binary.LittleEndian.Uint32(record[at:])
		if r.Piece != nil {
			piece = r.Piece[i] + 1
		}
		if piece == 0 || int(piece) > len(id) {
			return fmt.Errorf("%s: damaged: point %d is of piece %d of %d; remove it and run the tile again", l.Path, i, piece,
				len(id))
		}
		binary.LittleEndian.PutUint32(record[at:], id[piece-1])
		return w.Append(record)
	})
	if err != nil {
		return err
	}
	if uint32(sum) != mark.Sum {
		return fmt.Errorf("%s: damaged: the checksum is wrong; remove it and run the tile again", l.Path)
	}
	return w.Close()
}
