// SPDX-License-Identifier: BSD-3-Clause

package las

import "math"

// Value returns a function that reads a dimension from records as a number: Classification, UserData, or an
// extra dimension of one number without scale and offset. It returns nil if the file has no such dimension.
func (l *File) Value(name string) func(record []byte) float64 {
	if at, mask, ok := l.field(name); ok {
		return func(record []byte) float64 { return float64(record[at] & mask) }
	}
	x := l.Find(name)
	if x == nil {
		return nil
	}
	return x.value()
}

// value returns a function that reads the dimension; nil if it is not one number, or if that is scaled.
func (x *Extra) value() func(record []byte) float64 {
	const scaled, offset = 8, 16
	if x.text[3]&(scaled|offset) != 0 {
		return nil
	}
	kind := int(x.text[2])
	if kind >= len(numbers) || numbers[kind] == nil {
		return nil
	}
	at := x.At
	read := numbers[kind]
	return func(record []byte) float64 { return read(record[at:]) }
}

// numbers read the data types of extra bytes (LAS 1.4, table 24) from the beginning of a field.
var numbers = [...]func(field []byte) float64{
	1:  func(field []byte) float64 { return float64(field[0]) },
	2:  func(field []byte) float64 { return float64(int8(field[0])) },
	3:  func(field []byte) float64 { return float64(le.Uint16(field)) },
	4:  func(field []byte) float64 { return float64(int16(le.Uint16(field))) },
	5:  func(field []byte) float64 { return float64(le.Uint32(field)) },
	6:  func(field []byte) float64 { return float64(int32(le.Uint32(field))) },
	7:  func(field []byte) float64 { return float64(le.Uint64(field)) },
	8:  func(field []byte) float64 { return float64(int64(le.Uint64(field))) },
	9:  func(field []byte) float64 { return float64(math.Float32frombits(le.Uint32(field))) },
	10: func(field []byte) float64 { return math.Float64frombits(le.Uint64(field)) },
}

// Columns reads the coordinates of all records of an unpacked file, and dimensions as Value does. A dimension
// that the file does not have is nil.
func (l *File) Columns(names []string) (at [3][]float64, values [][]float64, err error) {
	for axis := range at {
		at[axis] = make([]float64, l.Count)
	}
	values = make([][]float64, len(names))
	read := make([]func(record []byte) float64, len(names))
	for k, name := range names {
		read[k] = l.Value(name)
		if read[k] != nil {
			values[k] = make([]float64, l.Count)
		}
	}
	err = l.Each(func(i int, record []byte) error {
		for axis, step := range XYZ(record) {
			at[axis][i] = float64(step)*l.Scale[axis] + l.Offset[axis]
		}
		for k := range names {
			if read[k] != nil {
				values[k][i] = read[k](record)
			}
		}
		return nil
	})
	return at, values, err
}
