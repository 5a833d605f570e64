package command

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/filter/memory"
	"superpoint/partition/tile"
)

// tileDone tells that a tile is segmented.
type tileDone struct {
	Unit    string          `json:"unit"`
	Tile    int             `json:"tile"`
	Plan    string          `json:"plan"`
	Inputs  string          `json:"inputs"`      // signatures of the sources
	Points  int64           `json:"points"`      // in the core
	Halo    int64           `json:"halo_points"` // around it
	Pieces  uint32          `json:"pieces"`      // superpoints in the core
	Sum     uint32          `json:"sum"`         // of the core's records
	SeamSum uint32          `json:"seam_sum"`
	Seconds float64         `json:"seconds"`
	Memory  int64           `json:"memory"` // most bytes the process had in memory; 0 = not known
	Stage   json.RawMessage `json:"stage,omitempty"`
}

func (p *project) tileMark(n int) string { return p.path("tiles", strconv.Itoa(n)+".json") }
func (p *project) tileLAS(n int) string  { return p.path("tiles", strconv.Itoa(n)+".las") }
func (p *project) tileSeam(n int) string { return p.path("tiles", strconv.Itoa(n)+".seam") }

// inputs is what a tile depends on beside the plan.
func (p *project) inputs(t *planned) string {
	var all []string
	for _, k := range t.Sources {
		all = append(all, p.plan.Sources[k].signature())
	}
	return strings.Join(all, " ")
}

// isRun returns the mark of a tile that is segmented, with its files whole, or
// nil.
func (p *project) isRun(t *planned) *tileDone {
	done := new(tileDone)
	if !readJSON(p.tileMark(t.Index), done) || done.Plan != p.sum || done.Inputs != p.inputs(t) {
		return nil
	}
	seam, err := tile.ReadSeam(p.tileSeam(t.Index))
	if err != nil || tile.Sum(seam.Bytes()) != done.SeamSum {
		return nil
	}
	if done.Points == 0 {
		return done
	}
	if l, err := tile.ReadLAS(p.tileLAS(t.Index)); err != nil || int64(l.Count) != done.Points {
		return nil
	}
	return done
}

// run segments tile n, unless that is done.
func (u *unit) run(n int) (*tileDone, error) {
	t, err := u.tile(n)
	if err != nil {
		return nil, err
	}
	if done := u.isRun(t); done != nil {
		return done, nil
	}
	start := time.Now()
	done := &tileDone{Unit: "run", Tile: n, Plan: u.sum, Inputs: u.inputs(t)}
	if err := u.segment(t, done); err != nil {
		return nil, fmt.Errorf("tile %d (%s): %w", n, t.Name, err)
	}
	done.Seconds, done.Memory = math.Round(1000*time.Since(start).Seconds())/1000, memory.Peak()
	if err := writeJSON(u.tileMark(n), done); err != nil {
		return nil, err
	}
	return done, os.RemoveAll(u.path("cut", strconv.Itoa(n)))
}

