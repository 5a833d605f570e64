// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// Layout says what a written file holds.
type Layout struct {
	Color  bool       // point format 7 rather than 6
	Scale  float64    // resolution in the file's units; 0 means 0.001
	Offset [3]float64 // of the stored integers; within 2³¹·Scale of every point
	WKT    string     // coordinate system, may be empty
	Extras []Extra    // extra dimensions: their names and kinds, uint8, uint16 or double
}

// Writer writes points as they come, in constant memory, as LAS 1.4. Close completes the
// header; until then the file claims to hold no points.
type Writer struct {
	layout   Layout
	out      io.WriteSeeker
	file     File // its form
	head     header
	min, max [3]int32
	buffer   []byte
}

// NewWriter writes a header for zero points at the start of out.
func NewWriter(out io.WriteSeeker, layout Layout) (*Writer, error) {
	if layout.Scale == 0 {
		layout.Scale = 0.001
	}
	s := layout.Scale
	w := &Writer{layout: layout, out: out, file: File{Format: 6}}
	if layout.Color {
		w.file.Format = 7
	}
	for _, e := range layout.Extras {
		if e.Name == "" || len(e.Name) > 32 {
			return nil, fmt.Errorf("extra dimension %q: names have 1 to 32 bytes", e.Name)
		}
		w.file.Extras = append(w.file.Extras, Extra{Name: e.Name, Kind: e.Kind, Scale: 1})
	}
	if len(layout.WKT) > math.MaxUint16-1 || len(layout.Extras)*extraRecord > math.MaxUint16 {
		return nil, fmt.Errorf("WKT of %d bytes or %d extra dimensions: too much for a record of 65535 bytes",
			len(layout.WKT), len(layout.Extras))
	}
	w.head = header{minor: 4, format: w.file.Format, record: w.file.LayOut(), scale: [3]float64{s, s, s},
		offset: layout.Offset}
	if layout.WKT != "" {
		w.head.variable = append(w.head.variable, Variable{User: wktUser, ID: wktID, Data: append([]byte(layout.WKT), 0)})
	}
	if len(layout.Extras) > 0 {
		w.head.variable = append(w.head.variable, described(w.file.Extras))
	}
	for i := range 3 {
		w.min[i], w.max[i] = math.MaxInt32, math.MinInt32
	}
	_, err := out.Write(w.head.bytes())
	return w, err
}

// Write appends points. It fails on a coordinate that the layout's offset and
// scale cannot hold, naming the point.
func (w *Writer) Write(p *Points) error {
	const batch = 16384
	for lo := 0; lo < p.Len(); lo += batch {
		n := min(batch, p.Len()-lo)
		w.buffer = slices.Grow(w.buffer[:0], n*w.head.record)[:n*w.head.record]
		clear(w.buffer)
		for k := range n {
			i := lo + k
			xyz, err := w.quantize(p, i)
			if err != nil {
				return err
			}
			w.encode(p, i, xyz, w.buffer[k*w.head.record:])
			if number := at(p.ReturnNumber, i, 1); number >= 1 && number <= 15 {
				w.head.returns[number-1]++
			}
		}
		if _, err := w.out.Write(w.buffer); err != nil {
			return err
		}
		w.head.count += uint64(n)
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

// encode writes point i as format 6 or 7; a nil column is written as 0, and a
// single return.
func (w *Writer) encode(p *Points, i int, xyz [3]int32, b []byte) {
	for k, v := range xyz {
		le.PutUint32(b[4*k:], uint32(v))
	}
	if p.Intensity != nil {
		le.PutUint16(b[12:], p.Intensity[i])
	}
	number, count := at(p.ReturnNumber, i, 1), at(p.NumberOfReturns, i, 1)
	b[14] = number&15 | count<<4
	b[16] = at(p.Classification, i, 0)
	if p.ScanAngle != nil {
		le.PutUint16(b[18:], uint16(int16(math.Round(float64(p.ScanAngle[i]/angleStep)))))
	}
	if p.PointSourceID != nil {
		le.PutUint16(b[20:], p.PointSourceID[i])
	}
	if p.GPSTime != nil {
		le.PutUint64(b[22:], math.Float64bits(p.GPSTime[i]))
	}
	if w.layout.Color && p.Red != nil {
		le.PutUint16(b[30:], p.Red[i])
		le.PutUint16(b[32:], p.Green[i])
		le.PutUint16(b[34:], p.Blue[i])
	}
	for k := range w.file.Extras {
		e := &w.file.Extras[k]
		if p.Extra[e.Name] == nil {
			continue
		}
		switch v := p.Extra[e.Name][i]; e.Kind {
		case Uint8:
			e.Bits(b)[0] = uint8(v)
		case Uint16:
			le.PutUint16(e.Bits(b), uint16(v))
		default:
			le.PutUint64(e.Bits(b), math.Float64bits(v))
		}
	}
}

func at(column []uint8, i int, otherwise uint8) uint8 {
	if column == nil {
		return otherwise
	}
	return column[i]
}

// Close completes the header. It does not close the underlying file.
func (w *Writer) Close() error {
	if w.head.count > 0 {
		for k := range 3 {
			w.head.low[k] = float64(w.min[k])*w.layout.Scale + w.layout.Offset[k]
			w.head.high[k] = float64(w.max[k])*w.layout.Scale + w.layout.Offset[k]
		}
	}
	if _, err := w.out.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := w.out.Write(w.head.bytes()); err != nil {
		return err
	}
	_, err := w.out.Seek(0, io.SeekEnd)
	return err
}
