// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"math"
	"strconv"
	"strings"
)

// Put sets a value in a record.
type Put func(record []byte, value float64)

// RowsOf returns the layout of records that have values of columns only, and what sets the value of each
// column.
func RowsOf(columns []Column) (l *File, put []Put, err error) {
	if l, err = Rows(columns); err != nil {
		return nil, nil, err
	}
	for _, c := range columns {
		if x := l.Find(c.Name); x != nil {
			put = append(put, fieldWriter(c.Type, x.At))
		} else {
			put = append(put, l.Field(c.Name))
		}
	}
	return l, put, nil
}

// Rows returns the layout of records that have values of columns only.
func Rows(columns []Column) (*File, error) {
	c, err := Edit{Add: columns}.layout("", blank())
	if err != nil {
		return nil, err
	}
	return c.Layout, nil
}

// blank returns a LAS 1.4 file of point format 6 with nothing in it.
func blank() *File {
	l := &File{Head: make([]byte, header14), Length: recordLength(legacyFormats)}
	copy(l.Head, "LASF")
	l.Head[24] = 1
	l.Head[atMinor] = extended
	l.Head[atFormat] = legacyFormats
	le.PutUint16(l.Head[atHeaderSize:], header14)
	l.putLattice(Lattice{Scale: [3]float64{1, 1, 1}})
	return l
}

// fieldWriter returns a function that writes a value of PDAL's type kind at byte at of a record. Integers are
// limited to 64 bits: the largest ones round to a power of two beyond.
func fieldWriter(kind string, at int) Put {
	switch kind {
	case "float":
		return func(r []byte, v float64) { le.PutUint32(r[at:], math.Float32bits(float32(v))) }
	case "double":
		return func(r []byte, v float64) { le.PutUint64(r[at:], math.Float64bits(v)) }
	}
	text, unsigned := strings.CutPrefix(kind, "u")
	bits, _ := strconv.Atoi(strings.TrimPrefix(text, "int"))
	return func(r []byte, v float64) {
		var n uint64
		switch {
		case !unsigned && v < math.MaxInt64:
			n = uint64(int64(v))
		case !unsigned:
			n = math.MaxInt64
		case v < math.MaxUint64:
			n = uint64(v)
		default:
			n = math.MaxUint64
		}
		for k := range bits / 8 {
			r[at+k] = byte(n >> (8 * k))
		}
	}
}
