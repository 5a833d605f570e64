// SPDX-License-Identifier: BSD-3-Clause

// Package las reads and writes uncompressed LAS point clouds for tests and for
// the simulated scanner, independent of pipelines/files/las and of PDAL: as a File, which
// has every bit (versions 1.2 to 1.4, all point formats), and as Points, which have
// columns (ASPRS LAS 1.4 R15). LAZ is made from LAS and back by "pdal translate".
// Coordinates have the unit of the file, mostly metres; the bytes written depend on
// nothing but the points.
package las

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
)

var le = binary.LittleEndian

// File is a LAS file as its records, bit by bit.
type File struct {
	Minor, Format int // version 1.Minor, point format
	Scale, Offset [3]float64
	Extras        []Extra
	Records       [][]byte
	Variable      []Variable // records before and behind the points, except records of extra bytes
	// that was read, or to which Write adds what depends on the points; nil = testdata's
	Header []byte
}

// Extra is an extra dimension.
type Extra struct {
	Name          string // at most 32 bytes
	Kind          int    // index in Kinds; −1 for bytes without a type, and for arrays
	Scale, Offset float64
	Text          []byte // description that was read, or to write; nil = from the other fields

	at, width int // bytes in a record
}

// Kinds are the types of extra bytes (table 24, from code 1), as PDAL names them.
var Kinds = []string{"uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
	"float", "double"}

// Kinds that Points are written in.
const (
	Uint8  = 0
	Uint16 = 2
	Uint32 = 4 // of Files only
	Double = 9
)

// Variable is a variable length record; extended ones stand behind the points.
type Variable struct {
	User     string
	ID       uint16
	Data     []byte
	Extended bool
}

// The user and number of the record that describes extra bytes, and its length for each.
const (
	extraUser, extraID = "LASF_Spec", 4
	extraRecord        = 192
)

// BaseLength returns the bytes of a record without extra bytes.
func BaseLength(format int) int { return []int{20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67}[format] }

// LayOut gives the extra dimensions their places and returns the length of a record.
func (f *File) LayOut() int {
	at := BaseLength(f.Format)
	for k := range f.Extras {
		e := &f.Extras[k]
		if e.Kind >= 0 {
			e.width = []int{1, 1, 2, 2, 4, 4, 8, 8, 4, 8}[e.Kind]
		}
		e.at = at
		at += e.width
	}
	return at
}

// Extra returns an extra dimension, or nil.
func (f *File) Extra(name string) *Extra {
	for k := range f.Extras {
		if f.Extras[k].Name == name {
			return &f.Extras[k]
		}
	}
	return nil
}

// Class returns the bits of a record's class.
func (f *File) Class(record []byte) int {
	if f.Format < 6 {
		return int(record[15] & 31)
	}
	return int(record[16])
}

// Withheld reports whether a record is marked as withheld.
func (f *File) Withheld(record []byte) bool {
	if f.Format < 6 {
		return record[15]&128 != 0
	}
	return record[15]&4 != 0
}

// Returns counts the points by return number, from 1.
func (f *File) Returns() (count [15]uint64) {
	for _, r := range f.Records {
		number := r[14] & 15
		if f.Format < 6 {
			number &= 7
		}
		if number > 0 {
			count[number-1]++
		}
	}
	return count
}

// Bits returns the bytes of a value.
func (e *Extra) Bits(record []byte) []byte { return record[e.at : e.at+e.width] }

// Scaled reports whether values are integers with a scale.
func (e *Extra) Scaled() bool { return e.Scale != 1 || e.Offset != 0 }

// Value returns a value as PDAL has it.
func (e *Extra) Value(record []byte) (v float64) {
	b := make([]byte, 8)
	copy(b, e.Bits(record))
	u := le.Uint64(b)
	switch Kinds[e.Kind] {
	case "int8":
		v = float64(int8(u))
	case "int16":
		v = float64(int16(u))
	case "int32":
		v = float64(int32(u))
	case "int64":
		v = float64(int64(u))
	case "float":
		v = float64(math.Float32frombits(uint32(u)))
	case "double":
		v = math.Float64frombits(u)
	default:
		v = float64(u)
	}
	if e.Scaled() {
		v = v*e.Scale + e.Offset
	}
	return v
}

