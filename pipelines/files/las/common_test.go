// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"math"
	"path/filepath"
	"testing"
	"time"

	"superpoint/testdata/must"
)

// cloudOf writes a file of a point format with records that have numbers as X and as the extra dimension of a name.
func cloudOf(t *testing.T, format byte, scale float64, system string, x Extra, numbers ...uint32) *File {
	t.Helper()
	l := blank()
	l.Head[atFormat] = format
	l.Length = recordLength(format)
	copy(l.Head[atSystem:], system)
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

// TestCopyOfSeveralFiles: a copy has all points and extra dimensions of files of other formats and scales, and what
// their headers have in common; what one file cannot hold is an error.
func TestCopyOfSeveralFiles(t *testing.T) {
	t.Parallel()
	a := cloudOf(t, 3, 0.01, "one", describe("a", 5, 0.5, 9), 1, 2)
	b := cloudOf(t, 6, 0.001, "one", describe("a", 5, 0.5, 7), 3)
	c := cloudOf(t, 6, 0.01, "two", describe("c", 5, 0, 0), 4)
	path := filepath.Join(t.TempDir(), "all.las")
	for f, date := range map[*File][2]uint16{a: {200, 2022}, b: {5, 2024}, c: {300, 2023}} {
		le.PutUint16(f.Head[atDay:], date[0])
		le.PutUint16(f.Head[atYear:], date[1])
	}
	_, count, err := Edit{}.Copy(path, nil, Part{File: a}, Part{File: b}, Part{File: c, Records: c,
		Keep: func(i int, _ []byte) (bool, error) { return i == 0, nil }})
	l := must.Get(Read(path))(t)
	if err != nil || count != 4 || l.Format() != 7 || l.Scale[0] != 0.001 || l.WKT() != "a reference" ||
		string(l.Head[atSystem:atSystem+5]) != "MERGE" || len(l.Extra) != 2 || l.Extra[0].text[3] != 8 ||
		l.Created().Format(time.DateOnly) != "2024-01-05" {
		t.Fatalf("%v, %d points, %+v", err, count, l)
	}
	must.OK(t, l.Each(func(i int, r []byte) error {
		x, _ := l.Position(XYZ(r))
		want := [4]float64{100.01, 100.02, 100.003, 100.04}[i]
		if n := uint32(i + 1); math.Abs(x-want) > 1e-9 || r[16] != byte(n) || le.Uint32(r[l.Extra[i/3].At:]) != n ||
			le.Uint32(r[l.Extra[1-i/3].At:]) != 0 {
			t.Errorf("point %d at %v: %v", i, x, r)
		}
		return nil
	}))
	for _, x := range []Extra{describe("a", 3, 0.5, 0), describe("a", 5, 0.25, 0)} {
		must.Fail(Edit{}.Check(a, cloudOf(t, 6, 0.01, "", x)))(t, "another type or scale")
	}
	for f, bit := range map[*File]byte{a: 0, b: 16} { // formats from 6 on say that their reference is WKT, even without
		_, _, err = Edit{Force: true}.Copy(path, nil, Part{File: f})
		if l := must.Get(Read(path))(t); err != nil || l.WKT() != "" || l.Head[atEncoding]&16 != bit {
			t.Errorf("%v, encoding %b, reference %q", err, l.Head[atEncoding], l.WKT())
		}
	}
	path += "2" // a header for the points of both, in other order
	must.OK(t, Edit{}.Outline(path, cloudOf(t, 6, 0.001, "", describe("a", 5, 0, 0), 9, 8), b))
	l = must.Get(Read(path))(t)
	if least, most := l.Bounds(); l.Count != 3 || math.Abs(least[0]-100.003) > 1e-9 || math.Abs(most[0]-100.009) > 1e-9 {
		t.Errorf("%d points from %v to %v", l.Count, least, most)
	}
	far := cloudOf(t, 6, 1000, "", describe("a", 5, 0.5, 0), 5_000_000)
	_, _, err = Edit{}.Copy(path, nil, Part{File: b}, Part{File: far})
	must.Fail(err)(t, "does not fit scale")
}
