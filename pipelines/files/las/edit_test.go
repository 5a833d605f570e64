// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

// cloudOf writes a file of a point format with records that have numbers as X and as the extra dimension of a
// name.
func cloudOf(t *testing.T, format byte, scale float64, x Extra, numbers ...uint32) *File {
	t.Helper()
	l := blank()
	l.Head[atFormat] = format
	l.Length = recordLength(format)
	l.putLattice(Lattice{Scale: [3]float64{scale, scale, scale}, Offset: [3]float64{100}})
	l.append(x)
	h := l.head(Edit{WKT: "a reference"}, format, l.Length, x.text)
	w := must.Get(NewWriter(filepath.Join(t.TempDir(), "a.las"), h))(t)
	for _, n := range numbers {
		r := make([]byte, l.Length)
		le.PutUint32(r, n)
		if r[14] = 1 | 1<<3; format >= legacyFormats {
			r[14], r[16] = 1|1<<4, byte(n)
		} else {
			r[15] = byte(n)
		}
		le.PutUint32(r[l.Extra[0].At:], n)
		must.OK(t, w.Append(r))
	}
	must.OK(t, w.Close())
	made := must.Get(Read(w.path))(t)
	first, second := le.Uint64(made.Head[atReturns:]), le.Uint64(made.Head[atReturns+8:])
	must.Equal(t, first, uint64(len(numbers)), "first")
	must.Equal(t, second, 0, "second returns")
	return made
}

func describe(name string, kind byte, scale, most float64) Extra {
	x := Extra{Name: name, Size: extraSize(kind, 0), text: make([]byte, extraBytes)}
	x.text[2] = kind
	copy(x.text[4:], name)
	if scale > 0 {
		x.text[3] |= 8
		le.PutUint64(x.text[112:], math.Float64bits(scale))
	}
	if most > 0 {
		x.text[3] |= 2 | 4
		le.PutUint64(x.text[64:], math.Float64bits(-most))
		le.PutUint64(x.text[88:], math.Float64bits(most))
	}
	return x
}

// TestCopy: a copy has the points that are kept, with the extra dimensions, the reference and the header of
// the file.
func TestCopy(t *testing.T) {
	t.Parallel()
	a := cloudOf(t, 3, 0.01, describe("a", 5, 0.5, 9), 1, 2)
	b := cloudOf(t, 6, 0.001, describe("a", 5, 0.5, 7), 3)
	path := filepath.Join(t.TempDir(), "all.las")
	const atDay, atYear = 90, 92
	le.PutUint16(a.Head[atDay:], 200)
	le.PutUint16(a.Head[atYear:], 2022)
	for modern, format := range map[bool]int{false: 3, true: 7} {
		_, count, err := Edit{Modern: modern}.Copy(path, a, a, func(record []byte) ([]byte, bool, error) {
			return nil, XYZ(record)[0] == 2, nil
		})
		l := must.Get(Read(path))(t)
		must.OK(t, err)
		must.Need(t, count == 1, "points: got %v, want 1", count)
		must.Need(t, l.Format() == format, "l.Format() is %v, want %v", l.Format(), format)
		must.Need(t, l.Scale[0] == 0.01, "l.Scale[0] is %v, want 0.01", l.Scale[0])
		must.Need(t, l.WKT() == "a reference", "l.WKT() is %q, want %q", l.WKT(), "a reference")
		must.Need(t, len(l.Extra) == 1, "len(l.Extra) is %v, want 1", len(l.Extra))
		must.Need(t, bytes.Equal(l.Extra[0].text, a.Extra[0].text),
			"l.Extra[0].text is not a.Extra[0].text")
		must.Need(t, le.Uint16(l.Head[atDay:]) == 200, "le.Uint16(l.Head[atDay:]): want 200")
		must.Need(t, le.Uint16(l.Head[atYear:]) == 2022, "le.Uint16(l.Head[atYear:]): want 2022")
		must.OK(t, l.Each(func(_ int, r []byte) error {
			at, _, _ := l.field("Classification")
			x, _ := l.Position(XYZ(r))
			must.Hold(t, math.Abs(x-100.02) <= 1e-9, "at %v: x is %v, want 100.02 within 1e-9", x, x)
			must.Equal(t, r[at], 2, "at %v: r[at]", x)
			must.Equal(t, le.Uint32(r[l.Extra[0].At:]), 2, "at %v: le.Uint32(r[l.Extra[0].At:])", x)
			return nil
		}))
	}
	// formats from 6 on say that their reference is WKT, even without
	for f, bit := range map[*File]byte{a: 0, b: 16} {
		_, _, err := Edit{Force: true}.Copy(path, f, f,
			func([]byte) ([]byte, bool, error) { return nil, true, nil })
		l := must.Get(Read(path))(t)
		must.OK(t, err)
		must.Equal(t, l.WKT(), "", "reference")
		must.Equal(t, l.Head[atEncoding]&16, bit, "l.Head[atEncoding]&16")
	}
}

