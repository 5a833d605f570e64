package pdaltest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// A LAS file as its records, bit by bit (ASPRS LAS 1.4 R15): written for the campaign, and
// independent of filter/records and of PDAL.

// rawFile is an uncompressed LAS file.
type rawFile struct {
	minor, format int
	scale, offset [3]float64
	extras        []rawExtra
	records       [][]byte
	variable      []rawVariable // records before and behind the points, but those of extra bytes
}

// rawExtra is an extra dimension.
type rawExtra struct {
	name          string
	kind          int // index in kinds
	scale, offset float64
	at            int // byte in a record
}

// rawVariable is a variable length record; extended ones stand behind the points.
type rawVariable struct {
	user     string
	id       uint16
	data     []byte
	extended bool
}

var le = binary.LittleEndian

// widths are the bytes of kinds.
var widths = []int{1, 1, 2, 2, 4, 4, 8, 8, 4, 8}

// baseLength returns the bytes of a record without extra bytes.
func baseLength(format int) int { return []int{20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67}[format] }

// layOut gives the extra dimensions their places and returns the length of a record.
func (f *rawFile) layOut() int {
	at := baseLength(f.format)
	for k := range f.extras {
		f.extras[k].at = at
		at += widths[f.extras[k].kind]
	}
	return at
}

// extra returns an extra dimension, or nil.
func (f *rawFile) extra(name string) *rawExtra {
	for k := range f.extras {
		if f.extras[k].name == name {
			return &f.extras[k]
		}
	}
	return nil
}

// bits returns the bytes of a value.
func (e *rawExtra) bits(record []byte) []byte { return record[e.at : e.at+widths[e.kind]] }

// scaled reports whether values are integers with a scale.
func (e *rawExtra) scaled() bool { return e.scale != 1 || e.offset != 0 }