// described returns the record that describes extra dimensions.
func described(extras []Extra) Variable {
	v := Variable{User: extraUser, ID: extraID}
	for _, e := range extras {
		if e.Text != nil {
			v.Data = append(v.Data, e.Text...)
			continue
		}
		d := make([]byte, extraRecord)
		d[2] = byte(e.Kind + 1)
		copy(d[4:36], e.Name)
		if e.Scaled() {
			d[3] = 8 | 16
			le.PutUint64(d[112:], math.Float64bits(e.Scale))
			le.PutUint64(d[136:], math.Float64bits(e.Offset))
		}
		v.Data = append(v.Data, d...)
	}
	return v
}

func (v *Variable) bytes() []byte {
	head := make([]byte, 54)
	le.PutUint16(head[20:], uint16(len(v.Data)))
	if v.Extended {
		head = make([]byte, 60)
		le.PutUint64(head[20:], uint64(len(v.Data)))
	}
	copy(head[2:18], v.User)
	le.PutUint16(head[18:], v.ID)
	return append(head, v.Data...)
}

// Write writes the file.
func (f *File) Write(path string) error {
	b := make([]byte, map[int]int{2: 227, 3: 235, 4: 375}[f.Minor])
	copy(b, "LASF")
	b[24], b[25], b[104] = 1, byte(f.Minor), byte(f.Format)
	copy(b[26:58], "superpoint testdata")
	copy(b[58:90], "superpoint/testdata/las")
	le.PutUint16(b[94:], uint16(len(b)))
	le.PutUint16(b[105:], uint16(f.LayOut()))
	if f.Format >= 6 {
		b[6] = 16 // the reference is WKT
	} else {
		le.PutUint32(b[107:], uint32(len(f.Records)))
	}
	if f.Header != nil { // but for the version
		copy(b[4:24], f.Header[4:24])
		copy(b[26:94], f.Header[26:94])
	}
	f.bounds(b)
	if f.Minor == 4 {
		le.PutUint64(b[247:], uint64(len(f.Records)))
		for i, n := range f.Returns() {
			le.PutUint64(b[255+8*i:], n)
		}
	}
	variable := f.Variable
	if len(f.Extras) > 0 {
		variable = append(slices.Clip(variable), described(f.Extras))
	}
	var behind []byte
	for _, v := range variable {
		if v.Extended {
			behind = append(behind, v.bytes()...)
			le.PutUint32(b[243:], le.Uint32(b[243:])+1)
			continue
		}
		b = append(b, v.bytes()...)
		le.PutUint32(b[100:], le.Uint32(b[100:])+1)
	}
	le.PutUint32(b[96:], uint32(len(b)))
	b = append(b, bytes.Join(f.Records, nil)...)
	if behind != nil {
		le.PutUint64(b[235:], uint64(len(b)))
	}
	return os.WriteFile(path, append(b, behind...), 0o666)
}

// bounds writes scale, offset and bounds into a header; without points they are 0.
func (f *File) bounds(header []byte) {
	for k := range 3 {
		var low, high float64
		for i, r := range f.Records {
			v := float64(int32(le.Uint32(r[4*k:])))*f.Scale[k] + f.Offset[k]
			if i == 0 {
				low, high = v, v
			}
			low, high = min(low, v), max(high, v)
		}
		le.PutUint64(header[131+8*k:], math.Float64bits(f.Scale[k]))
		le.PutUint64(header[155+8*k:], math.Float64bits(f.Offset[k]))
		le.PutUint64(header[179+16*k:], math.Float64bits(high))
		le.PutUint64(header[187+16*k:], math.Float64bits(low))
	}
}