// TestScanAnglesAreNearest: an angle in degrees becomes the nearest multiple of 0.006°.
func TestScanAnglesAreNearest(t *testing.T) {
	for degrees := -128; degrees < 128; degrees++ {
		from, to := make([]byte, recordLength(1)), make([]byte, recordLength(6))
		from[16] = byte(int8(degrees))
		upgrade(to, from, 1)
		off := 0.006*float64(int16(le.Uint16(to[18:]))) - float64(degrees)
		must.Hold(t, math.Abs(off) <= 0.00301, "%d° is off by %v", degrees, off)
	}
}

// TestOutline: a header for the points of another file has its returns and bounds, and its reference, of any
// point format, is said to be WKT.
func TestOutline(t *testing.T) {
	add := []Column{{"b", "uint8"}}
	for _, force := range []bool{false, true} {
		for _, format := range []byte{3, 6} {
			l := cloudOf(t, format, 0.001, describe("a", 5, 0.5, 0), 9, 8)
			made := cloudOf(t, 6, 0.001, describe("a", 5, 0.5, 0), 7, 8, 9)
			out := must.Get(Edit{Add: add, WKT: "another", Force: force}.Outline(l, made))(t)
			n, wkt, coding := le.Uint64(out.Head[atReturns:]), out.WKT(), out.Head[atEncoding]
			least, most := out.Bounds()
			must.Equal(t, n, 3, "first returns")
			must.Need(t, out.Count == 3, "out.Count is %v, want 3", out.Count)
			must.Hold(t, coding&16 != 0, "coding&16 is 0")
			must.Equal(t, wkt == "another", force, `wkt == "another"`)
			must.Hold(t, (wkt == "a reference") != force,
				`wkt == "a reference" equals force: %v`, (wkt == "a reference"))
			must.Hold(t, math.Abs(least[0]-100.007) <= 1e-9,
				"least[0] is %v, want 100.007 within 1e-9", least[0])
			must.Hold(t, math.Abs(most[0]-100.009) <= 1e-9,
				"most[0] is %v, want 100.009 within 1e-9", most[0])
			must.Equal(t, out.Length, l.Length+1, "out.Length")
		}
	}
}

