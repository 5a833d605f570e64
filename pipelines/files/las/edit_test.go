// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"superpoint/testdata/must"
)

// cloudOf writes a file of a point format with records that have numbers as X and as the extra dimension of a name.
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
	if first != uint64(len(numbers)) || second != 0 {
		t.Errorf("%d first and %d second returns", first, second)
	}
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

// TestCopy: a copy has the points that are kept, with the extra dimensions, the reference and the header of the file.
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
		if err != nil || count != 1 || l.Format() != format || l.Scale[0] != 0.01 || l.WKT() != "a reference" ||
			len(l.Extra) != 1 || !bytes.Equal(l.Extra[0].text, a.Extra[0].text) ||
			le.Uint16(l.Head[atDay:]) != 200 || le.Uint16(l.Head[atYear:]) != 2022 {
			t.Fatalf("%v, %d points, %+v", err, count, l)
		}
		must.OK(t, l.Each(func(_ int, r []byte) error {
			at, _, _ := l.field("Classification")
			if x, _ := l.Position(XYZ(r)); math.Abs(x-100.02) > 1e-9 || r[at] != 2 || le.Uint32(r[l.Extra[0].At:]) != 2 {
				t.Errorf("at %v: %v", x, r)
			}
			return nil
		}))
	}
	for f, bit := range map[*File]byte{a: 0, b: 16} { // formats from 6 on say that their reference is WKT, even without
		_, _, err := Edit{Force: true}.Copy(path, f, f, nil)
		if l := must.Get(Read(path))(t); err != nil || l.WKT() != "" || l.Head[atEncoding]&16 != bit {
			t.Errorf("%v, encoding %b, reference %q", err, l.Head[atEncoding], l.WKT())
		}
	}
	c := cloudOf(t, 6, 0.001, describe("a", 5, 0.5, 0), 9, 8)
	l := must.Get(Edit{Add: []Column{{"b", "uint8"}}}.Outline(b, c))(t) // the header of one with the points of the other
	if least, most := l.Bounds(); l.Count != 2 || le.Uint64(l.Head[atReturns:]) != 2 || l.WKT() != "a reference" ||
		math.Abs(least[0]-100.008) > 1e-9 || math.Abs(most[0]-100.009) > 1e-9 || l.Length != c.Length+1 {
		t.Errorf("%d points from %v to %v of %d bytes, %q", l.Count, least, most, l.Length, l.WKT())
	}
}

// TestScanAnglesAreNearest: an angle in degrees becomes the nearest multiple of 0.006°.
func TestScanAnglesAreNearest(t *testing.T) {
	for degrees := -128; degrees < 128; degrees++ {
		from, to := make([]byte, recordLength(1)), make([]byte, recordLength(6))
		from[16] = byte(int8(degrees))
		upgrade(to, from, 1)
		if off := 0.006*float64(int16(le.Uint16(to[18:]))) - float64(degrees); math.Abs(off) > 0.00301 {
			t.Errorf("%d° is off by %v", degrees, off)
		}
	}
}

// TestOutlineCounts: a header for the points of another file has its returns, and its reference, of any point
// format, is said to be WKT.
func TestOutlineCounts(t *testing.T) {
	for _, format := range []byte{3, 6} {
		l := cloudOf(t, format, 0.001, describe("a", 5, 0.5, 0), 9, 8)
		made := cloudOf(t, 6, 0.001, describe("a", 5, 0.5, 0), 7, 8, 9)
		out := must.Get(Edit{WKT: "another", Force: true}.Outline(l, made))(t)
		n, wkt, coding := le.Uint64(out.Head[atReturns:]), out.WKT(), out.Head[atEncoding]
		if n != 3 || out.Count != 3 || wkt != "another" || coding&16 == 0 {
			t.Errorf("%d first returns of %d points, %q, encoding %b", n, out.Count, wkt, coding)
		}
	}
}

// TestIntegersKeepTheirBits: values that were rounded to double precision do not change an integer that rounds to them.
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
			if got := le.Uint64(record[made.Find("a").At:]); got != c.want {
				t.Errorf("%s: %d with %d is %d, not %d", c.to, c.old, c.row, got, c.want)
			}
			return nil
		})))
	}
}
