package survey

import (
	"encoding/json"
	"io"
	"os"
	"strconv"
	"time"

	"superpoint/embed/whole"
	"superpoint/filter"
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
	// of exact tiles, the halo that it took to merge points, in units of the coordinates
	HaloWidth float64         `json:"halo,omitempty"`
	Stage     json.RawMessage `json:"stage,omitempty"`
}

func (v *Survey) tileMark(n int) string { return v.path("tiles", strconv.Itoa(n)+".json") }
func (v *Survey) tileSeam(n int) string { return v.path("tiles", strconv.Itoa(n)+".seam") }

// isRun returns the mark of a tile that is segmented, with its files whole, or
// nil.
func (v *Survey) isRun(t *planned) *RunDone {
	done := new(RunDone)
	if !readJSON(v.tileMark(t.Index), done) || done.Plan != v.sum || done.Inputs != v.inputs(t) {
		return nil
	}
	if seam, err := tile.ReadSeam(v.tileSeam(t.Index)); err != nil || tile.Sum(seam.Bytes()) != done.SeamSum {
		return nil
	}
	if done.Points == 0 {
		return done
	}
	if !v.keeps(t.Index, done.Points) {
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
	if v.plan.Exact != nil {
		return v.merge(t)
	}
	if done := v.isRun(t); done != nil {
		return done, nil
	}
	start := time.Now()
	done := &RunDone{Step: "run", Tile: n, Plan: v.sum, Inputs: v.inputs(t)}
	if err := v.segment(t, done); err != nil {
		return nil, t.in(err)
	}
	done.Seconds, done.Memory = seconds(start), memory.Peak()
	if err := writeJSON(v.tileMark(n), done); err != nil {
		return nil, err
	}
	return done, os.RemoveAll(v.path("cut", strconv.Itoa(n)))
}

func (v *Survey) segment(t *planned, done *RunDone) error {
	_, all, clean, err := v.collect(t)
	if err != nil {
		return err
	}
	defer clean()
	seam := &tile.Seam{Tile: uint32(t.Index)}
	if all != nil {
		if seam, err = v.segmentFile(t, all, done); err != nil {
			return err
		}
	}
	done.SeamSum = tile.Sum(seam.Bytes())
	return whole.Write(v.tileSeam(t.Index), func(w io.Writer) error { _, err := w.Write(seam.Bytes()); return err })
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
	return seam, v.writeCore(t, all, s.Core, piece, result, &done.Sum)
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