// value returns a value as PDAL has it.
func (e *rawExtra) value(record []byte) (v float64) {
	b := make([]byte, 8)
	copy(b, e.bits(record))
	u := le.Uint64(b)
	switch kinds[e.kind] {
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
	if e.scaled() {
		v = v*e.scale + e.offset
	}
	return v
}

// class returns the bits of a record's class.
func (f *rawFile) class(record []byte) int {
	if f.format < 6 {
		return int(record[15] & 31)
	}
	return int(record[16])
}

func (r *rawVariable) head() []byte {
	head := make([]byte, 54)
	le.PutUint16(head[20:], uint16(len(r.data)))
	if r.extended {
		head = make([]byte, 60)
		le.PutUint64(head[20:], uint64(len(r.data)))
	}
	copy(head[2:18], r.user)
	le.PutUint16(head[18:], r.id)
	return head
}

// described returns the record that describes the extra dimensions.
func (f *rawFile) described() rawVariable {
	v := rawVariable{user: "LASF_Spec", id: 4}
	for _, e := range f.extras {
		d := make([]byte, 192)
		d[2] = byte(e.kind + 1)
		copy(d[4:36], e.name)
		if e.scaled() {
			d[3] = 8 | 16
			le.PutUint64(d[112:], math.Float64bits(e.scale))
			le.PutUint64(d[136:], math.Float64bits(e.offset))
		}
		v.data = append(v.data, d...)
	}
	return v
}

// write writes the file.
func (f *rawFile) write(t testing.TB, path string) {
	t.Helper()
	head := make([]byte, map[int]int{2: 227, 3: 235, 4: 375}[f.minor])
	copy(head, "LASF")
	head[24], head[25], head[104] = 1, byte(f.minor), byte(f.format)
	if f.format >= 6 {
		head[6] = 16 // the reference is WKT
	}
	le.PutUint16(head[94:], uint16(len(head)))
	le.PutUint16(head[105:], uint16(f.layOut()))
	le.PutUint32(head[107:], uint32(len(f.records)))
	for k := range 3 {
		le.PutUint64(head[131+8*k:], math.Float64bits(f.scale[k]))
		le.PutUint64(head[155+8*k:], math.Float64bits(f.offset[k]))
		low, high := math.Inf(1), math.Inf(-1)
		for _, r := range f.records {
			v := float64(int32(le.Uint32(r[4*k:])))*f.scale[k] + f.offset[k]
			low, high = min(low, v), max(high, v)
		}
		le.PutUint64(head[179+16*k:], math.Float64bits(high))
		le.PutUint64(head[187+16*k:], math.Float64bits(low))
	}
	var before, behind []byte
	all := f.variable
	if len(f.extras) > 0 {
		all = append([]rawVariable{f.described()}, all...)
	}
	var counts [2]int
	for _, v := range all {
		if v.extended {
			behind = append(append(behind, v.head()...), v.data...)
			counts[1]++
			continue
		}
		before = append(append(before, v.head()...), v.data...)
		counts[0]++
	}
	start := len(head) + len(before)
	le.PutUint32(head[96:], uint32(start))
	le.PutUint32(head[100:], uint32(counts[0]))
	if f.minor == 4 {
		le.PutUint64(head[247:], uint64(len(f.records)))
		if counts[1] > 0 {
			le.PutUint64(head[235:], uint64(start+len(f.records)*f.layOut()))
			le.PutUint32(head[243:], uint32(counts[1]))
		}
	}
	text := append(append(head, before...), bytes.Join(f.records, nil)...)
	if err := os.WriteFile(path, append(text, behind...), 0o666); err != nil {
		t.Fatal(err)
	}
}

// readRaw reads a file.
func readRaw(path string) (*rawFile, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < 227 || string(b[:4]) != "LASF" || b[104] > 10 {
		return nil, fmt.Errorf("%s is no LAS file of point format 0 to 10", path)
	}
	f := &rawFile{minor: int(b[25]), format: int(b[104])}
	for k := range 3 {
		f.scale[k] = math.Float64frombits(le.Uint64(b[131+8*k:]))
		f.offset[k] = math.Float64frombits(le.Uint64(b[155+8*k:]))
	}
	start, length, count := int(le.Uint32(b[96:])), int(le.Uint16(b[105:])), int(le.Uint32(b[107:]))
	if f.minor == 4 {
		count = int(le.Uint64(b[247:]))
		f.variables(b, int(le.Uint64(b[235:])), int(le.Uint32(b[243:])), true)
	}
	f.variables(b, int(le.Uint16(b[94:])), int(le.Uint32(b[100:])), false)
	if f.layOut() != length || start+count*length > len(b) {
		return nil, fmt.Errorf("%s: %d records of %d bytes (described are %d), %d bytes", path, count, length, f.layOut(),
			len(b))
	}
	for i := range count {
		f.records = append(f.records, b[start+i*length:start+(i+1)*length])
	}
	return f, nil
}

// variables reads variable length records.
func (f *rawFile) variables(b []byte, at, count int, extended bool) {
	for range count {
		size, body := int(le.Uint16(b[at+20:])), at+54
		if extended {
			size, body = int(le.Uint64(b[at+20:])), at+60
		}
		v := rawVariable{user: text(b[at+2 : at+18]), id: le.Uint16(b[at+18:]), data: b[body : body+size], extended: extended}
		at = body + size
		if v.user != "LASF_Spec" || v.id != 4 {
			f.variable = append(f.variable, v)
			continue
		}
		for d := v.data; len(d) >= 192; d = d[192:] {
			e := rawExtra{name: text(d[4:36]), kind: int(d[2]) - 1, scale: 1}
			if d[3]&8 != 0 {
				e.scale = math.Float64frombits(le.Uint64(d[112:]))
			}
			if d[3]&16 != 0 {
				e.offset = math.Float64frombits(le.Uint64(d[136:]))
			}
			f.extras = append(f.extras, e)
		}
	}
}

func text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}