// TestIntegersKeepTheirBits: values that were rounded to double precision do not change an integer that
// rounds to them.
func TestIntegersKeepTheirBits(t *testing.T) {
	t.Parallel()
	const unsigned, signed, odd, lowest = 7, 8, 1<<53 + 1, 1 << 63
	for _, c := range []struct {
		of             Extra
		to             string
		old, row, want uint64
	}{
		{describe("a", signed, 0, 0), "int64", odd, odd - 1, odd},
		{describe("a", signed, 0, 9), "int64", odd, 2, 2},
		{describe("a", signed, 0, 0), "int64", lowest + 1, lowest, lowest + 1},
		{describe("a", signed, 0, 0), "int64", math.MaxInt64 - 1, math.MaxInt64, math.MaxInt64 - 1},
		{describe("a", signed, 0.5, 0), "int64", odd, odd - 1, odd - 1},
		{describe("a", unsigned, 0, 0), "uint64", math.MaxUint64 - 1, math.MaxUint64, math.MaxUint64 - 1},
		{describe("a", unsigned, 0, 0), "uint64", lowest + 1, lowest, lowest + 1},
		{describe("a", unsigned, 0, 0), "int64", odd, odd - 1, odd}, // another source has the other type
		{describe("a", unsigned, 0, 0), "int64", lowest + 1, math.MaxInt64, math.MaxInt64},
	} {
		l, path := cloudOf(t, 6, 1, c.of, 1), filepath.Join(t.TempDir(), "copy.las")
		e := Edit{Add: []Column{{"a", c.to}}}
		e.Values = must.Get(Rows(e.Add))(t)
		_, _, err := e.Copy(path, l, l, func(record []byte) ([]byte, bool, error) {
			row := make([]byte, e.Values.Length)
			le.PutUint64(record[l.Find("a").At:], c.old)
			le.PutUint64(row[e.Values.Find("a").At:], c.row)
			return row, true, nil
		})
		made := must.Get(Read(path))(t)
		must.OK(t, errors.Join(err, made.Each(func(_ int, record []byte) error {
			must.Equal(t, le.Uint64(record[made.Find("a").At:]), c.want, "%s: %d with %d", c.to, c.old, c.row)
			return nil
		})))
	}
}

func TestField(t *testing.T) {
	head := make([]byte, 375)
	old, new := &File{Head: slices.Clone(head)}, &File{Head: slices.Clone(head)}
	old.Head[atFormat], new.Head[atFormat] = 3, 6
	for _, c := range []struct {
		of    *File
		field string
		value float64
		want  []byte // bytes 15 to 17
	}{
		{old, "Classification", 6, []byte{0xe0 | 6, 9, 5}}, // the flags stay
		{new, "Classification", 64, []byte{0xe0 | 7, 64, 5}},
		{old, "UserData", 200, []byte{0xe0 | 7, 9, 200}},
		{new, "UserData", 200, []byte{0xe0 | 7, 9, 200}},
	} {
		record := make([]byte, 30)
		record[15], record[16], record[17] = 0xe0|7, 9, 5
		c.of.Field(c.field)(record, c.value)
		must.Equal(t, record[15:18], c.want, "format %d, %s", c.of.Head[atFormat], c.field)
	}
	must.Hold(t, old.Field("Intensity") == nil, "Intensity is no field for classes")
	// class 12 stays where PDAL has made it the flag of overlap
	for flags, want := range map[byte]byte{8: 12, 7: 0} {
		c := &Edited{record: []byte{0xe0 | 12}}
		c.set(bits{1, 0, 31, true}, []byte{flags, 0})
		must.Hold(t, c.record[0] == 0xe0|want, "flags %d: class %d, not %d", flags, c.record[0]&31, want)
	}
}

