package survey

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/filter/lasformat"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// tileOrder has the tile of each point of a source, as runs of consecutive points in one tile.
type tileOrder struct{ Tile, Count []uint32 }

func (o *tileOrder) add(n int) {
	if last := len(o.Tile) - 1; last >= 0 && o.Tile[last] == uint32(n) {
		o.Count[last]++
		return
	}
	o.Tile, o.Count = append(o.Tile, uint32(n)), append(o.Count, 1)
}

func (o *tileOrder) arrays() []any { return []any{&o.Tile, &o.Count} }

// writeOrder writes the tileOrder of source k and counts its points by tile.
func (v *Survey) writeOrder(k int, o *tileOrder, m *Mark) error {
	for i, n := range o.Tile {
		m.Cores[strconv.Itoa(int(n))] += int(o.Count[i])
	}
	_, err := v.save(m, v.file("cut", k, "order"), o.arrays())
	return err
}

// writeSourceOrder writes the records of source k with the outputs. In a tile the points of a source are
// consecutive and have the order of the source, so each tile is read sequentially.
func (v *Survey) writeSourceOrder(k int, in pdalprocess.Process, raw string, m *Mark) error {
	cut, _, err := v.marks("cut")
	if err != nil {
		return err
	}
	o := new(tileOrder)
	if err := readArrays(v.file("cut", k, "order"), o.arrays()); err != nil {
		return err
	}
	l, unpacked, err := v.open(k, in)
	if err != nil {
		return err
	}
	w, err := newOutputsWriter(v, &v.plan.Sources[k], l, filepath.Join(in.Folder, raw))
	if err != nil {
		return err
	}
	defer w.Discard()
	labelled := &labelledPoints{Survey: v, source: k, cut: cut, order: o, from: map[uint32]*las.Reader{}}
	defer labelled.close()
	err = unpacked.Each(func(_ int, record []byte) error {
		from, output, err := labelled.next()
		if err != nil {
			return err
		}
		return w.append(record, from, output)
	})
	if err != nil {
		return err
	}
	sum, count := w.Sum()
	m.Sum, m.Points = uint32(sum), int64(count)
	return w.Close()
}

// open returns source k as a LAS file, and one with its records.
func (v *Survey) open(k int, in pdalprocess.Process) (l, unpacked *las.File, err error) {
	s := &v.plan.Sources[k]
	if err := s.unchanged(); err != nil {
		return nil, nil, err
	}
	path, err := filepath.Abs(s.Path)
	if err != nil {
		return nil, nil, err
	}
	if !sources.IsLAS(path) {
		converted := filepath.Join(in.Folder, "converted.las")
		if err := v.decode(k, nil, converted); err != nil {
			return nil, nil, err
		}
		l, err = las.Read(converted)
		return l, l, err
	}
	if l, err = las.Read(path); err != nil {
		return nil, nil, err
	}
	unpacked, err = in.Unpack(v.host.Context(), l, path, "unpacked.las")
	return l, unpacked, err
}

// outputsWriter writes records of a source with the outputs.
type outputsWriter struct {
	*las.Edited
	outputs []pdalprocess.Field
	fields  []string // outputs that are fields of the point format
}

func newOutputsWriter(v *Survey, s *source, l *las.File, path string) (w *outputsWriter, err error) {
	w, e := new(outputsWriter), v.edit(s)
	for _, f := range v.plan.Outputs {
		if slices.Contains(lasformat.Fields(), f.Name) {
			w.fields = append(w.fields, f.Name)
			continue
		}
		w.outputs, e.Add = append(w.outputs, f), append(e.Add, las.Column{Name: f.Name, Type: f.Type})
	}
	w.Edited, err = l.Edit(path, e)
	return w, err
}

// append writes a record with the outputs of one of another file.
func (w *outputsWriter) append(record []byte, from *las.File, output []byte) error {
	record = w.Record(record)
	for k, f := range w.outputs {
		x := from.Find(f.Name)
		if x == nil {
			return fmt.Errorf("%s has no dimension %s", from.Path, f.Name)
		}
		copy(record[w.At[k]:], output[x.At:x.At+x.Size])
	}
	for _, name := range w.fields {
		if err := w.SetField(record, name, from, output); err != nil {
			return err
		}
	}
	return w.Append(record)
}

// labelledPoints reads the labelled points of a source in its order.
type labelledPoints struct {
	*Survey
	source int
	cut    []*Mark
	order  *tileOrder
	from   map[uint32]*las.Reader // of tiles
	run    int                    // of consecutive points in one tile
	done   uint32                 // points of the run
}

// next returns the next record and its file.
func (p *labelledPoints) next() (*las.File, []byte, error) {
	for p.run < len(p.order.Count) && p.done == p.order.Count[p.run] {
		p.run, p.done = p.run+1, 0
	}
	if p.run == len(p.order.Count) {
		return nil, nil, fmt.Errorf("the tiles have fewer points than %s; plan again", p.plan.Sources[p.source].Path)
	}
	p.done++
	n := p.order.Tile[p.run]
	if p.from[n] == nil {
		r, err := p.readTile(int(n), p.source, p.cut)
		if err != nil {
			return nil, nil, err
		}
		p.from[n] = r
	}
	record, err := p.from[n].Next()
	return p.from[n].File, record, err
}

func (p *labelledPoints) close() {
	for _, r := range p.from {
		r.Close()
	}
}

// readTile opens the labelled points of tile n at the first of source k.
func (v *Survey) readTile(n, k int, cut []*Mark) (*las.Reader, error) {
	l, err := las.Read(v.file("label", n, "las"))
	if err != nil {
		return nil, err
	}
	before, all := 0, 0
	for _, j := range v.plan.Tiles[n].Sources {
		count := cut[j].Cores[strconv.Itoa(n)]
		if all += count; j < k {
			before += count
		}
	}
	if all != l.Count {
		return nil, damaged(l.Path, fmt.Errorf("%d points instead of %d", l.Count, all))
	}
	return l.From(before)
}
