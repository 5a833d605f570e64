// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// Every command that writes points keeps all of its source: the header field by field, variable length
// records, and of points every byte, whatever the point format, the lattice of coordinates and the extra
// dimensions.

// sourceFile writes a random file of a format with a reference, and with extra dimensions that are scaled,
// arrays, without a type, or of names that PDAL 2.2 refuses.
func sourceFile(t *testing.T, path string, format int) *las.File {
	t.Helper()
	describe := func(name, text string, kind, options byte, scale, shift, none float64) las.Extra {
		d := make([]byte, 192)
		d[2], d[3] = kind, options
		copy(d[4:36], name)
		copy(d[160:], text)
		le.PutUint64(d[40:], math.Float64bits(none))
		le.PutUint64(d[112:], math.Float64bits(scale))
		le.PutUint64(d[136:], math.Float64bits(shift))
		return must.Get(las.ExtraOf(d))(t)
	}
	f := randomFile(rand.New(rand.NewPCG(2, uint64(format))), format, -1, true,
		describe("Amplitude", "Echo amplitude [dB]", 3, 8|16, .01, -5, 0), describe("normal", "unit vector",
			22, 0, 0, 0, 0),
		describe("opaque", "", 0, 5, 0, 0, 0), describe("range", "with a value for none", 10, 1, 0, 0, -9999),
		describe("Pulse width", "[ns]", 3, 8, .1, 0, 0), describe("Original cloud index", "", 1, 0, 0, 0, 0),
		describe("Pulse_width", "", 3, 0, 0, 0, 0), describe("2D", "", 9, 0, 0, 0, 0),
		describe("Höhe (m)", "", 6, 0, 0, 0,
			0))
	reference := las.Variable{User: "LASF_Projection", ID: 2112, Data: []byte(wkt1 + "\x00")}
	if f.Minor == 4 {
		f.Header[6] |= 16
	} else {
		reference.ID, reference.Data = 34735, nil
		for _, v := range []uint16{1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 32632, 3076, 0, 1, 9001} {
			reference.Data = le.AppendUint16(reference.Data, v)
		}
	}
	f.Variable = append(f.Variable, reference)
	// classes, returns and angles that PDAL 2.2 can pack, of points that are not withheld
	for i, r := range f.Records {
		if class := byte(2 + 4*(i%2)); format < 6 {
			r[15] = r[15]&0x60 | class
		} else {
			r[14], r[15], r[16] = byte(1+i%2|2<<4), r[15]&^4, class
			le.PutUint16(r[18:], uint16(r[18]))
		}
	}
	must.OK(t, f.Write(path))
	return must.Get(las.Read(path))(t)
}

// readAny reads LAS, and LAZ by PDAL, which is shown the extra bytes as integers without a description;
// header and records behind the points come from the LAZ.
func readAny(t *testing.T, path string) *las.File {
	t.Helper()
	if filepath.Ext(path) == ".las" {
		return must.Get(las.Read(path))(t)
	}
	b := must.Get(os.ReadFile(path))(t)
	format, length := int(b[104]&0x3f), int(le.Uint16(b[105:]))
	extra := ""
	for k := range length - las.BaseLength(format) {
		extra += fmt.Sprintf("byte%d=uint8,", k)
	}
	raw := filepath.Join(t.TempDir(), "raw.las")
	pipeline(t, nil, stage{"type": "readers.las", "filename": path, "ignore_vlr": "LASF_Spec/4",
		"extra_dims": extra},
		stage{"type": "writers.las", "filename": raw, "forward": "scale,offset", "minor_version": 4,
			"dataformat_id": format, "extra_dims": extra}).ok(t)
	points := must.Get(os.ReadFile(raw))(t)
	count, tail := int(le.Uint64(b[247:])), le.Uint64(b[235:])
	must.Need(t, le.Uint64(points[247:]) == uint64(count),
		"%s has %d points, of which %d are read", path, count, le.Uint64(points[247:]))
	start := le.Uint32(points[96:])
	whole := slices.Concat(b[:le.Uint32(b[96:])], points[start:int(start)+count*length])
	if le.Uint32(b[243:]) > 0 {
		le.PutUint64(whole[235:], uint64(len(whole)))
		whole = append(whole, b[tail:]...)
	}
	whole[104] &= 0x3f
	must.OK(t, os.WriteFile(raw, whole, 0o666))
	f := must.Get(las.Read(raw))(t)
	f.Variable = slices.DeleteFunc(f.Variable,
		func(v las.Variable) bool { return v.User == "laszip encoded" })
	return f
}

