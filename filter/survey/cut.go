package survey

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/embed"
	"superpoint/embed/whole"
	"superpoint/filter/child"
	"superpoint/filter/records"
	"superpoint/filter/sources"
	"superpoint/partition/tile"
)

// everyTile cuts for all tiles.
const everyTile = -1

// CutDone tells that a source is cut.
type CutDone struct {
	Step      string         `json:"step"`
	Source    string         `json:"source"`
	Plan      string         `json:"plan"`
	Signature string         `json:"signature"` // of the source file
	Points    int64          `json:"points"`
	Slices    map[string]int `json:"slices"`          // points by tile
	Cells     map[string]int `json:"cells,omitempty"` // cells of the ground by tile
}

// signature changes when a file does.
func (s *source) signature() string {
	text, err := sources.Signature(s.Path)
	if err != nil {
		return err.Error() // reading it says so, too
	}
	return text
}

// unchanged checks that a source is what it was when it was planned.
func (s *source) unchanged() error {
	if err := records.CheckWhole(s.Path); err != nil {
		return err
	}
	content, err := sources.Identity(s.Path)
	if err == nil && content != s.Content {
		err = errors.New("the file has changed since the survey was planned; plan again")
	}
	return err
}

func (v *Survey) cutMark(k int) string { return v.path("cut", strconv.Itoa(k)+".json") }

// Cut writes what each tile sees of source k, unless that is done.
func (v *Survey) Cut(k int) (*CutDone, error) { return v.cut(k, everyTile) }

// cut writes what each tile sees of source k, or one tile only, unless that is
// done.
func (v *Survey) cut(k, only int) (*CutDone, error) {
	if k < 0 || k >= len(v.plan.Sources) {
		return nil, fmt.Errorf("source %d: the plan has sources 0 to %d", k, len(v.plan.Sources)-1)
	}
	s := &v.plan.Sources[k]
	if s.Direct && only == everyTile {
		return &CutDone{Step: "cut", Source: s.Path, Plan: v.sum}, nil // tiles read it by area
	}
	if done := v.isCut(k); done != nil && (only == everyTile || v.slicePresent(done, only, k)) {
		return done, nil
	}
	done, err := v.cutSource(k, only)
	if err != nil {
		return nil, fmt.Errorf("source %d, %s: %w", k, s.Path, err)
	}
	if only == everyTile {
		err = writeJSON(v.cutMark(k), done)
	}
	return done, err
}

// isCut returns the mark of a source that is cut as it is now, or nil.
func (v *Survey) isCut(k int) *CutDone {
	done := new(CutDone)
	if readJSON(v.cutMark(k), done) && done.Plan == v.sum && done.Signature == v.plan.Sources[k].signature() {
		return done
	}
	return nil
}

// slicePresent tells whether a tile's part of a source is there and whole.
func (v *Survey) slicePresent(done *CutDone, n, k int) bool {
	if want := done.Cells[strconv.Itoa(n)]; want > 0 {
		c := new(embed.Cells)
		if _, err := readArrays(v.sliceCells(n, k), cellArrays(c)); err != nil || len(c.Row) != want {
			return false
		}
	}
	want := done.Slices[strconv.Itoa(n)]
	if want == 0 {
		return true
	}
	l, err := records.Read(v.slice(n, k))
	return err == nil && l.Count == want
}

