package survey

import (
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
	"superpoint/filter/host"
	"superpoint/filter/memory"
	"superpoint/filter/records"
	"superpoint/partition/tile"
)

// RunDone tells that a tile is segmented.
type RunDone struct {
	Step    string  `json:"step"`
	Tile    int     `json:"tile"`
	Plan    string  `json:"plan"`
	Inputs  string  `json:"inputs"`      // signatures of the sources
	Points  int64   `json:"points"`      // in the core
	Halo    int64   `json:"halo_points"` // around it
	Pieces  uint32  `json:"pieces"`      // superpoints in the core
	Sum     uint32  `json:"sum"`         // of the core's records
	SeamSum uint32  `json:"seam_sum"`
	Seconds float64 `json:"seconds"`
	Memory  int64   `json:"memory"` // most bytes the process had in memory; 0 = not known
	// of exact tiles, the halo that it took, in units of the coordinates
	HaloWidth float64         `json:"halo,omitempty"`
	Stage     json.RawMessage `json:"stage,omitempty"`
}

func (v *Survey) tileMark(n int) string { return v.path("tiles", strconv.Itoa(n)+".json") }
func (v *Survey) tileLAS(n int) string  { return v.path("tiles", strconv.Itoa(n)+".las") }
func (v *Survey) tileSeam(n int) string { return v.path("tiles", strconv.Itoa(n)+".seam") }

// inputs is what a tile depends on beside the plan.
func (v *Survey) inputs(t *planned) string {
	var all []string
	for _, k := range t.Sources {
		all = append(all, v.plan.Sources[k].signature())
	}
	return strings.Join(all, " ")
}

// isRun returns the mark of a tile that is segmented, with its files whole, or
// nil.
func (v *Survey) isRun(t *planned) *RunDone {
	done := new(RunDone)
	if !readJSON(v.tileMark(t.Index), done) || done.Plan != v.sum || done.Inputs != v.inputs(t) {
		return nil
	}
	if v.plan.Exact != nil {
		if sum, err := readArrays(v.tileAtoms(t.Index), nothing().AtomArrays.Arrays()); err != nil || sum != done.SeamSum {
			return nil
		}
	} else if seam, err := tile.ReadSeam(v.tileSeam(t.Index)); err != nil || tile.Sum(seam.Bytes()) != done.SeamSum {
		return nil
	}
	if done.Points == 0 {
		return done
	}
	if l, err := records.Read(v.tileLAS(t.Index)); err != nil || int64(l.Count) != done.Points {
		return nil
	}
	return done
}

// Run segments tile n, unless that is done.
func (v *Survey) Run(n int) (*RunDone, error) {
	t, err := v.tile(n)
	if err != nil {
		return nil, err
	}
	if done := v.isRun(t); done != nil {
		return done, nil
	}
	start := time.Now()
	done := &RunDone{Step: "run", Tile: n, Plan: v.sum, Inputs: v.inputs(t)}
	if err := v.segment(t, done); err != nil {
		return nil, fmt.Errorf("tile %d (%s): %w", n, t.Name, err)
	}
	done.Seconds, done.Memory = math.Round(1000*time.Since(start).Seconds())/1000, memory.Peak()
	if err := writeJSON(v.tileMark(n), done); err != nil {
		return nil, err
	}
	return done, os.RemoveAll(v.path("cut", strconv.Itoa(n)))
}

