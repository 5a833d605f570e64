package survey

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"superpoint/embed"
	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/filter/memory"
	"superpoint/filter/records"
)

// EmbedDone tells that what is around the points of a tile is found.
type EmbedDone struct {
	Step    string  `json:"step"`
	Tile    int     `json:"tile"`
	Plan    string  `json:"plan"`
	Inputs  string  `json:"inputs"`      // signatures of the sources
	Points  int64   `json:"points"`      // in the core
	Halo    int64   `json:"halo_points"` // around it
	Sum     uint32  `json:"sum"`         // of the core's records
	Around  uint32  `json:"around"`      // checksum of what was found
	Dim     int     `json:"dim"`         // of an embedding
	Seconds float64 `json:"seconds"`
	Memory  int64   `json:"memory"` // most bytes the process had in memory; 0 = not known
	// the halo that it took, in units of the coordinates
	HaloWidth float64 `json:"halo"`
	Balls     int     `json:"places,omitempty"`  // beyond it, around which it took more
	Skipped   bool    `json:"skipped,omitempty"` // the plan's tiles are stitched without this step
}

func (v *Survey) embedPath(n int) string { return v.path("tiles", strconv.Itoa(n)+".embedded.json") }
func (v *Survey) tileLong(n int) string  { return v.path("tiles", fmt.Sprint(n)+".long") }

// long are edges that are longer than the reach, by the IDs of their ends.
type long struct{ Own, End []uint64 }

func (l *long) arrays() []any { return []any{&l.Own, &l.End} }

// embedMark returns the mark of a tile whose points are embedded.
func (v *Survey) embedMark(n int) (*EmbedDone, error) {
	done, t := new(EmbedDone), &v.plan.Tiles[n]
	if !readJSON(v.embedPath(n), done) || done.Plan != v.sum || done.Inputs != v.inputs(t) {
		return nil, fmt.Errorf("tile %d (%s) is not embedded; run: pdal superpoint survey embed %s %d", n, t.Name, v.folder,
			n)
	}
	return done, nil
}

// isEmbedded returns the mark of a tile that is embedded, with its files whole, or
// nil.
func (v *Survey) isEmbedded(n int) *EmbedDone {
	done, err := v.embedMark(n)
	if err != nil || done.Points == 0 {
		return done
	}
	if _, err := readArrays(v.tileLong(n), new(long).arrays()); err != nil {
		return nil
	}
	all, see := func(int, []float64) bool { return true }, func(int) error { return nil }
	if sum, err := readBlocks(v.tilePoints(n), aboutPoints, all, new(points).arrays(), see); err != nil ||
		sum != done.Around {
		return nil
	}
	if !v.keeps(n, done.Points) {
		return nil
	}
	return done
}

// Embed looks around the points of tile n, unless that is done: neighbours, embedding,
// edges. Only exact tiles need it.
func (v *Survey) Embed(n int) (*EmbedDone, error) {
	t, err := v.tile(n)
	if err != nil {
		return nil, err
	}
	if v.plan.Exact == nil {
		return &EmbedDone{Step: "embed", Tile: n, Plan: v.sum, Skipped: true}, nil
	}
	if done := v.isEmbedded(n); done != nil {
		return done, nil
	}
	start := time.Now()
	done := &EmbedDone{Step: "embed", Tile: n, Plan: v.sum, Inputs: v.inputs(t), HaloWidth: v.plan.Grid.Halo}
	if err := v.embed(t, done); err != nil {
		return nil, t.in(err)
	}
	done.Seconds, done.Memory = seconds(start), memory.Peak()
	return done, writeJSON(v.embedPath(n), done)
}

// EmbedAll looks around the points of all tiles.
func (v *Survey) EmbedAll() (all []*EmbedDone, err error) {
	err = v.each("embed", func(n int) error {
		done, err := v.Embed(n)
		all = append(all, done)
		return err
	})
	return all, err
}