// Read reads a file.
func Read(path string) (*File, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

func parse(b []byte) (*File, error) {
	if len(b) < 227 || string(b[:4]) != "LASF" || b[24] != 1 || b[25] < 2 || b[25] > 4 || b[25] == 4 &&
		len(b) < 375 {
		return nil, errors.New("it is no LAS file of version 1.2 to 1.4")
	}
	if b[104]&0x80 != 0 {
		return nil, errors.New(`compressed LAZ: convert it with "pdal translate in.laz out.las" first`)
	}
	if b[104] > 10 {
		return nil, fmt.Errorf("point format %d; want 0 to 10", b[104])
	}
	f := &File{Minor: int(b[25]), Format: int(b[104]),
		Header: b[:map[bool]int{true: 375, false: 227}[b[25] == 4]]}
	for k := range 3 {
		f.Scale[k] = math.Float64frombits(le.Uint64(b[131+8*k:]))
		f.Offset[k] = math.Float64frombits(le.Uint64(b[155+8*k:]))
	}
	start, length, count := int(le.Uint32(b[96:])), int(le.Uint16(b[105:])), uint64(le.Uint32(b[107:]))
	err := f.variables(b, uint64(le.Uint16(b[94:])), int(le.Uint32(b[100:])), false)
	if f.Minor == 4 {
		count = le.Uint64(b[247:])
		err = errors.Join(err, f.variables(b, le.Uint64(b[235:]), int(le.Uint32(b[243:])), true))
	}
	if err != nil {
		return nil, err
	}
	if least := f.LayOut(); length < least || start > len(b) || count > uint64(len(b)-start)/uint64(length) {
		return nil, fmt.Errorf(
			"%d records of %d bytes (described are %d) from byte %d do not fit into %d bytes", count,
			length, least, start, len(b))
	}
	for i := range int(count) {
		f.Records = append(f.Records, b[start+i*length:start+(i+1)*length])
	}
	return f, nil
}

// variables reads variable length records.
func (f *File) variables(b []byte, at uint64, count int, extended bool) error {
	for range count {
		head := uint64(54)
		if extended {
			head = 60
		}
		if at > uint64(len(b)) || uint64(len(b))-at < head {
			return fmt.Errorf("a variable length record at byte %d of %d", at, len(b))
		}
		size := uint64(le.Uint16(b[at+20:]))
		if extended {
			size = le.Uint64(b[at+20:])
		}
		if size > uint64(len(b))-at-head {
			return fmt.Errorf("a variable length record of %d bytes at byte %d of %d", size, at, len(b))
		}
		v := Variable{User: text(b[at+2 : at+18]), ID: le.Uint16(b[at+18:]), Data: b[at+head : at+head+size],
			Extended: extended}
		at += head + size
		if v.User != extraUser || v.ID != extraID {
			f.Variable = append(f.Variable, v)
			continue
		}
		for d := v.Data; len(d) >= extraRecord; d = d[extraRecord:] {
			e, err := ExtraOf(d[:extraRecord])
			if err != nil {
				return err
			}
			f.Extras = append(f.Extras, e)
		}
	}
	return nil
}

// ExtraOf returns the extra dimension of a description (table 24), also one of the old arrays of two and
// three.
func ExtraOf(d []byte) (Extra, error) {
	e := Extra{Name: text(d[4:36]), Kind: int(d[2]) - 1, Scale: 1, Text: d}
	switch kinds := len(Kinds); {
	case e.Kind < 0:
		e.width = int(d[3])
	case e.Kind >= 3*kinds:
		return e, fmt.Errorf("extra dimension %q has unknown data type %d", e.Name, d[2])
	case e.Kind >= kinds:
		e.width = []int{1, 1, 2, 2, 4, 4, 8, 8, 4, 8}[e.Kind%kinds] * (e.Kind/kinds + 1)
		e.Kind = -1
	}
	if d[3]&8 != 0 && e.Kind >= 0 {
		e.Scale = math.Float64frombits(le.Uint64(d[112:]))
	}
	if d[3]&16 != 0 && e.Kind >= 0 {
		e.Offset = math.Float64frombits(le.Uint64(d[136:]))
	}
	return e, nil
}

func text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}
