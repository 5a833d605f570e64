package survey

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/filter/child"
	"superpoint/filter/records"
	"superpoint/partition/local"
)

// errElsewhere says that the result has another name than was wanted.
var errElsewhere = errors.New("the result is written elsewhere")

// write writes the result of a tile.
func (v *Survey) write(n int, m *Mark) error {
	t := &v.plan.Tiles[n]
	if err := v.foreign([]planned{*t}); err != nil {
		return err
	}
	tiles, _, err := v.marks("embed")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(v.path("out"), 0o755); err != nil {
		return err
	}
	if m.Points = tiles[n].Points; m.Points > 0 {
		if err := v.writeResult(t, tiles[n], m); err != nil {
			return err
		}
		if err := v.made(m, v.path("out", m.File)); err != nil {
			return err
		}
	}
	for _, name := range resultNames(t) { // this plan's own, as foreign has seen
		if name == m.File {
			continue
		}
		if err := os.Remove(v.path("out", name)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	// large, and made again if anybody asks
	if err := os.Remove(v.tileState(n)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.RemoveAll(v.path("cut", strconv.Itoa(n)))
}

// writeResult puts the ids into the core's records and compresses them.
func (v *Survey) writeResult(t *planned, embedded, m *Mark) error {
	l, err := records.Read(v.tileLAS(t.Index))
	if err != nil {
		return fmt.Errorf("%w; remove it and rerun", err)
	}
	to, err := v.output(v.result(t))
	if err != nil {
		return err
	}
	err = to.File(func(packed string) error {
		raw := filepath.Join(filepath.Dir(packed), "raw.las")
		if err := v.relabel(l, raw, t.Index, embedded.Records); err != nil {
			return err
		}
		err := child.Pipeline(v.host.Context(), raw, v.plan.Layout.writer(packed, "all"))
		if child.RefusedToPack(err) {
			return v.writeUnpacked(t, raw)
		}
		if err != nil {
			return err
		}
		if err := records.CheckLAZ(packed, m.Points); err != nil {
			return err
		}
		return v.record(t.Index, packed)
	})
	m.File = t.Name
	if errors.Is(err, errElsewhere) {
		m.File, err = child.UnpackedName(t.Name), nil
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

// relabel writes the records of a tile's core with their ids.
func (v *Survey) relabel(l *records.File, path string, n int, want uint32) error {
	at, ok := l.Extra[v.plan.Outputs[0].Name]
	if !ok {
		return fmt.Errorf("%s has no dimension %s", l.Path, v.plan.Outputs[0].Name)
	}
	var id []uint32
	if _, err := readArrays(v.tileIDs(n), []any{&id}); err != nil {
		return err
	}
	r := refined{PieceArrays: new(local.PieceArrays)}
	if _, err := readArrays(v.tilePieces(n), r.arrays()); err != nil {
		return err
	}
	if len(r.Piece) != l.Count {
		return damaged(v.tilePieces(n), fmt.Errorf("%d pieces of points, %d points", len(r.Piece), l.Count))
	}
	w, err := records.NewWriter(path, l.Head)
	if err != nil {
		return err
	}
	defer w.Discard()
	var sum records.Sum
	err = l.Each(func(i int, record []byte) error {
		sum.Add(record)
		piece := r.Piece[i]
		if int(piece) >= len(id) {
			return damaged(v.tilePieces(n), fmt.Errorf("point %d is of piece %d of %d", i, piece, len(id)))
		}
		binary.LittleEndian.PutUint32(record[at:], id[piece])
		return w.Append(record)
	})
	if err != nil {
		return err
	}
	if uint32(sum) != want {
		return damaged(l.Path, errors.New("the checksum is wrong"))
	}
	return w.Close()
}