// TestLatticeFor checks the scale for clouds of several sizes and units, and that positions stay distinct.
func TestLatticeFor(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	cloud := func(n int, size, decimals float64, at [3]float64) (p [][3]float64) {
		for range n {
			q := at
			for k := range q {
				q[k] += size * random.Float64()
				if decimals > 0 {
					q[k] = math.Round(q[k]*decimals) / decimals
				}
			}
			p = append(p, q)
		}
		return p
	}
	utm := [3]float64{500000, 5400000, 100}
	for name, c := range map[string]struct {
		points  [][3]float64
		metres  float64
		degrees bool
		scale   float64 // of X
	}{
		"metres":           {cloud(2000, 60, 0, utm), 1, false, 1e-6},
		"millimetres":      {cloud(2000, 60, 1e3, utm), 1, false, 1e-3},
		"four decimals":    {cloud(2000, 60, 1e4, utm), 1, false, 1e-4},
		"eight decimals":   {cloud(2000, 1, 1e8, [3]float64{}), 1, false, 1e-8},
		"feet":             {cloud(2000, 60, 0, utm), 0.3048, false, 1e-6},
		"kilometres":       {cloud(2000, .06, 0, [3]float64{}), 1000, false, 1e-9},
		"ten centimetres":  {cloud(30000, .1, 0, [3]float64{}), 1, false, 1e-6},
		"degrees":          {cloud(2000, .001, 0, [3]float64{9, 48, 100}), 1, true, 1e-9},
		"degrees, country": {cloud(2000, 10, 0, [3]float64{9, 48, 100}), 1, true, 1e-8},
		"degrees, world": {append(cloud(9, 1, 0, [3]float64{-179, -89, 0}), [3]float64{180, 90, 0}),
			1, true, 1e-7},
		"too large": {append(cloud(9, 1, 0, [3]float64{}), [3]float64{1e8, 1, 1}), 1, false, .1},
		"one point": {cloud(1, 1, 1e2, utm), 1, false, 1e-3},
		"one place": {append(cloud(1, 1, 1e2, utm), utm, utm, utm), 1, false, 1e-3},
		"none":      {nil, 1, false, 1e-3},
	} {
		l := must.Get(LatticeFor(c.points, c.metres, c.degrees))(t)
		must.Hold(t, math.Abs(l.Scale[0]/c.scale-1) <= 1e-9, "%s: scale %v", name, l.Scale)
		places, steps := map[[3]float64]bool{}, map[[3]uint64]bool{}
		for _, p := range c.points {
			places[p], steps[[3]uint64{l.step(p[0], 0), l.step(p[1], 1), l.step(p[2], 2)}] = true, true
		}
		must.Hold(t, len(places) == len(steps), "%s: %d places became %d", name, len(places), len(steps))
		for k := range 3 {
			must.Hold(t, l.Offset[k] == math.Trunc(l.Offset[k]), "%s: offset %v", name, l.Offset)
			for _, p := range c.points {
				n := int64(l.step(p[k], k))
				must.Hold(t, n == int64(int32(n)), "%s: %v is step %d", name, p, n)
			}
		}
	}
	must.Fail(LatticeFor([][3]float64{{0, math.NaN(), 0}}, 1, false))(t, "point 0", "Y[")
}

// TestUpgradeOfRecords: format 3 becomes 7 field by field (LAS 1.4 R15, tables 7 to 17).
func TestUpgradeOfRecords(t *testing.T) {
	from, to := make([]byte, 34), make([]byte, 36)
	for i := range from {
		from[i] = byte(101 + i)
	}
	// edge, direction, 3 returns, the second; flags; −3°
	from[14], from[15], from[16] = 0b11_011_010, 0b101_01100, 0xfd
	upgrade(to, from, 3)
	// −500 × 0.006°
	want := append(slices.Clone(from[:14]), 0b0011_0010, 0b11_00_0101, 12, from[17], 0x0c, 0xfe)
	want = append(append(append(want, from[18:20]...), from[20:28]...), from[28:34]...)
	must.Hold(t, bytes.Equal(to, want), "% x, want % x", to, want)
}