// embed looks as far as it must: first at the halo, then also at what lies around
// places that are too near to where that ends.
func (v *Survey) embed(t *planned, done *EmbedDone) error {
	work, all, clean, err := v.collect(t)
	if err != nil {
		return err
	}
	defer clean()
	boxes := map[box]inBox{}
	if err := v.cellsOf(t, boxes); err != nil {
		return err
	}
	around := v.cellsFor(boxes)
	see := v.see(t, v.plan.Grid.Halo)
	for try := 1; ; try++ {
		err := v.embedIn(t, all, around, see, done)
		var narrow *filter.Narrow
		if !errors.As(err, &narrow) {
			return err
		}
		if !see.add(narrow.Balls, v.plan.Grid.Halo*v.plan.Unit) {
			see.widen(widening * see.halo)
		}
		done.HaloWidth, done.Balls = see.halo, len(see.balls)
		v.host.Log(filter.LogInfo, fmt.Sprintf("tile %d, halo %.3g m and %d places: %v", t.Index, see.halo*v.plan.Unit,
			len(see.balls), err))
		if all, around, err = v.gatherWide(t, filepath.Join(work, fmt.Sprintf("%d.las", try)), see); err != nil {
			return err
		}
	}
}

// cutFor cuts what a tile sees of its sources, unless that is done.
func (v *Survey) cutFor(t *planned) error {
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
	return nil
}

// readSlice reads what a tile sees of source k; nil if it has no point there.
func (v *Survey) readSlice(n, k int) (*records.File, error) {
	l, err := records.Read(v.slice(n, k))
	if os.IsNotExist(err) {
		return nil, nil // cut made sure of that
	}
	return l, err
}

// collect cuts the sources of a tile and joins its slices in a folder for work.
func (v *Survey) collect(t *planned) (work string, all *records.File, clean func(), err error) {
	if err := v.cutFor(t); err != nil {
		return "", nil, nil, err
	}
	if err := os.MkdirAll(v.path("tiles"), 0o755); err != nil {
		return "", nil, nil, err
	}
	if work, clean, err = whole.Workspace(v.path("tiles")); err != nil {
		return "", nil, nil, err
	}
	if all, err = v.gather(t, filepath.Join(work, "all.las")); err != nil {
		clean()
	}
	return work, all, clean, err
}

// embedIn looks around the points of the core within what a file holds.
func (v *Survey) embedIn(t *planned, all *records.File, around *embed.Cells, see *view, done *EmbedDone) error {
	if all == nil {
		return nil
	}
	s, err := v.place(t, all)
	if err != nil {
		return err
	}
	core := 0
	for _, is := range s.Core {
		if is {
			core++
		}
	}
	done.Points, done.Halo = int64(core), int64(all.Count-core)
	if core == 0 {
		return nil
	}
	f, columns, err := v.filter(all)
	if err != nil {
		return err
	}
	part, err := f.Part(filter.Run{Context: v.host.Context(), Step: v.host.Progress}, columns.View(), filter.Frame{
		Origin: v.plan.Exact.Origin, Spacing: v.plan.Exact.Spacing, Around: around,
		Core:   func(i int) bool { return s.Core[i] },
		Rim:    func(i int) float64 { return see.clear(columns.X[i], columns.Y[i], columns.Z[i]) },
		Column: func(i int) bool { return see.column(columns.X[i], columns.Y[i], columns.Z[i]) },
		Cube: func(i int, reach float64) bool {
			return see.cube(columns.X[i], columns.Y[i], columns.Z[i], reach)
		}})
	if err != nil {
		return err
	}
	if err := v.writeCore(t, all, s.Core, nil, part.Outputs, &done.Sum); err != nil {
		return err
	}
	edges := longOf(part, s.Core, v.plan.Exact.Reach)
	if _, err := writeArrays(v.tileLong(t.Index), edges.arrays()); err != nil {
		return err
	}
	done.Dim = part.Dim
	done.Around, err = v.writePoints(v.tilePoints(t.Index), part, s.Core, columns.X, columns.Y)
	return err
}

// longOf lists the long edges that points of the core begin.
func longOf(part *filter.Part, core []bool, reach float64) (l long) {
	for u, i := range part.Cloud.Order {
		if !core[i] {
			continue
		}
		for _, to := range part.Edges.Of(uint32(u)) {
			x, y, _ := part.Cloud.Offset(uint32(u), to)
			if math.Hypot(float64(x), float64(y)) > reach {
				l.Own, l.End = append(l.Own, part.ID[u]), append(l.End, part.ID[to])
			}
		}
	}
	return l
}
