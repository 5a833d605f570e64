package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/embed/whole"
	"superpoint/partition/tile"
)

// everyTile cuts for all tiles.
const everyTile = -1

// cutDone tells that a source is cut.
type cutDone struct {
	Unit      string         `json:"unit"`
	Source    string         `json:"source"`
	Plan      string         `json:"plan"`
	Signature string         `json:"signature"` // of the source file
	Points    int64          `json:"points"`
	Slices    map[string]int `json:"slices"` // points by tile
}

// signature changes when a file is replaced; files elsewhere are taken as fixed.
func (s *source) signature() string {
	info, err := os.Stat(s.Path)
	if err != nil {
		return "remote"
	}
	return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
}

func (p *project) cutMark(k int) string { return p.path("cut", strconv.Itoa(k)+".json") }

// cut writes what each tile sees of source k, or one tile only, unless that is
// done.
func (u *unit) cut(k, only int) (*cutDone, error) {
	if k < 0 || k >= len(u.plan.Sources) {
		return nil, fmt.Errorf("source %d: the plan has sources 0 to %d", k, len(u.plan.Sources)-1)
	}
	s := &u.plan.Sources[k]
	if s.Direct && only == everyTile {
		return &cutDone{Unit: "cut", Source: s.Path, Plan: u.sum}, nil // tiles read it by area
	}
	if done := u.isCut(k); done != nil && (only == everyTile || u.slicePresent(done, only, k)) {
		return done, nil
	}
	done, err := u.cutSource(k, only)
	if err != nil {
		return nil, fmt.Errorf("source %d, %s: %w", k, s.Path, err)
	}
	if only == everyTile {
		err = writeJSON(u.cutMark(k), done)
	}
	return done, err
}

// isCut returns the mark of a source that is cut as it is now, or nil.
func (u *unit) isCut(k int) *cutDone {
	done := new(cutDone)
	if readJSON(u.cutMark(k), done) && done.Plan == u.sum && done.Signature == u.plan.Sources[k].signature() {
		return done
	}
	return nil
}

// slicePresent tells whether a tile's part of a source is there and whole.
func (p *project) slicePresent(done *cutDone, n, k int) bool {
	want := done.Slices[strconv.Itoa(n)]
	if want == 0 {
		return true
	}
	l, err := tile.ReadLAS(p.slice(n, k))
	return err == nil && l.Count == want
}

func (u *unit) cutSource(k, only int) (*cutDone, error) {
	s := &u.plan.Sources[k]
	if err := os.MkdirAll(u.path("cut"), 0o755); err != nil {
		return nil, err
	}
	work, clean, err := whole.Workspace(u.path("cut"))
	if err != nil {
		return nil, err
	}
	defer clean()
	raw := filepath.Join(work, "all.las")
	done := &cutDone{Unit: "cut", Source: s.Path, Plan: u.sum, Signature: s.signature(), Slices: map[string]int{}}
	var box *tile.Box
	if s.Direct {
		t := &u.plan.Tiles[only]
		b := u.plan.Grid.Core(t.Column, t.Row).Grow(u.plan.Grid.Halo)
		box = &b
	}
	if err := tile.CheckWhole(s.Path); err != nil {
		return nil, err
	}
	if err := u.decode(k, box, raw); err != nil {
		return nil, err
	}
	l, err := tile.ReadLAS(raw)
	if err != nil {
		return nil, err
	}
	done.Points = int64(l.Count)
	if !s.Direct && done.Points != s.Points {
		return nil, fmt.Errorf("%d of %d points can be read; the file is damaged, or changed since it was planned", done.Points, s.Points)
	}
	return done, u.distribute(l, k, only, done)
}

// decode writes a source, or the part in a box, as LAS of the plan's layout with
// room for what the stage will add.
func (u *unit) decode(k int, box *tile.Box, path string) error {
	stages := []any{u.plan.Sources[k].reader(box)}
	fields := slices.Clone(u.plan.Layout.Extra)
	for _, f := range u.plan.Outputs {
		if !lasDimension(f.Name) {
			fields = append(fields, f)
		}
	}
	for _, f := range fields { // a dimension that this source lacks; ferry leaves others alone
		stages = append(stages, map[string]any{"type": "filters.ferry", "dimensions": "=>" + f.Name})
	}
	return pipeline(u.host.Context(), append(stages, u.plan.Layout.writer(path, extraDims(fields)))...)
}

// distribute writes the slices.
func (u *unit) distribute(l *tile.LAS, k, only int, done *cutDone) error {
	g := &u.plan.Grid
	index := map[[2]int]int{}
	for _, t := range u.plan.Tiles {
		if slices.Contains(t.Sources, k) {
			index[[2]int{t.Column, t.Row}] = t.Index
		}
	}
	writers := map[int]*tile.Writer{}
	defer func() {
		for _, w := range writers {
			w.Discard()
		}
	}()
	var failed error
	err := l.Each(func(i int, record []byte) error {
		x, y := l.Position(tile.XYZ(record))
		column, row := g.At(x, y)
		if _, ok := index[[2]int{column, row}]; !ok {
			return fmt.Errorf("point %d at %v, %v lies outside of the bounds %v in the file's header; write the file anew with pdal translate", i, x, y, u.plan.Sources[k].Bounds)
		}
		g.Reached(x, y, func(column, row int) {
			n, ok := index[[2]int{column, row}]
			if !ok || only != everyTile && n != only || failed != nil {
				return
			}
			w := writers[n]
			if w == nil {
				if w, failed = u.sliceWriter(l, n, k); failed != nil {
					return
				}
				writers[n] = w
			}
			failed = w.Append(record)
		})
		return failed
	})
	if err != nil {
		return err
	}
	for n, w := range writers {
		_, count := w.Sum()
		done.Slices[strconv.Itoa(n)] = int(count)
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (u *unit) sliceWriter(l *tile.LAS, n, k int) (*tile.Writer, error) {
	path := u.slice(n, k)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return tile.NewWriter(path, l.Head)
}