// TestRestoreOfCOPC: a COPC file of two pages gets a longer header and another extended record. Its table of
// chunks, its nodes, which have points, none, or are pages, and its root are found at their new places.
func TestRestoreOfCOPC(t *testing.T) {
	folder := t.TempDir()
	write := func(name, reference string, info, data []byte, user string, extended []byte) *File {
		head := blank().head(Edit{WKT: reference}, legacyFormats, 30, nil)
		records := head[header14:]
		head = append(bytes.Clone(head[:header14]), variable(copcUser, copcInfo, "", info)...)
		head = append(head, records...)
		le.PutUint32(head[atVLRs:], le.Uint32(head[atVLRs:])+1)
		le.PutUint32(head[atData:], uint32(len(head)))
		head[atFormat] |= packed
		le.PutUint64(head[atEVLRStart:], uint64(len(head)+len(data)))
		le.PutUint32(head[atEVLRs:], 2)
		le.PutUint64(head[atCount:], 10+20)
		record := make([]byte, evlrHead)
		copy(record[2:18], user)
		le.PutUint16(record[18:], copcPages)
		le.PutUint64(record[20:], uint64(len(extended)))
		path := filepath.Join(folder, name)
		more := make([]byte, evlrHead) // a record without a body
		copy(more[2:18], "more")
		must.OK(t, os.WriteFile(path, slices.Concat(head, data, record, extended, more), 0o644))
		return must.Get(Read(path))(t)
	}
	const points, root, page = 50, 100 + evlrHead, 100 + evlrHead + 3*32 // from the start of the data
	data := append(make([]byte, points), bytes.Repeat([]byte("p"), 100-points)...)
	start := uint64(header14 + vlrHead + 160)
	le.PutUint64(data, start+points) // the table of chunks
	le.PutUint32(data[points+4:], 1)
	info := make([]byte, 160)
	le.PutUint64(info[40:], start+root)
	le.PutUint64(info[48:], 3*32)
	pages := make([]byte, 4*32)
	for k, n := range [4]struct {
		at    uint64
		bytes uint32
		count int32
	}{{start + points, 5, 10}, {start + page, 32, -1}, {0, 0, 0}, {start + points + 5, 5, 20}} {
		pages[32*k] = byte(k + 1) // its key
		le.PutUint64(pages[32*k+16:], n.at)
		le.PutUint32(pages[32*k+24:], n.bytes)
		le.PutUint32(pages[32*k+28:], uint32(n.count))
	}
	source := write("source.laz", "a long reference", nil, nil, "other", []byte("notes"))
	made := write("made.laz", "", info, data, copcUser, pages)
	must.OK(t, source.Restore(made.Path))
	l, all := must.Get(Read(made.Path))(t), must.Get(os.ReadFile(made.Path))(t)
	now := uint64(len(l.Head))
	must.Equal(t, l.WKT(), "a long reference", "l.WKT()")
	must.Need(t, now > start, "bytes before the points: got %v, want more than %v", now, start)
	must.Equal(t, le.Uint64(all[now:]), now+points, "table of chunks")
	must.Equal(t, le.Uint64(all[atEVLRStart:]), now+uint64(len(data)), "le.Uint64(all[atEVLRStart:])")
	node := le.Uint64(all[header14+vlrHead+40:])
	for k, want := range []uint64{now + points, node + 3*32, 0, now + points + 5} {
		entry := all[node+32*uint64(k):]
		at := le.Uint64(entry[16:])
		must.Hold(t, entry[0] == byte(k+1),
			"node %d, of key %d, is at %d, not %d: entry[0] is not k+1", k, entry[0], at, want)
		must.Hold(t, at == want,
			"node %d, of key %d, is at %d, not %d: at is not want", k, entry[0], at, want)
	}
}

// TestTableAtTheEnd: a table of chunks whose place is at the end of the file, −1, stays there; another one
// moves.
func TestTableAtTheEnd(t *testing.T) {
	for from, want := range map[int64]int64{-1: -1, 300: 320} {
		f := must.Get(os.Create(filepath.Join(t.TempDir(), "a.laz")))(t)
		must.Get(f.Write(le.AppendUint64(make([]byte, 10), uint64(from))))(t)
		must.OK(t, moveTable(f, 10, 20))
		place := make([]byte, 8)
		must.Get(f.ReadAt(place, 10))(t)
		must.OK(t, f.Close())
		must.Equal(t, int64(le.Uint64(place)), want, "place of a table at %d", from)
	}
}

// TestTypesOfColumns: a type that extra bytes do not have is an error, and not the first of the types.
func TestTypesOfColumns(t *testing.T) {
	l, path := cloudOf(t, 6, 1, describe("b", 7, 0, 0), 1), filepath.Join(t.TempDir(), "copy.las")
	_, err := Edit{Add: []Column{{"a", "float16"}}}.Start(path, l)
	must.Fail(err)(t, `dimension "a" of type float16: LAS cannot hold it`)
	for _, kind := range types {
		_, err := Edit{Add: []Column{{"a", kind}}}.Start(path, l)
		must.Need(t, err == nil, "type %s: %v", kind, err)
	}
}

// TestReadClosesItsFile: reading the head of a file leaves no descriptor open.
func TestReadClosesItsFile(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("this system does not list descriptors")
		}
		return len(entries)
	}
	path := cloudOf(t, 6, 1, describe("b", 7, 0, 0), 1).Path
	before := open()
	for range 20 {
		must.Get(Read(path))(t)
	}
	must.Hold(t, open() < before+20, "%d descriptors are open, %d before 20 files were read", open(), before)
}
