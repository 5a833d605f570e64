// SPDX-License-Identifier: BSD-3-Clause

package las

import "math"

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

// timeAt and colorAt are the bytes of a record where the time and red begin, 0 if it has none.
func timeAt(format int) int  { return [...]int{0, 20, 0, 20, 20, 20, 22, 22, 22, 22, 22}[format] }
func colorAt(format int) int { return [...]int{0, 0, 20, 28, 0, 28, 0, 30, 30, 0, 30}[format] }

// angleStep is the unit of the scan angle of formats from 6 on, in degrees.
const angleStep = 0.006

// ReadFile reads the points of a LAS file.
func ReadFile(path string) (*Points, error) {
	f, err := Read(path)
	if err != nil {
		return nil, err
	}
	return f.Points(), nil
}

// Points returns the points of a file.
func (f *File) Points() *Points {
	n := len(f.Records)
	p := &Points{
		X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n),
		Intensity:    make([]uint16, n),
		ReturnNumber: make([]uint8, n), NumberOfReturns: make([]uint8, n),
		Classification: make([]uint8, n), ScanAngle: make([]float32, n), PointSourceID: make([]uint16, n),
	}
	if timeAt(f.Format) > 0 {
		p.GPSTime = make([]float64, n)
	}
	if colorAt(f.Format) > 0 {
		p.Red, p.Green, p.Blue = make([]uint16, n), make([]uint16, n), make([]uint16, n)
	}
	for _, e := range f.Extras {
		if e.Kind >= 0 && p.Extra == nil {
			p.Extra = map[string][]float64{}
		}
		if e.Kind >= 0 {
			p.Extra[e.Name] = make([]float64, n)
		}
	}
	for _, v := range f.Variable {
		if v.User == wktUser && v.ID == wktID {
			p.WKT = text(v.Data)
		}
	}
	for i, r := range f.Records {
		f.decode(p, i, r)
	}
	return p
}

// The user and number of the record with the reference.
const wktUser, wktID = "LASF_Projection", 2112

// decode sets point i from its record (LAS 1.4 R15, tables 7 to 17).
func (f *File) decode(p *Points, i int, b []byte) {
	axis := func(k int) float64 { return float64(int32(le.Uint32(b[4*k:])))*f.Scale[k] + f.Offset[k] }
	p.X[i], p.Y[i], p.Z[i] = axis(0), axis(1), axis(2)
	p.Intensity[i] = le.Uint16(b[12:])
	p.Classification[i] = uint8(f.Class(b))
	if f.Format < 6 {
		p.ReturnNumber[i], p.NumberOfReturns[i] = b[14]&7, b[14]>>3&7
		p.ScanAngle[i] = float32(int8(b[16]))
		p.PointSourceID[i] = le.Uint16(b[18:])
	} else {
		p.ReturnNumber[i], p.NumberOfReturns[i] = b[14]&15, b[14]>>4
		p.ScanAngle[i] = float32(int16(le.Uint16(b[18:]))) * angleStep
		p.PointSourceID[i] = le.Uint16(b[20:])
	}
	if t := timeAt(f.Format); t > 0 {
		p.GPSTime[i] = math.Float64frombits(le.Uint64(b[t:]))
	}
	if c := colorAt(f.Format); c > 0 {
		p.Red[i], p.Green[i], p.Blue[i] = le.Uint16(b[c:]), le.Uint16(b[c+2:]), le.Uint16(b[c+4:])
	}
	for k := range f.Extras {
		if e := &f.Extras[k]; e.Kind >= 0 {
			p.Extra[e.Name][i] = e.Value(b)
		}
	}
}
