package las

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// Layout says what a written file holds.
type Layout struct {
	Color  bool       // point format 7 rather than 6
	Scale  float64    // resolution in the file's units; 0 means 0.001
	Offset [3]float64 // of the stored integers; within 2³¹·Scale of every point
	WKT    string     // coordinate system, may be empty
	Extras []Extra
}

// LayoutOf returns the layout that keeps every column of p: extra columns as
// float64, the offset at whole units near the first point.
func LayoutOf(p *Points, scale float64) Layout {
	l := Layout{Color: p.Red != nil, Scale: scale, WKT: p.WKT}
	if p.Len() > 0 {
		l.Offset = [3]float64{math.Floor(p.X[0]), math.Floor(p.Y[0]), math.Floor(p.Z[0])}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Extra)) {
		l.Extras = append(l.Extras, Extra{Name: name, Type: Float64})
	}
	return l
}

// Writer writes points as they come, in constant memory. Close completes the
// header; until then the file claims to hold no points.
type Writer struct {
	layout   Layout
	out      io.WriteSeeker
	record   int
	count    uint64
	returns  [15]uint64
	min, max [3]int32
	buffer   []byte
}

const headerSize = 375

// NewWriter writes a header for zero points at the start of out.
func NewWriter(out io.WriteSeeker, layout Layout) (*Writer, error) {
	if layout.Scale == 0 {
		layout.Scale = 0.001
	}
	w := &Writer{layout: layout, out: out}
	w.record = recordSize(w.format())
	for _, e := range layout.Extras {
		if e.Type.Size() == 0 || e.Name == "" || len(e.Name) > 32 {
			return nil, fmt.Errorf("extra dimension %q of type %d: names have 1 to 32 bytes, types are 1 to 10", e.Name, e.Type)
		}
		w.record += e.Type.Size()
	}
	if len(layout.WKT) > math.MaxUint16-1 || len(layout.Extras)*extraRecord > math.MaxUint16 {
		return nil, fmt.Errorf("WKT of %d bytes or %d extra dimensions: too much for a record of 65535 bytes",
			len(layout.WKT), len(layout.Extras))
	}
	for i := range 3 {
		w.min[i], w.max[i] = math.MaxInt32, math.MinInt32
	}
	_, err := out.Write(w.header())
	return w, err
}

func (w *Writer) format() int {
	if w.layout.Color {
		return 7
	}
	return 6
}

// header returns the header and its records for the points written so far.
func (w *Writer) header() []byte {
	le := binary.LittleEndian
	b := make([]byte, headerSize)
	copy(b, "LASF")
	le.PutUint16(b[6:], 1<<4) // the coordinate system is WKT
	b[24], b[25] = 1, 4
	copy(b[26:58], "superpoint testdata")
	copy(b[58:90], "superpoint/testdata/las")
	le.PutUint16(b[94:], headerSize)
	b[104] = byte(w.format())
	le.PutUint16(b[105:], uint16(w.record))
	for i := range 3 {
		le.PutUint64(b[131+8*i:], math.Float64bits(w.layout.Scale))
		le.PutUint64(b[155+8*i:], math.Float64bits(w.layout.Offset[i]))
		if w.count > 0 {
			le.PutUint64(b[179+16*i:], math.Float64bits(float64(w.max[i])*w.layout.Scale+w.layout.Offset[i]))
			le.PutUint64(b[187+16*i:], math.Float64bits(float64(w.min[i])*w.layout.Scale+w.layout.Offset[i]))
		}
	}
	le.PutUint64(b[247:], w.count)
	for i, n := range w.returns {
		le.PutUint64(b[255+8*i:], n)
	}
	records := 0
	add := func(user string, id uint16, body []byte) {
		head := make([]byte, 54)
		copy(head[2:18], user)
		le.PutUint16(head[18:], id)
		le.PutUint16(head[20:], uint16(len(body)))
		b = append(append(b, head...), body...)
		records++
	}
	if w.layout.WKT != "" {
		add("LASF_Projection", 2112, append([]byte(w.layout.WKT), 0))
	}
	if len(w.layout.Extras) > 0 {
		var body []byte
		for _, e := range w.layout.Extras {
			body = append(body, e.descriptor()...)
		}
		add("LASF_Spec", 4, body)
	}
	le.PutUint32(b[96:], uint32(len(b)))
	le.PutUint32(b[100:], uint32(records))
	return b
}

// Write appends points. It fails on a coordinate that the layout's offset and
// scale cannot hold, naming the point.
func (w *Writer) Write(p *Points) error {
	const batch = 16384
	for lo := 0; lo < p.Len(); lo += batch {
		n := min(batch, p.Len()-lo)
		w.buffer = slices.Grow(w.buffer[:0], n*w.record)[:n*w.record]
		clear(w.buffer)
		for k := range n {
			i := lo + k
			xyz, err := w.quantize(p, i)
			if err != nil {
				return err
			}
			w.encode(p, i, xyz, w.buffer[k*w.record:])
			if number := at(p.ReturnNumber, i, 1); number >= 1 && number <= 15 {
				w.returns[number-1]++
			}
		}
		if _, err := w.out.Write(w.buffer); err != nil {
			return err
		}
		w.count += uint64(n)
	}
	return nil
}

func (w *Writer) quantize(p *Points, i int) (q [3]int32, err error) {
	for k, v := range [3]float64{p.X[i], p.Y[i], p.Z[i]} {
		steps := math.Round((v - w.layout.Offset[k]) / w.layout.Scale)
		if !(math.Abs(steps) <= math.MaxInt32) {
			return q, fmt.Errorf("point %d: coordinate %g cannot be stored with offset %g and scale %g", i, v,
				w.layout.Offset[k], w.layout.Scale)
		}
		q[k] = int32(steps)
		w.min[k], w.max[k] = min(w.min[k], q[k]), max(w.max[k], q[k])
	}
	return q, nil
}

// Close completes the header. It does not close the underlying file.
func (w *Writer) Close() error {
	if _, err := w.out.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := w.out.Write(w.header()); err != nil {
		return err
	}
	_, err := w.out.Seek(0, io.SeekEnd)
	return err
}