// samePoints compares the points of two files, in any order, and the extra dimensions.
func samePoints(t *testing.T, what string, from *las.File, path string) {
	t.Helper()
	points := func(f *las.File) (all []string) {
		for _, r := range f.Records {
			text := string(r[:20])
			for k := range from.Extras {
				if x := f.Extra(from.Extras[k].Name); x == nil {
					text += " without"
				} else {
					text += string(x.Bits(r))
				}
			}
			all = append(all, text)
		}
		slices.Sort(all)
		return all
	}
	f := readAny(t, path)
	checkComputed(t, path, f)
	for _, a := range from.Extras {
		b := f.Extra(a.Name)
		must.Need(t, b != nil, "%s: b is nil", path)
		must.Need(t, bytes.Equal(a.Text, b.Text), "%s: a.Text is not b.Text", path)
	}
	got, want := points(f), points(from)
	must.Hold(t, slices.Equal(got, want), "%s: %d points became %d, or some changed", what,
		len(want), len(got))
}

// frameFaults compares the lattice and number of points, variable length records, and fields of the header.
func frameFaults(from, to *las.File, header bool) (faults []string) {
	fault := func(format string, values ...any) { faults = append(faults, fmt.Sprintf(format, values...)) }
	if from.Format != to.Format || from.Scale != to.Scale || from.Offset != to.Offset ||
		len(from.Records) != len(to.Records) {
		fault("format %d, scale %v, offset %v, %d points became %d, %v, %v, %d", from.Format, from.Scale,
			from.Offset, len(from.Records), to.Format, to.Scale, to.Offset, len(to.Records))
	}
	for _, v := range from.Variable {
		isKeys := v.ID == 34735 // GeoTIFF, which becomes WKT
		if !slices.ContainsFunc(to.Variable, func(w las.Variable) bool {
			return v.User == w.User && v.ID == w.ID && bytes.Equal(v.Data, w.Data) &&
				v.Extended == w.Extended ||
				isKeys && w.User == v.User && w.ID == 2112
		}) {
			fault("record %s %d is lost", v.User, v.ID)
		}
	}
	if !header {
		return faults
	}
	for name, at := range map[string][2]int{"source": {4, 6}, "guid": {8, 24}, "system": {26, 58},
		"software": {58, 90},
		"date":     {90, 94}} {
		if a, b := from.Header[at[0]:at[1]], to.Header[at[0]:at[1]]; !bytes.Equal(a, b) {
			fault("header field %s: %q became %q", name, a, b)
		}
	}
	wkt := from.Format >= 6 || slices.ContainsFunc(from.Variable, func(v las.Variable) bool {
		return v.User == "LASF_Projection"
	})
	if a, b := from.Header[6]&^16, to.Header[6]&^16; a != b || to.Header[6]&16 == 0 && wkt {
		fault("encoding %b became %b", from.Header[6], to.Header[6])
	}
	return faults
}

// sameCloud compares a result with its source. Dimensions that the command writes are left out.
func sameCloud(t *testing.T, what string, from, to *las.File, writes ...string) {
	t.Helper()
	faults := frameFaults(from, to, true)
	must.Need(t, len(faults) == 0, "%s: %s", what, strings.Join(faults, "\n"))
	checkComputed(t, what, to)
	for k := range from.Extras {
		a := &from.Extras[k]
		b := to.Extra(a.Name)
		if slices.Contains(writes, a.Name) {
			continue
		}
		if b == nil || !bytes.Equal(a.Text, b.Text) {
			t.Errorf("%s: the description of %s is lost", what, a.Name)
			continue
		}
		for i := range from.Records {
			must.Need(t, bytes.Equal(a.Bits(from.Records[i]), b.Bits(to.Records[i])),
				"%s: %s of point %d changed", what, a.Name, i)
		}
	}
	for i := range from.Records {
		fault := fieldFault(from, to, i, writes...)
		must.Need(t, fault == "", "%s: %s", what, fault)
	}
}

// fieldFault compares the fields that all points have, bit by bit, but those that a command writes.
func fieldFault(from, to *las.File, i int, writes ...string) string {
	n := las.BaseLength(from.Format)
	a, b := slices.Clone(from.Records[i][:n]), to.Records[i][:n]
	switch class := slices.Contains(writes, "Classification"); {
	case class && from.Format >= 6:
		a[16] = b[16]
	case class:
		a[15] = a[15]&^31 | b[15]&31
	}
	if slices.Contains(writes, "UserData") {
		a[17] = b[17]
	}
	if bytes.Equal(a, b) {
		return ""
	}
	return fmt.Sprintf("point %d was %x and is %x", i, a, b)
}

