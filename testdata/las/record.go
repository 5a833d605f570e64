// Package las reads and writes uncompressed LAS point clouds for tests and for
// the simulated scanner. It reads versions 1.2 to 1.4 with point formats 0 to 8
// and extra bytes, and writes version 1.4 with formats 6 and 7 (ASPRS LAS 1.4
// R15). It is strict: a file whose header contradicts its size is an error, not
// a guess. LAZ is made from LAS and back by "pdal translate". Coordinates are
// those of the file, mostly metres; the bytes written depend on nothing but the
// points.
package las

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

func hasTime(format int) bool { return format != 0 && format != 2 }

// colorAt is the byte of the record where red begins, 0 if it has no colour.
func colorAt(format int) int { return [...]int{0, 0, 20, 28, 0, 28, 0, 30, 30}[format] }

func newPoints(n, format int, extras []Extra) *Points {
	p := &Points{
		X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n),
		Intensity:    make([]uint16, n),
		ReturnNumber: make([]uint8, n), NumberOfReturns: make([]uint8, n),
		Classification: make([]uint8, n), ScanAngle: make([]float32, n), PointSourceID: make([]uint16, n),
	}
	if hasTime(format) {
		p.GPSTime = make([]float64, n)
	}
	if colorAt(format) > 0 {
		p.Red, p.Green, p.Blue = make([]uint16, n), make([]uint16, n), make([]uint16, n)
	}
	for _, e := range extras {
		if e.Type == 0 {
			continue
		}
		if p.Extra == nil {
			p.Extra = map[string][]float64{}
		}
		p.Extra[e.Name] = make([]float64, n)
	}
	return p
}

// decode sets point i from its record (LAS 1.4 R15, tables 7 to 17).
func (r *Reader) decode(p *Points, i int, b []byte) {
	le := binary.LittleEndian
	axis := func(k int) float64 { return float64(int32(le.Uint32(b[4*k:])))*r.scale[k] + r.offset[k] }
	p.X[i], p.Y[i], p.Z[i] = axis(0), axis(1), axis(2)
	p.Intensity[i] = le.Uint16(b[12:])
	if r.Format < 6 {
		p.ReturnNumber[i], p.NumberOfReturns[i] = b[14]&7, b[14]>>3&7
		p.Classification[i] = b[15] & 31
		p.ScanAngle[i] = float32(int8(b[16]))
		p.PointSourceID[i] = le.Uint16(b[18:])
		if hasTime(r.Format) {
			p.GPSTime[i] = math.Float64frombits(le.Uint64(b[20:]))
		}
	} else {
		p.ReturnNumber[i], p.NumberOfReturns[i] = b[14]&15, b[14]>>4
		p.Classification[i] = b[16]
		p.ScanAngle[i] = float32(int16(le.Uint16(b[18:]))) * angleStep
		p.PointSourceID[i] = le.Uint16(b[20:])
		p.GPSTime[i] = math.Float64frombits(le.Uint64(b[22:]))
	}
	if c := colorAt(r.Format); c > 0 {
		p.Red[i], p.Green[i], p.Blue[i] = le.Uint16(b[c:]), le.Uint16(b[c+2:]), le.Uint16(b[c+4:])
	}
	at := recordSize(r.Format)
	for _, e := range r.Extras {
		if e.Type != 0 {
			p.Extra[e.Name][i] = e.get(b[at:])
		}
		at += e.width
	}
}

// angleStep is the unit of the scan angle of formats 6 to 8, in degrees.
const angleStep = 0.006

// encode writes point i as format 6 or 7; a nil column is written as 0, and a
// single return.
func (w *Writer) encode(p *Points, i int, xyz [3]int32, b []byte) {
	le := binary.LittleEndian
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
	base := recordSize(w.format())
	for _, e := range w.layout.Extras {
		if column := p.Extra[e.Name]; column != nil {
			e.put(b[base:], column[i])
		}
		base += e.Type.Size()
	}
}

func at(column []uint8, i int, otherwise uint8) uint8 {
	if column == nil {
		return otherwise
	}
	return column[i]
}

// Points is a cloud as columns of equal length. A column that the file does not
// have is nil. Extra holds the extra-bytes dimensions by name, scaled.
type Points struct {
	X, Y, Z          []float64
	Intensity        []uint16
	ReturnNumber     []uint8
	NumberOfReturns  []uint8
	Classification   []uint8
	ScanAngle        []float32 // degrees
	PointSourceID    []uint16
	GPSTime          []float64
	Red, Green, Blue []uint16
	Extra            map[string][]float64
	WKT              string // coordinate system, empty if the file states none as WKT
}