func (v *Survey) segment(t *planned, done *RunDone) error {
	for _, k := range t.Sources {
		if !v.plan.Sources[k].Direct && v.isCut(k) == nil {
			if _, err := v.cut(k, everyTile); err != nil {
				return err
			}
		}
		if _, err := v.cut(k, t.Index); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(v.path("tiles"), 0o755); err != nil {
		return err
	}
	work, clean, err := whole.Workspace(v.path("tiles"))
	if err != nil {
		return err
	}
	defer clean()
	all, err := v.gather(t, filepath.Join(work, "all.las"))
	if err != nil {
		return err
	}
	if v.plan.Exact != nil {
		return v.coarsen(t, work, all, v.plan.Grid.Halo, nil, false, done)
	}
	seam := &tile.Seam{Tile: uint32(t.Index)}
	if all != nil {
		if seam, err = v.segmentFile(t, all, done); err != nil {
			return err
		}
	}
	done.SeamSum = tile.Sum(seam.Bytes())
	return whole.Write(v.tileSeam(t.Index), func(w io.Writer) error { _, err := w.Write(seam.Bytes()); return err })
}

// gather joins the slices of a tile, in the order of sources; nil if there are
// no points.
func (v *Survey) gather(t *planned, path string) (*records.File, error) {
	var w *records.Writer
	for _, k := range t.Sources {
		l, err := records.Read(v.slice(t.Index, k))
		if os.IsNotExist(err) {
			continue // it has no point here: cut made sure of that
		}
		if err != nil {
			return nil, err
		}
		if w == nil {
			if w, err = records.NewWriter(path, l.Head); err != nil {
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
	return records.Read(path)
}

// segmentFile segments core and halo and writes the core.
func (v *Survey) segmentFile(t *planned, all *records.File, done *RunDone) (*tile.Seam, error) {
	s, err := v.place(t, all)
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
	result, err := v.superpoints(all, s, done)
	if err != nil {
		return nil, err
	}
	piece, seam := s.Cut(uint32(t.Index))
	done.Pieces = seam.Pieces
	return seam, v.writeCore(t, all, s.Core, piece, result, done)
}

// place reads the positions and where they lie.
func (v *Survey) place(t *planned, all *records.File) (*tile.Segmented, error) {
	g := &v.plan.Grid
	core := g.Core(t.Column, t.Row)
	s := &tile.Segmented{Position: make([][3]int32, all.Count), Core: make([]bool, all.Count),
		Band: make([]bool, all.Count)}
	return s, all.Each(func(i int, record []byte) error {
		s.Position[i] = records.XYZ(record)
		x, y := all.Position(s.Position[i])
		s.Core[i], s.Band[i] = core.Contains(x, y), g.InBand(t.Column, t.Row, x, y)
		return nil
	})
}

// options are those of the stage, in this process.
func (v *Survey) options() (*filter.Options, error) {
	given := map[string]string{}
	for _, from := range []map[string]string{v.plan.Options, v.Replaced} {
		for name, value := range from {
			given[name] = value
		}
	}
	return filter.OptionsOf(given)
}

// filter reads a file, and returns a filter that knows its dimensions.
func (v *Survey) filter(all *records.File) (*filter.Filter, *host.Columns, error) {
	columns, err := v.host.Read(all.Path, v.plan.Reads)
	if err != nil {
		return nil, nil, err
	}
	if len(columns.X) != all.Count {
		return nil, nil, fmt.Errorf("%s: %d of %d points were read", all.Path, len(columns.X), all.Count)
	}
	options, err := v.options()
	if err != nil {
		return nil, nil, err
	}
	f, err := filter.New(options, v.host.Log)
	if err != nil {
		return nil, nil, err
	}
	_, err = f.Describe(columns.Available)
	return f, columns, err
}

// superpoints runs the filter.
func (v *Survey) superpoints(all *records.File, s *tile.Segmented, done *RunDone) (*filter.Segmentation, error) {
	f, columns, err := v.filter(all)
	if err != nil {
		return nil, err
	}
	tiling, err := f.Tiling()
	if err != nil {
		return nil, err
	}
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	run := filter.Run{Context: v.host.Context(), Step: v.host.Progress}
	w, err := filter.NewWorkspace(run, columns.View(), tiling.KNN, options.Threads, v.host.Log)
	if err != nil {
		return nil, err
	}
	if s.Graph, s.Order, err = w.Adjacency(run, f); err != nil {
		return nil, err
	}
	if c := s.Graph.Connectivity(); tiling.Regularization > 0 && v.plan.Edges > 0 && c > 0 {
		options.Regularization = tiling.Regularization * c / v.plan.Edges // the same λ in all tiles
		if f, err = filter.New(options, v.host.Log); err != nil {
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
// pieces from 1, or 0 where pieces are not known yet.
func (v *Survey) writeCore(t *planned, all *records.File, core []bool, piece []uint32, result *filter.Segmentation,
	done *RunDone) error {
	columns := make([][]float64, len(v.plan.Outputs))
	for k, f := range v.plan.Outputs {
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
	patch, err := v.patches(all)
	if err != nil {
		return err
	}
	return whole.File(v.tileLAS(t.Index), func(path string) error {
		return v.writeRecords(path, all, columns, core, patch, done)
	})
}

func (v *Survey) writeRecords(path string, all *records.File, columns [][]float64, core []bool,
	patch []func([]byte, float64), done *RunDone) error {
	w, err := records.NewWriter(path, all.Head)
	if err != nil {
		return err
	}
	defer w.Discard()
	err = all.Each(func(i int, record []byte) error {
		if !core[i] {
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
	sum, _ := w.Sum()
	done.Sum = uint32(sum)
	return w.Close()
}

// patches returns, for each output, what writes it into a record.
func (v *Survey) patches(l *records.File) (all []func(record []byte, v float64), err error) {
	for _, f := range v.plan.Outputs {
		at, ok := l.Extra[f.Name]
		if !ok && f.Name == "Classification" {
			all = append(all, l.Classify)
			continue
		}
		if !ok {
			return nil, fmt.Errorf("dimension %s is not among the extra dimensions of %s; choose another name for it", f.Name,
				l.Path)
		}
		all = append(all, putter(f.Type, at))
	}
	return all, nil
}
