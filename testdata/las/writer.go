// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Layout says how points are stored; the zero value is usual.
type Layout struct {
	Scale  float64        // resolution in the file's units; 0 means 0.001
	Offset *[3]float64    // of the stored integers; nil means whole units near the first point
	Kinds  map[string]int // types of extra dimensions: Uint8 or Uint16; double unless named
}

// WriteFile writes p with a resolution of scale units (0.001 if scale is 0). Extra columns are stored as
// float64 in alphabetical order.
func WriteFile(path string, p *Points, scale float64) error {
	f, err := p.File(Layout{Scale: scale})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Write(path)
}

// File returns points as LAS 1.4 of point format 7, or 6 without colours. It fails on a coordinate that
// offset and scale cannot hold, naming the point.
func (p *Points) File(l Layout) (*File, error) {
	if l.Scale == 0 {
		l.Scale = 0.001
	}
	f := &File{Minor: 4, Format: 6, Scale: [3]float64{l.Scale, l.Scale, l.Scale}}
	switch {
	case l.Offset != nil:
		f.Offset = *l.Offset
	case p.Len() > 0:
		f.Offset = [3]float64{math.Floor(p.X[0]), math.Floor(p.Y[0]), math.Floor(p.Z[0])}
	}
	if p.Red != nil {
		f.Format = 7
	}
	for _, name := range slices.Sorted(maps.Keys(p.Extra)) {
		kind, named := l.Kinds[name]
		if !named {
			kind = Double
		}
		f.Extras = append(f.Extras, Extra{Name: name, Kind: kind, Scale: 1})
	}
	if p.WKT != "" {
		f.Variable = []Variable{{User: wktUser, ID: wktID, Data: append([]byte(p.WKT), 0)}}
	}
	length := f.LayOut()
	all := make([]byte, p.Len()*length)
	f.Records = make([][]byte, 0, p.Len())
	for i := range p.Len() {
		b := all[i*length : (i+1)*length]
		for k, v := range [3]float64{p.X[i], p.Y[i], p.Z[i]} {
			steps := math.Round((v - f.Offset[k]) / l.Scale)
			if !(math.Abs(steps) <= math.MaxInt32) {
				return nil, fmt.Errorf("point %d: coordinate %g cannot be stored with offset %g and scale %g",
					i, v,
					f.Offset[k], l.Scale)
			}
			le.PutUint32(b[4*k:], uint32(int32(steps)))
		}
		f.encode(p, i, b)
		f.Records = append(f.Records, b)
	}
	return f, nil
}

// encode writes all but the coordinates of point i in format 6 or 7; a nil column is written as 0, and a
// single return.
func (f *File) encode(p *Points, i int, b []byte) {
	if p.Intensity != nil {
		le.PutUint16(b[12:], p.Intensity[i])
	}
	b[14] = at(p.ReturnNumber, i, 1)&15 | at(p.NumberOfReturns, i, 1)<<4
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
	if p.Red != nil {
		le.PutUint16(b[30:], p.Red[i])
		le.PutUint16(b[32:], p.Green[i])
		le.PutUint16(b[34:], p.Blue[i])
	}
	for k := range f.Extras {
		e := &f.Extras[k]
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