// Len returns the number of points.
func (p *Points) Len() int { return len(p.X) }

// ReadFile reads a whole LAS file.
func ReadFile(path string) (*Points, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := NewReader(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p, err := r.Read(r.Count)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// WriteFile writes p with a resolution of scale units (0.001 if scale is 0),
// under a temporary name until it is complete. Extra columns are stored as
// float64 in alphabetical order.
func WriteFile(path string, p *Points, scale float64) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".las-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w, err := NewWriter(f, LayoutOf(p, scale))
	if err != nil {
		return err
	}
	if err := w.Write(p); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// ExtraType is the data_type code of an extra-bytes descriptor (LAS 1.4 R15,
// table 24); codes above Float64 are deprecated and refused.
type ExtraType uint8

// The data types of extra bytes.
const (
	Uint8 ExtraType = iota + 1
	Int8
	Uint16
	Int16
	Uint32
	Int32
	Uint64
	Int64
	Float32
	Float64
)

// Size returns the bytes of one value, 0 for an unknown type.
func (t ExtraType) Size() int {
	if t < Uint8 || t > Float64 {
		return 0
	}
	return [...]int{1, 1, 2, 2, 4, 4, 8, 8, 4, 8}[t-1]
}

// Extra describes one extra-bytes dimension.
type Extra struct {
	Name  string // at most 32 bytes
	Type  ExtraType
	scale float64
	shift float64
	width int // bytes in a record
}

const (
	extraRecord  = 192 // bytes of one descriptor
	hasScaleBit  = 1 << 3
	hasOffsetBit = 1 << 4
)

func parseExtras(b []byte) ([]Extra, error) {
	if len(b)%extraRecord != 0 {
		return nil, fmt.Errorf("extra-bytes descriptors of %d bytes, not a multiple of %d", len(b), extraRecord)
	}
	var list []Extra
	for ; len(b) > 0; b = b[extraRecord:] {
		e := Extra{Name: text(b[4:36]), Type: ExtraType(b[2]), scale: 1}
		if e.Type == 0 { // undocumented bytes, their number is in the options
			e.width = int(b[3])
			list = append(list, e)
			continue
		}
		if e.width = e.Type.Size(); e.width == 0 {
			return nil, fmt.Errorf("extra dimension %q has unknown data type %d", e.Name, b[2])
		}
		if b[3]&hasScaleBit != 0 {
			e.scale = math.Float64frombits(binary.LittleEndian.Uint64(b[112:]))
		}
		if b[3]&hasOffsetBit != 0 {
			e.shift = math.Float64frombits(binary.LittleEndian.Uint64(b[136:]))
		}
		list = append(list, e)
	}
	return list, nil
}

func (e Extra) descriptor() []byte {
	b := make([]byte, extraRecord)
	b[2] = byte(e.Type)
	copy(b[4:36], e.Name)
	return b
}

func (e Extra) get(b []byte) float64 {
	le := binary.LittleEndian
	var v float64
	switch e.Type {
	case Uint8:
		v = float64(b[0])
	case Int8:
		v = float64(int8(b[0]))
	case Uint16:
		v = float64(le.Uint16(b))
	case Int16:
		v = float64(int16(le.Uint16(b)))
	case Uint32:
		v = float64(le.Uint32(b))
	case Int32:
		v = float64(int32(le.Uint32(b)))
	case Uint64:
		v = float64(le.Uint64(b))
	case Int64:
		v = float64(int64(le.Uint64(b)))
	case Float32:
		v = float64(math.Float32frombits(le.Uint32(b)))
	case Float64:
		v = math.Float64frombits(le.Uint64(b))
	}
	return v*e.scale + e.shift
}

func (e Extra) put(b []byte, v float64) {
	le := binary.LittleEndian
	switch e.Type {
	case Uint8, Int8:
		b[0] = byte(int64(v))
	case Uint16, Int16:
		le.PutUint16(b, uint16(int64(v)))
	case Uint32, Int32:
		le.PutUint32(b, uint32(int64(v)))
	case Uint64:
		le.PutUint64(b, uint64(v))
	case Int64:
		le.PutUint64(b, uint64(int64(v)))
	case Float32:
		le.PutUint32(b, math.Float32bits(float32(v)))
	case Float64:
		le.PutUint64(b, math.Float64bits(v))
	}
}

func text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}
