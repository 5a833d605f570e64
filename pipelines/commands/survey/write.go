// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/filter/message"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
)

// label writes the rows of a tile with their ids.
func (v *Survey) label(n int, m *Mark) error {
	tiles, _, err := v.marks("embed")
	if err != nil {
		return err
	}
	if m.Points = tiles[n].Points; m.Points > 0 {
		if err := v.writeRows(n, m); err != nil {
			return err
		}
	}
	large := []string{v.file("coarsen", n, "state")} // made again if needed
	for _, k := range v.plan.Tiles[n].Sources {
		large = append(large, v.slice(n, k))
	}
	for _, path := range large {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	_ = os.Remove(v.Path("cut", strconv.Itoa(n))) // fails if it has other files
	return nil
}

// writeRows writes a row for each point of a tile's core: its id and its outputs.
func (v *Survey) writeRows(n int, m *Mark) error {
	t, err := v.readRows(n, m.Points)
	if err != nil {
		return err
	}
	ends, err := v.sourceEnds(n)
	if err != nil {
		return err
	}
	if last := len(ends) - 1; last < 0 || int64(ends[last].end) != m.Points {
		return damaged(v.file("refine", n, "pieces"), errMisfit)
	}
	layout, put, err := las.RowsOf(v.plan.Outputs)
	if err != nil {
		return err
	}
	path := v.file("label", n, "las")
	staged, err := v.tree().New(v.name(path))
	if err != nil {
		return err
	}
	w, err := las.NewWriter(staged, layout.Head)
	if err != nil {
		return err
	}
	defer w.Discard()
	m.Parts = map[string]uint32{}
	row := make([]byte, layout.Length)
	first := 0
	for _, e := range ends {
		sum := uint32(0)
		for i := first; i < e.end; i++ {
			t.put(row, i, put)
			if err := w.Append(row); err != nil {
				return err
			}
			sum = las.Sum(sum, row)
		}
		if e.end > first {
			m.Parts[strconv.Itoa(e.source)] = sum
		}
		first = e.end
	}
	m.Sum, _ = w.Sum()
	if err := w.Close(); err != nil {
		return err
	}
	return v.addFile(m, path)
}

// tileRows has the values of the rows of a tile.
type tileRows struct {
	piece   []uint32
	ids     [][]uint32  // of the pieces, by level
	outputs [][]float64 // of the points
}

// readRows reads the values of the rows of a tile of some points.
func (v *Survey) readRows(n int, points int64) (*tileRows, error) {
	t := &tileRows{ids: make([][]uint32, v.plan.ids())}
	if err := v.readArrays(v.file("number", n, "ids"), pointers(t.ids)); err != nil {
		return nil, err
	}
	r, err := v.readPieces(n)
	if err != nil {
		return nil, err
	}
	t.piece = r.Piece
	if t.outputs, err = v.readOutputs(n); err != nil {
		return nil, err
	}
	pieces := v.file("refine", n, "pieces")
	misfit := func(values []float64) bool { return int64(len(values)) != points }
	if int64(len(t.piece)) != points || slices.ContainsFunc(t.outputs, misfit) {
		return nil, damaged(pieces, errMisfit)
	}
	if len(t.piece) == 0 {
		return t, nil
	}
	last := int(slices.Max(t.piece))
	for _, id := range t.ids {
		if last >= len(id) {
			return nil, damaged(pieces, fmt.Errorf("a point is of piece %d of %d", last, len(id)))
		}
	}
	return t, nil
}

// put sets a row to the values of point i, by the functions of las.RowsOf.
func (t *tileRows) put(row []byte, i int, put []las.Put) {
	levels := len(t.ids)
	for k, id := range t.ids {
		put[k](row, float64(id[t.piece[i]]))
	}
	for k, values := range t.outputs {
		put[levels+k](row, values[i])
	}
}

// readOutputs returns the outputs of the points of a tile, in the order of the plan without the ids.
func (v *Survey) readOutputs(n int) (all [][]float64, err error) {
	f, err := v.newFilter()
	if err != nil {
		return nil, err
	}
	own, classes := v.divideOutputs(f)
	values := make([][]float64, len(own))
	if err := v.readArrays(v.file("embed", n, "outputs"), pointers(values)); err != nil {
		return nil, err
	}
	if len(classes) > 0 {
		more := make([][]float64, len(classes))
		if err := v.readArrays(v.file(classifyStep, n, "classes"), pointers(more)); err != nil {
			return nil, err
		}
		values = append(values, more...)
	}
	for _, o := range v.plan.Outputs[v.plan.ids():] {
		all = append(all, values[slices.Index(slices.Concat(own, classes), o.Name)])
	}
	return all, nil
}

// inputsOfLabel returns the checksum of the results that step label reads: without the option classes it
// needs no step classify.
func (v *Survey) inputsOfLabel(int) (string, error) {
	before := "number"
	if v.plan.Options["classes"] != "" {
		before = classifyStep
	}
	_, sum, err := v.marks(before)
	return sum, err
}

// sourceEnd is the number of points of a tile up to the last of a source.
type sourceEnd struct{ source, end int }

// sourceEnds returns where the points of the sources end in the core of tile n, in their order there.
func (v *Survey) sourceEnds(n int) (all []sourceEnd, err error) {
	cut, _, err := v.marks("cut")
	if err != nil {
		return nil, err
	}
	end := 0
	for _, k := range v.plan.Tiles[n].Sources {
		end += cut[k].Cores[strconv.Itoa(n)]
		all = append(all, sourceEnd{k, end})
	}
	return all, nil
}

// write makes the results of sources.
func (v *Survey) write(which []int, inputs []job.Pinned, work string) (made []prepared, err error) {
	in := pdalprocess.Process{Folder: work}
	all, err := v.plan.open(v.host.Context(), in, which, inputs)
	if err != nil {
		return nil, err
	}
	var raw, endings []string
	for i, n := range which {
		raw = append(raw, fmt.Sprintf("all%d.las", n))
		endings = append(endings, sources.Ending(v.plan.Results[n]))
		sum, err := v.addOutputs(filepath.Join(work, raw[i]), inputs[i].Read, all[i], n)
		if err != nil {
			return nil, err
		}
		made = append(made, &writtenSource{sum: sum})
	}
	packed, err := in.Pack(v.host.Context(), raw, endings)
	if err != nil {
		return nil, err
	}
	for i, n := range which {
		w := made[i].(*writtenSource)
		w.path = filepath.Join(work, packed[i])
		w.name = v.plan.Results[n]
		if packed[i] == raw[i] {
			w.name = pdalprocess.UnpackedName(w.name)
		}
		if err := v.recordProvenance(n, w.path); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// writtenSource is the result of a source in a work folder.
type writtenSource struct {
	path string
	name string // in out
	sum  uint32 // of the records
}

// place implements prepared.
func (w *writtenSource) place(v *Survey, n int, m *Mark) error {
	m.Sum = w.sum
	m.Points = v.plan.Sources[n].Points
	m.File = w.name
	if planned := v.plan.Results[n]; w.name != planned {
		v.host.Log(message.Warning, fmt.Sprintf("%s: %s; the result is %s", planned,
			pdalprocess.CannotPack, w.name))
	}
	if err := os.MkdirAll(v.Path("out"), 0o777); err != nil {
		return err
	}
	to, err := v.output(v.Path("out", w.name))
	if err != nil {
		return err
	}
	if err := to.File(func(temporary string) error {
		return atomicfile.Move(w.path,
			temporary)
	}); err != nil {
		return err
	}
	return v.addFile(m, to.Path())
}

// addOutputs writes the points l of source n, read from a path, with their outputs, and returns the checksum
// of the records. It fails if they are not the records that cut has read.
func (v *Survey) addOutputs(path, source string, l *las.File, n int) (uint32, error) {
	cut, _, err := v.marks("cut")
	if err != nil {
		return 0, err
	}
	s := &v.plan.Sources[n]
	head, err := las.Read(source)
	if err != nil {
		return 0, err
	}
	records := uint32(0)
	tiles := v.tilesOf(n)
	rows := map[int]*labelled{} // by tile
	defer func() {
		for _, r := range rows {
			r.Close()
		}
	}()
	e := las.Edit{Add: v.plan.Outputs, WKT: v.plan.SRS, Force: s.SRS != ""}
	if e.Values, err = las.Rows(e.Add); err != nil {
		return 0, err
	}
	sum, _, err := e.Copy(path, head, l, func(record []byte) ([]byte, bool, error) {
		records = las.Sum(records, record)
		column, row := v.plan.Grid.At(l.Position(las.XYZ(record)))
		t := tiles[[2]int{column, row}]
		if rows[t] == nil {
			if rows[t], err = v.openRows(t, n); err != nil {
				delete(rows, t)
				return nil, false, err
			}
		}
		values, err := rows[t].next()
		return values, true, err
	})
	for _, r := range rows {
		if err == nil && r.sum != r.want {
			err = damaged(r.path, errSum)
		}
	}
	if err == nil && records != cut[n].Records {
		err = fmt.Errorf("its points are not those that step cut has read: the file has %w", errChanged)
	}
	return sum, err
}

// labelled are the rows of a source in a tile.
type labelled struct {
	*las.Reader
	path      string
	sum, want uint32 // checksum of the rows that were read, and of all
}

// next returns the next row.
func (l *labelled) next() ([]byte, error) {
	row, err := l.Next()
	if err == nil {
		l.sum = las.Sum(l.sum, row)
	}
	return row, err
}

// openRows opens the rows of tile n at the first of source k. In a tile the points of a source are
// consecutive and have the order of the source, so each tile is read sequentially.
func (v *Survey) openRows(n, k int) (*labelled, error) {
	mark, err := v.mark("label", n)
	if err != nil {
		return nil, err
	}
	ends, err := v.sourceEnds(n)
	if err != nil {
		return nil, err
	}
	l, err := las.Read(v.file("label", n, "las"))
	if err != nil {
		return nil, err
	}
	if all := ends[len(ends)-1].end; all != l.Count {
		return nil, damaged(l.Path, fmt.Errorf("%d points instead of %d", l.Count, all))
	}
	first := 0
	for _, e := range ends {
		if e.source < k {
			first = e.end
		}
	}
	r, err := l.From(first)
	if err != nil {
		return nil, err
	}
	return &labelled{Reader: r, path: l.Path, want: mark.Parts[strconv.Itoa(k)]}, nil
}

// recordProvenance writes what made it into result n.
func (v *Survey) recordProvenance(n int, path string) error {
	r := job.Record{
		Software: v.plan.Software,
		Plan:     v.sum,
		Result:   &n,
		Options:  job.NamesOf(v.plan.Options, v.plan.Content),
	}
	return r.Write(path)
}
