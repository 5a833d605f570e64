package survey

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"superpoint/embed/whole"
	"superpoint/filter/memory"
	"superpoint/partition/tile"
)

// StitchDone tells that the tiles are joined.
type StitchDone struct {
	Step    string  `json:"step"`
	Plan    string  `json:"plan"`
	Inputs  string  `json:"inputs"` // checksum of the tiles' marks
	Points  int64   `json:"points"`
	Seconds float64 `json:"seconds"`
	Memory  int64   `json:"memory"`
	tile.Report
}

func (v *Survey) ids(n int) string { return v.path("ids", strconv.Itoa(n)) }

// Stitch joins all tiles, unless that is done.
func (v *Survey) Stitch() (*StitchDone, error) {
	start := time.Now()
	s := &StitchDone{Step: "stitch", Plan: v.sum}
	marks, inputs, err := v.marks()
	if err != nil {
		return nil, err
	}
	for _, m := range marks {
		s.Points += m.Points
	}
	s.Inputs = inputs
	if v.plan.Exact != nil {
		joined, err := v.joinMark()
		if err != nil {
			return nil, err
		}
		if joined.Inputs != inputs {
			return nil, fmt.Errorf("tiles were done again; run: pdal superpoint survey join %s", v.folder)
		}
	}
	read := v.readSeams // whole or not is seen also where all is done
	if v.plan.Exact != nil {
		read = v.readPieces
	}
	join, err := read()
	if err != nil {
		return nil, err
	}
	before := new(StitchDone)
	if readJSON(v.path("stitch.json"), before) && before.Plan == s.Plan && before.Inputs == s.Inputs {
		return before, nil
	}
	ids, err := join(&s.Report)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(v.path("ids"), 0o755); err != nil {
		return nil, err
	}
	for n, id := range ids {
		if err := v.writeIDs(n, id); err != nil {
			return nil, err
		}
	}
	s.Memory = memory.Peak()
	s.Seconds = seconds(start)
	return s, writeJSON(v.path("stitch.json"), s)
}

// stitching gives the ids of the pieces of each tile.
type stitching func(r *tile.Report) ([][]uint32, error)

// readSeams reads seams, to join superpoints of neighbouring tiles by what both see.
func (v *Survey) readSeams() (stitching, error) {
	seams, place := make([]*tile.Seam, len(v.plan.Tiles)), make([][2]int, len(v.plan.Tiles))
	for n := range v.plan.Tiles {
		t := &v.plan.Tiles[n]
		var err error
		if seams[n], err = tile.ReadSeam(v.tileSeam(n)); err != nil {
			return nil, t.in(err)
		}
		place[n] = [2]int{t.Column, t.Row}
	}
	return func(r *tile.Report) ([][]uint32, error) {
		l := &v.plan.Layout
		joined, err := tile.Stitch(v.parallel(), &v.plan.Grid, place, seams, l.Offset, l.Scale)
		if err != nil {
			return nil, err
		}
		*r = joined.Report
		return joined.ID, nil
	}, nil
}

func (v *Survey) writeIDs(n int, id []uint32) error {
	body := make([]byte, 0, 4*len(id)+4)
	for _, v := range id {
		body = binary.LittleEndian.AppendUint32(body, v)
	}
	body = binary.LittleEndian.AppendUint32(body, tile.Sum(body))
	return whole.Write(v.ids(n), func(w io.Writer) error { _, err := w.Write(body); return err })
}

func (v *Survey) readIDs(n int) ([]uint32, error) {
	body, err := os.ReadFile(v.ids(n))
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	if len(body)%4 != 0 || len(body) < 4 || tile.Sum(body[:len(body)-4]) != le.Uint32(body[len(body)-4:]) {
		return nil, fmt.Errorf("%s: damaged; remove stitch.json and stitch again", v.ids(n))
	}
	id := make([]uint32, len(body)/4-1)
	for i := range id {
		id[i] = le.Uint32(body[4*i:])
	}
	return id, nil
}