// checkComputed compares bounds, counts and return counts of a header with the points.
func checkComputed(t *testing.T, what string, f *las.File) {
	t.Helper()
	for k := range 3 {
		low, high := math.Inf(1), math.Inf(-1)
		for _, r := range f.Records {
			v := float64(int32(le.Uint32(r[4*k:])))*f.Scale[k] + f.Offset[k]
			low, high = min(low, v), max(high, v)
		}
		most := math.Float64frombits(le.Uint64(f.Header[179+16*k:]))
		least := math.Float64frombits(le.Uint64(f.Header[187+16*k:]))
		must.Hold(t, math.Abs(most-high) <= f.Scale[k]/100,
			"%s: most is %v, want %v within %v", what, most, high, f.Scale[k]/100)
		must.Hold(t, math.Abs(least-low) <= f.Scale[k]/100,
			"%s: least is %v, want %v within %v", what, least, low, f.Scale[k]/100)
	}
	legacy := f.Format < 6
	n := le.Uint32(f.Header[107:])
	if legacy {
		must.Equal(t, int(n), len(f.Records), "%s: legacy count", what)
	} else {
		must.Equal(t, n, 0, "%s: legacy count", what)
	}
	for n, want := range f.Returns() {
		must.Equal(t, le.Uint64(f.Header[255+8*n:]), want, "%s: points of return %d", what, n+1)
		if n < 5 && legacy {
			must.Equal(t, uint64(le.Uint32(f.Header[111+4*n:])), want,
				"%s: le.Uint32(f.Header[111+4*n:])", what)
		}
	}
}

// TestOneWriter runs all commands that write points on all formats that PDAL reads.
func TestOneWriter(t *testing.T) {
	t.Parallel()
	for _, format := range []int{0, 1, 2, 3, 6, 7, 8} {
		t.Run(fmt.Sprint(format), func(t *testing.T) {
			t.Parallel()
			at := place(t)
			in := sourceFile(t, at("in.las"), format)
			do(t, "segment", "--model", "geometric", at("in.las"), at("plain.las"))
			do(t, "segment", "--model", "geometric", at("in.las"), at("packed.laz"))
			written := func(name string) stage {
				return stage{"type": "writers.las", "filename": at(name), "forward": "all",
					"minor_version": 4,
					"dataformat_id": format}
			}
			pipeline(t, nil, stage{"type": "readers.las", "filename": at("in.las"),
				"ignore_vlr": "LASF_Spec/4"},
				written("bare.las"), written("bare.laz")).ok(t)
			do(t, "segment", "--classes", "aerial", at("bare.laz"), at("of bare.las"))
			do(t, "segment", "--classes", "aerial", at("packed.laz"), at("classes.laz"))
			do(t, "classify", "--labels", labelsFile(t, at("labels.csv")), at("classes.laz"),
				at("classified.las"))
			surveyed(t, at("survey"), "--model", "geometric", at("in.las"))
			if format == 8 { // a survey of COPC, written as LAZ where PDAL has no COPC
				if hasDriver(t, "writers.copc") {
					do(t, "segment", "--classes", "aerial", at("in.las"), at("c.copc.laz"))
				} else {
					must.OK(t, os.Link(at("classes.laz"), at("c.copc.laz")))
				}
				copc := readAny(t, at("c.copc.laz"))
				surveyed(t, at("of copc"), "--model", "geometric", "--dimension", "Other",
					"--embedding", "false",
					at("c.copc.laz"))
				samePoints(t, "survey of COPC", copc, resultsOf(t, at("of copc"))[0])
			}
			if format == 7 { // it runs segment
				do(t, "map", at("in.las"), at("map"))
				sameCloud(t, "map", in, readAny(t, at("map/points/in.las")), "Classification")
			}
			const class = "Classification"
			plain, packed := readAny(t, at("plain.las")), readAny(t, at("packed.laz"))
			sameCloud(t, "segment", in, plain)
			sameCloud(t, "segment of LAZ without extra bytes", readAny(t, at("bare.las")),
				readAny(t, at("of bare.las")),
				class)
			// Where PDAL writes the result itself, it has the records that the program writes.
			do(t, "segment", "--model", "geometric", at("bare.las"), at("joined.las"))
			sameCloud(t, "segment, LAZ", in, packed)
			bare, joined := readAny(t, at("bare.las")), readAny(t, at("joined.las"))
			for out, in := range map[string]string{"las.laz": "bare.las", "laz.laz": "bare.laz",
				"laz.las": "bare.laz"} {
				do(t, "segment", "--model", "geometric", at(in), at(out))
				direct := readAny(t, at(out))
				sameCloud(t, out, bare, direct)
				must.Hold(t, slices.EqualFunc(joined.Records, direct.Records, bytes.Equal),
					"%s has other records", out)
			}
			must.Hold(t, slices.EqualFunc(plain.Records, packed.Records, bytes.Equal),
				"packed.laz has other records")
			classes := readAny(t, at("classes.laz"))
			sameCloud(t, "segment --classes", in, classes, class)
			sameCloud(t, "classify", in, readAny(t, at("classified.las")), class)
			sameCloud(t, "survey", in, readAny(t, at("survey/out/in.las")))
		})
	}
}