func (u *unit) segment(t *planned, done *tileDone) error {
	for _, k := range t.Sources {
		if !u.plan.Sources[k].Direct && u.isCut(k) == nil {
			if _, err := u.cut(k, everyTile); err != nil {
				return err
			}
		}
		if _, err := u.cut(k, t.Index); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(u.path("tiles"), 0o755); err != nil {
		return err
	}
	work, clean, err := whole.Workspace(u.path("tiles"))
	if err != nil {
		return err
	}
	defer clean()
	all, err := u.gather(t, filepath.Join(work, "all.las"))
	if err != nil {
		return err
	}
	seam := &tile.Seam{Tile: uint32(t.Index)}
	if all != nil {
		if seam, err = u.segmentFile(t, all, done); err != nil {
			return err
		}
	}
	done.SeamSum = tile.Sum(seam.Bytes())
	return whole.Write(u.tileSeam(t.Index), func(w io.Writer) error { _, err := w.Write(seam.Bytes()); return err })
}

// gather joins the slices of a tile, in the order of sources; nil if there are
// no points.
func (u *unit) gather(t *planned, path string) (*tile.LAS, error) {
	var w *tile.Writer
	for _, k := range t.Sources {
		l, err := tile.ReadLAS(u.slice(t.Index, k))
		if os.IsNotExist(err) {
			continue // it has no point here: cut made sure of that
		}
		if err != nil {
			return nil, err
		}
		if w == nil {
			if w, err = tile.NewWriter(path, l.Head); err != nil {
				return nil, err
			}
			defer w.Discard()
		}
		if err := l.Each(func(_ int, record []byte) error { return w.Append(record) }); err != nil {
			return nil, err
		}
	}
	if w == nil {
		return nil, nil
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tile.ReadLAS(path)
}

// segmentFile segments core and halo and writes the core.
func (u *unit) segmentFile(t *planned, all *tile.LAS, done *tileDone) (*tile.Seam, error) {
	s, err := u.place(t, all)
	if err != nil {
		return nil, err
	}
	core := 0
	for _, c := range s.Core {
		if c {
			core++
		}
	}
	done.Points, done.Halo = int64(core), int64(all.Count-core)
	if core == 0 {
		return &tile.Seam{Tile: uint32(t.Index)}, nil
	}
	result, err := u.superpoints(all, s, done)
	if err != nil {
		return nil, err
	}
	piece, seam := s.Cut(uint32(t.Index))
	done.Pieces = seam.Pieces
	return seam, u.writeCore(t, all, result, piece, done)
}

// place reads the positions and where they lie.
func (u *unit) place(t *planned, all *tile.LAS) (*tile.Segmented, error) {
	g := &u.plan.Grid
	core := g.Core(t.Column, t.Row)
	s := &tile.Segmented{Position: make([][3]int32, all.Count), Core: make([]bool, all.Count), Band: make([]bool, all.Count)}
	return s, all.Each(func(i int, record []byte) error {
		s.Position[i] = tile.XYZ(record)
		x, y := all.Position(s.Position[i])
		s.Core[i], s.Band[i] = core.Contains(x, y), g.InBand(t.Column, t.Row, x, y)
		return nil
	})
}

// superpoints runs the filter.
func (u *unit) superpoints(all *tile.LAS, s *tile.Segmented, done *tileDone) (*filter.Segmentation, error) {
	columns, err := u.host.Read(all.Path, u.plan.Reads)
	if err != nil {
		return nil, err
	}
	if len(columns.X) != all.Count {
		return nil, fmt.Errorf("%s: %d of %d points were read", all.Path, len(columns.X), all.Count)
	}
	given := map[string]string{}
	for _, from := range []map[string]string{u.plan.Options, u.replaced} {
		for name, value := range from {
			given[name] = value
		}
	}
	options, err := filter.OptionsOf(given)
	if err != nil {
		return nil, err
	}
	f, err := filter.New(options, u.host.Log)
	if err != nil {
		return nil, err
	}
	if _, err := f.Describe(columns.Available); err != nil {
		return nil, err
	}
	tiling, err := f.Tiling()
	if err != nil {
		return nil, err
	}
	run := filter.Run{Context: u.host.Context(), Step: u.host.Progress}
	w, err := filter.NewWorkspace(run, columns.view(), tiling.KNN, options.Threads, u.host.Log)
	if err != nil {
		return nil, err
	}
	if s.Graph, s.Order, err = w.Adjacency(run, f); err != nil {
		return nil, err
	}
	if c := s.Graph.Connectivity(); tiling.Regularization > 0 && u.plan.Edges > 0 && c > 0 {
		options.Regularization = tiling.Regularization * c / u.plan.Edges // the same λ in all tiles
		if f, err = filter.New(options, u.host.Log); err != nil {
			return nil, err
		}
	}
	result, err := f.SegmentIn(run, w)
	if err != nil {
		return nil, err
	}
	s.Superpoint, s.First, s.Count = result.ID, result.First, result.Count
	if done.Stage, err = f.Metadata(); err != nil {
		return nil, err
	}
	return result, nil
}

// writeCore writes the records of the core with what the stage adds; ids are
// pieces from 1.
func (u *unit) writeCore(t *planned, all *tile.LAS, result *filter.Segmentation, piece []uint32, done *tileDone) error {
	columns := make([][]float64, len(u.plan.Outputs))
	for k, f := range u.plan.Outputs {
		columns[k] = make([]float64, all.Count)
		if k == 0 {
			for i, p := range piece {
				columns[k][i] = float64(p) + 1
			}
			continue
		}
		if err := result.Output(f.Name, columns[k]); err != nil {
			return err
		}
	}
	patch, err := u.patches(all)
	if err != nil {
		return err
	}
	return whole.File(u.tileLAS(t.Index), func(path string) error {
		return u.writeRecords(path, all, columns, piece, patch, done)
	})
}

func (u *unit) writeRecords(path string, all *tile.LAS, columns [][]float64, piece []uint32, patch []func([]byte, float64), done *tileDone) error {
	w, err := tile.NewWriter(path, all.Head)
	if err != nil {
		return err
	}
	defer w.Discard()
	err = all.Each(func(i int, record []byte) error {
		if piece[i] == tile.Outside {
			return nil
		}
		for k, put := range patch {
			put(record, columns[k][i])
		}
		return w.Append(record)
	})
	if err != nil {
		return err
	}
	done.Sum, _ = w.Sum()
	return w.Close()
}

// patches returns, for each output, what writes it into a record.
func (u *unit) patches(l *tile.LAS) (all []func(record []byte, v float64), err error) {
	for _, f := range u.plan.Outputs {
		at, ok := l.Extra[f.Name]
		if !ok {
			return nil, fmt.Errorf("dimension %s is not among the extra dimensions of %s; choose another name for it", f.Name, l.Path)
		}
		all = append(all, putter(f.Type, at))
	}
	return all, nil
}

// putter returns what writes a value of a type at its place in a record; nil for
// types that no output has.
func putter(kind string, at int) func(record []byte, v float64) {
	le := binary.LittleEndian
	switch kind {
	case "uint8":
		return func(r []byte, v float64) { r[at] = uint8(v) }
	case "uint16":
		return func(r []byte, v float64) { le.PutUint16(r[at:], uint16(v)) }
	case "uint32":
		return func(r []byte, v float64) { le.PutUint32(r[at:], uint32(v)) }
	case "int32":
		return func(r []byte, v float64) { le.PutUint32(r[at:], uint32(int32(v))) }
	case "float":
		return func(r []byte, v float64) { le.PutUint32(r[at:], math.Float32bits(float32(v))) }
	}
	return nil
}