func (v *Survey) cutSource(k, only int) (*CutDone, error) {
	s := &v.plan.Sources[k]
	if err := os.MkdirAll(v.path("cut"), 0o755); err != nil {
		return nil, err
	}
	work, clean, err := whole.Workspace(v.path("cut"))
	if err != nil {
		return nil, err
	}
	defer clean()
	raw := filepath.Join(work, "all.las")
	done := &CutDone{Step: "cut", Source: s.Path, Plan: v.sum, Signature: s.signature(),
		Slices: map[string]int{}, Cells: map[string]int{}}
	var box *tile.Box
	if s.Direct {
		t := &v.plan.Tiles[only]
		b := v.plan.Grid.Core(t.Column, t.Row).Grow(v.plan.Grid.Halo + v.plan.Exact.width()/v.plan.Unit)
		box = &b
	}
	if err := s.unchanged(); err != nil {
		return nil, err
	}
	if err := v.decode(k, box, raw); err != nil {
		return nil, err
	}
	l, err := records.Read(raw)
	if err != nil {
		return nil, err
	}
	done.Points = int64(l.Count)
	if !s.Direct && done.Points != s.Points {
		return nil, fmt.Errorf("%d of %d points can be read; the file is damaged, or changed since it was planned",
			done.Points, s.Points)
	}
	return done, v.distribute(l, k, only, done)
}

// decode writes a source, or the part in a box, as LAS of the plan's layout with
// room for what the stage will add.
func (v *Survey) decode(k int, box *tile.Box, path string) error {
	s := &v.plan.Sources[k]
	stages := []any{s.reader(box)}
	for _, name := range s.Lacks { // ferry would make others double, which cuts 64-bit integers
		stages = append(stages, map[string]any{"type": "filters.ferry", "dimensions": "=>" + name})
	}
	w := v.plan.Layout.writer(path, child.ExtraDims(v.plan.added()))
	return child.Pipeline(v.host.Context(), append(stages, w)...)
}

// added returns the extra dimensions of tiles: those of the sources, and what the stage
// writes.
func (p *plan) added() []child.Field {
	fields := slices.Clone(p.Layout.Extra)
	for _, f := range p.Outputs {
		if !slices.Contains(records.Fields(), f.Name) {
			fields = append(fields, f)
		}
	}
	return fields
}

// adds reports whether all names are of dimensions that added returns.
func (p *plan) adds(names []string) bool {
	fields := p.added()
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(fields, func(f child.Field) bool { return f.Name == name })
	})
}

// distribute writes the slices.
func (v *Survey) distribute(l *records.File, k, only int, done *CutDone) error {
	g := &v.plan.Grid
	index := map[[2]int]int{}
	for _, t := range v.plan.Tiles {
		if slices.Contains(t.Sources, k) {
			index[[2]int{t.Column, t.Row}] = t.Index
		}
	}
	writers, ground := map[int]*records.Writer{}, v.newCells(k)
	defer func() {
		for _, w := range writers {
			w.Discard()
		}
	}()
	var failed error
	err := l.Each(func(i int, record []byte) error {
		x, y := l.Position(records.XYZ(record))
		column, row := g.At(x, y)
		if ground != nil {
			ground.add(l, record)
		}
		if _, ok := index[[2]int{column, row}]; !ok {
			return fmt.Errorf("point %d at %v, %v lies outside of the bounds %v in the file's header; write the file anew "+
				"with pdal translate", i, x, y, v.plan.Sources[k].Bounds)
		}
		g.Reached(x, y, func(column, row int) {
			n, ok := index[[2]int{column, row}]
			if !ok || only != everyTile && n != only || failed != nil {
				return
			}
			w := writers[n]
			if w == nil {
				if w, failed = v.sliceWriter(l, n, k); failed != nil {
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
	if ground == nil {
		return nil
	}
	for _, n := range index {
		if only == everyTile || n == only {
			if err := v.writeCells(ground, n, k, done); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeCells writes the cells of a source that a tile reads.
func (v *Survey) writeCells(ground *cells, n, k int, done *CutDone) error {
	t := &v.plan.Tiles[n]
	c := ground.within(v.plan.Grid.Core(t.Column, t.Row).Grow(v.plan.Grid.Halo))
	if done.Cells[strconv.Itoa(n)] = len(c.Row); len(c.Row) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(v.sliceCells(n, k)), 0o755); err != nil {
		return err
	}
	_, err := writeArrays(v.sliceCells(n, k), cellArrays(c))
	return err
}

func (v *Survey) sliceWriter(l *records.File, n, k int) (*records.Writer, error) {
	path := v.slice(n, k)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return records.NewWriter(path, l.Head)
}
