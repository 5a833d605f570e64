// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"superpoint/pipelines/files/las"
	other "superpoint/testdata/las"
	"superpoint/testdata/must"
)

func TestListener(t *testing.T) {
	var steps, warnings []string
	l := &listener{Process: Process{
		Progress: func(step string, fraction float64) {
			must.Hold(t, fraction == 0.4, "%s at %v", step, fraction)
			steps = append(steps, step)
		},
		Warn: func(text string) { warnings = append(warnings, text) },
	}}
	for _, part := range []string{"PROGRESS embed",
		"ding 40\n(pdal pipeline filters.superpoint Warning) no " +
			"reference\nPDAL: readers",
		".las: no\n(pdal pipeline readers.las Error) Global encoding WKT flag " +
			"not set for point format 6 - 10.\n\nPROGRESS 40"} {
		must.Get(l.Write([]byte(part)))(t)
	}
	must.Equal(t, l.complaint(), "PDAL: readers.las: no\n\nPROGRESS 40", "complaint")
	must.Equal(t, steps, []string{"embedding"}, "steps")
	must.Equal(t, warnings, []string{"no reference"}, "warnings")
}

// What a process logs as an error is one, also if it succeeds, but for a few messages.
func TestErrorsOfSuccess(t *testing.T) {
	for _, c := range [][2]string{
		{"(pdal pipeline readers.x Error) 3 points were lost",
			"pdal pipeline: (pdal pipeline readers.x Error) 3 points"},
		{"(pdal pipeline Error) GDAL failure (1) no such thing", "GDAL failure (1) no such thing"},
		{"ERROR 4: no such file", "ERROR 4: no such file"},
		{"(pdal pipeline writers.las Error) writers.las: done of LASwritePoint failed", "is the disk full?"},
		{"(pdal x Error) Can't convert field 'a' to numeric value on line 3 in 'b'",
			"line 3: 'a' is not a number; correct"},
		{"(pdal pipeline readers.pts Error) Line 3 in 'a.pts' contains 1 fields when 3 were expected.  " +
			"Ignoring.", "Line 3"},
		{"(pdal pipeline readers.text Error) Line 3 in 'a.txt' contains 2 fields when 3 were expected.  " +
			"Ignoring", "Line 3"},

		{"(pdal pipeline readers.text Error) Line 3 in 'A.CSV' contains 1 fields when 3 were expected.  " +
			"Ignoring", ""},
		{"(pdal info readers.las Error) Global encoding WKT flag not set for point format 6 - 10.", ""},
		{"(pdal pipeline Warning) Dimension ClassFlags is deprecated", ""},
		{"(pdal writers.las Error) writers.las: Attempting to write 'a' with multiple point spatial " +
			"references.", ""},
		{"(pdal pipeline Error) Can't load library /x/libpdal_plugin_filter_y.so: no such file", ""},
		{"(pdal info Error) GDAL failure (1) PROJ: proj_as_proj_string: Unsupported conversion method", ""},
		{"(pdal info readers.las Error) GDAL failure (1) compound CRS should have at least 2 components", ""},
		{"(pdal pipeline readers.gdal Error) GDAL failure (1) no such thing", "no such thing"},
		{"ERROR 1: write failed", "ERROR 1: write failed"},
		{"info: ERROR 1: missing ]", ""},
		{"a line that is no error", ""},
		{"(pdal pipeline readers.las Error) Could not create an SRS: bad", "warning"},
		{"(pdal pipeline Error) Geotiff directory contains key 3072 with short entry and more than one " +
			"value.", "warning"},
	} {
		line, want, command := c[0], c[1], "pipeline"
		if of, after, is := strings.Cut(line, "info: "); is && of == "" {
			line, command = after, "info"
		} else if strings.HasPrefix(line, "(pdal info") {
			command = "info"
		}
		t.Setenv("SUPERPOINT_PDAL", program(t, `echo "`+line+`" >&2; echo done`))
		warned := ""
		out, err := Process{Warn: func(text string) { warned = text }}.run(t.Context(), nil, command)
		must.Says(t, err, strings.TrimPrefix(want, "warning"), "%s", line)
		if err == nil {
			must.Equal(t, string(out), "done\n", "%s: out", line)
			must.Equal(t, warned != "", want == "warning", `%s: warned != ""`, line)
		}
	}
}

// A process that crashes, as PDAL 2.10 on damaged LAZ, has a remedy.
func TestCrash(t *testing.T) {
	t.Setenv("SUPERPOINT_PDAL", program(t, "kill -SEGV $$"))
	must.Fail(Process{}.run(t.Context(), nil, "info"))(t, "PDAL crashed (segmentation fault)",
		"copy or download it again")
}

// program returns a program that runs a script of sh instead of pdal.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake")
	must.OK(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o777))
	return path
}

// TestInfoOnce: pdal describes a file once, until it changes; failures are tried again.
func TestInfoOnce(t *testing.T) {
	cloud := filepath.Join(t.TempDir(), "cloud.xyz")
	calls, ready := cloud+".calls", cloud+".ready"
	t.Setenv("SUPERPOINT_PDAL", program(t, "echo call >>"+calls+"; [ -e "+ready+" ] && wc -c <"+cloud))
	for _, c := range []struct{ path, text, want string }{
		{cloud, "1 2 3\n", ""}, {ready, "", ""}, {cloud, "1 2 3\n", "6"}, {cloud, "", "6"},
		{cloud, "1 2 3\n4 5 6\n", "12"}, {cloud, "", "12"},
	} {
		if c.text != "" || c.path == ready {
			must.OK(t, os.WriteFile(c.path, []byte(c.text), 0o666))
		}
		if c.path == ready {
			continue
		}
		text, err := Process{}.info(t.Context(), cloud)
		must.Hold(t, strings.TrimSpace(string(text)) == c.want,
			"%q, %v, want %q: strings.TrimSpace(string(text)) is not c.want", text, err, c.want)
		must.Hold(t, (err == nil) == (c.want != ""),
			`%q, %v, want %q: err == nil is not c.want != ""`, text, err, c.want)
	}
	must.Equal(t, strings.Count(string(must.Get(os.ReadFile(calls))(t)), "call"), 3, "processes")
}

// TestInfoOfAKind: pdal describes once all LAS files of one format, reference and extra dimensions.
func TestInfoOfAKind(t *testing.T) {
	calls, path := filepath.Join(t.TempDir(), "calls"), filepath.Join(t.TempDir(), "a.las")
	t.Setenv("SUPERPOINT_PDAL", program(t, "echo call >>"+calls))
	extra := func(name string, scale float64) []other.Extra {
		return []other.Extra{{Name: name, Kind: other.Uint8, Scale: scale}}
	}
	record := func(user string, id uint16, text string) []other.Variable {
		return []other.Variable{{User: user, ID: id, Data: []byte(text)}}
	}
	for _, c := range []struct {
		file other.File
		kind int
	}{
		{other.File{Minor: 4, Format: 6, Extras: extra("A", 1)}, 1},
		{other.File{Minor: 4, Format: 6, Extras: extra("A", 1), Records: [][]byte{make([]byte, 31)}}, 1},
		{other.File{Minor: 4, Format: 6, Extras: extra("A", 2)}, 2},
		{other.File{Minor: 4, Format: 6, Extras: extra("B", 1)}, 3},
		{other.File{Minor: 4, Format: 7, Extras: extra("A", 1)}, 4},
		{other.File{Minor: 2, Format: 1}, 5},
		{other.File{Minor: 3, Format: 1}, 6},
		{other.File{Minor: 3, Format: 1, Variable: record("tiles", 7, "1")}, 7},
		{other.File{Minor: 3, Format: 1, Variable: record("tiles", 7, "2")}, 7},
		{other.File{Minor: 3, Format: 1, Variable: record("LASF_Projection", 34735, "1")}, 8},
		{other.File{Minor: 3, Format: 1, Variable: record("LASF_Projection", 34735, "2")}, 9},
		{other.File{Minor: 4, Format: 6, Extras: extra("A", 1)}, 9},
	} {
		must.OK(t, c.file.Write(path))
		must.Get(Process{}.info(t.Context(), path))(t)
		starts := strings.Count(string(must.Get(os.ReadFile(calls))(t)), "call")
		must.Hold(t, starts == c.kind, "%d processes after %+v, want %d", starts, c.file, c.kind)
	}
}

// TestInfoOfSwappedFile: what pdal says of a file that has the name of another for a moment is not kept.
func TestInfoOfSwappedFile(t *testing.T) {
	folder := t.TempDir()
	path, calls := filepath.Join(folder, "a.las"), filepath.Join(folder, "calls")
	must.OK(t, (&other.File{Minor: 4, Format: 6}).Write(path))
	must.OK(t, (&other.File{Minor: 4, Format: 7}).Write(filepath.Join(folder, "b.las")))
	t.Setenv("SUPERPOINT_PDAL", program(t, "cd "+folder+"; echo call >>"+calls+`
if [ -e b.las ]; then mv a.las aside; mv b.las a.las; wc -c <a.las; mv aside a.las; else echo right; fi`))
	must.Get(Process{}.info(t.Context(), path))(t)
	for range 2 {
		text := must.Get(Process{}.info(t.Context(), path))(t)
		must.Equal(t, strings.TrimSpace(string(text)), "right", "description after a swap")
	}
	must.Equal(t, strings.Count(string(must.Get(os.ReadFile(calls))(t)), "call"), 2, "processes")
}

// TestOneFunctionRunsPipelines: all commands run pdal by this package, whose stages hold no numbers that PDAL
// rounds.
func TestOneFunctionRunsPipelines(t *testing.T) {
	t.Parallel()
	top, read := filepath.Join("..", "..", ".."), 0
	must.OK(t, filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		within := filepath.ToSlash(must.Get(filepath.Rel(top, path))(t))
		if strings.HasPrefix(within, "testdata/") || strings.HasPrefix(within, "build/") ||
			filepath.Dir(within) ==
				"pipelines/files/pdalprocess" {
			return nil
		}
		read++
		files := token.NewFileSet()
		ast.Inspect(must.Get(parser.ParseFile(files, path, nil, 0))(t), func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil &&
					(text == "pipeline" || text == "--stdin") {
					t.Errorf(
						"%v runs a pipeline; use pdalprocess.Pipeline, whose stages hold no numbers that "+
							"PDAL rounds",
						files.Position(l.Pos()),
					)
				}
			}
			return true
		})
		return nil
	}))
	must.Hold(t, read >= 200, "%d files were read", read)
}

// TestWiderTypes: the smallest type that has all values of both.
func TestWiderTypes(t *testing.T) {
	for _, c := range [][3]string{
		{"uint8", "uint16", "uint16"}, {"int32", "int8", "int32"}, {"uint8", "int8", "int16"},
		{"uint16", "int8", "int32"},
		{"uint8", "int32", "int32"}, {"uint32", "int8", "int64"}, {"uint64", "int8", "int64"},
		{"uint16", "float", "float"},
		{"uint32", "float", "double"}, {"int8", "float", "float"}, {"int32", "float", "double"},
		{"float", "double",
			"double"},
		{"int8", "", "int8"}, {"", "", ""},
	} {
		a, b := wider(c[0], c[1]), wider(c[1], c[0])
		must.Equal(t, a, c[2], "%s and %s: a", c[0], c[1])
		must.Equal(t, b, c[2], "%s and %s: b", c[0], c[1])
	}
}

func TestExtraDimensions(t *testing.T) {
	s := &Schema{Dimensions: []Field{{Name: "X", Type: "double"}, {Name: "Red", Type: "uint16"},
		{Name: "ScanChannel", Type: "uint8"}, {Name: "GpsTime", Type: "double"},
		{Name: "Amplitude", Type: "float"}}}
	must.Equal(t, s.Format(), 7, "format with colours, and no LAS")
	for format, want := range map[string]string{
		"0": "place=double,Red=uint16,ScanChannel=uint8,GpsTime=double,Amplitude=float",
		"3": "place=double,ScanChannel=uint8,Amplitude=float",
		"6": "place=double,Red=uint16,Amplitude=float",
		"8": "place=double,Amplitude=float",
	} {
		s.Metadata = map[string]any{"dataformat_id": json.Number(format)}
		must.Equal(t, s.extraDims([]Field{{Name: "place", Type: "double"}}), want,
			"dimensions of format %s", format)
	}
	s.Dimensions = append(s.Dimensions, Field{Name: "a=b", Type: "float"})
	must.Equal(t, s.extraDims(nil), "all", "dimensions, of which one has a name that cannot be said")
}

// TestLatticesThatPDALMoves: a scale far below the offset is refused, as PDAL would move coordinates.
func TestLatticesThatPDALMoves(t *testing.T) {
	const moved = " of the header: coordinates would be moved; rewrite the file"
	for _, c := range []struct {
		scale, offset float64
		words         string
	}{
		{0.001, 5e6, ""}, {-0.001, 5e6, ""}, {1e-9, 1e6, ""},
		{1e-9, 1e7, "scale 1e-09 and offset 1e+07" + moved},
		{0, 1, "scale 0 and offset 1" + moved},
	} {
		l := &las.File{Head: make([]byte, 375), Length: 30,
			Lattice: las.Lattice{Scale: [3]float64{1, c.scale, 1},
				Offset: [3]float64{0, c.offset, 0}}}
		_, err := RawWriter(l, "a.las")
		must.Says(t, err, c.words, "scale %v, offset %v", c.scale, c.offset)
	}
}

// TestNamesOfResults: a LAZ that cannot be packed becomes a LAS of its name; COPC is always packed.
func TestNamesOfResults(t *testing.T) {
	for name, want := range map[string]string{"a.laz": "a.laz a.las", "b.v2.LAZ": "b.v2.LAZ b.v2.las",
		"c.las": "c.las",
		"c.LAS": "c.LAS", "d.copc.laz": "d.copc.laz"} {
		must.Equal(t, strings.Join(ResultNames(name), " "), want, "results of %s", name)
	}
	must.Equal(t, UnpackedName("d.copc.laz"), "d.las", "unpacked name")
}

// TestWritten: what pdal wrote is counted, whatever its exit code.
func TestWritten(t *testing.T) {
	t.Parallel()
	c := Process{Folder: t.TempDir()}
	path := filepath.Join(c.Folder, "a.las")
	f := &other.File{Minor: 4, Format: 6, Scale: [3]float64{1, 1, 1}}
	for range 5 {
		f.Records = append(f.Records, make([]byte, 30))
	}
	must.OK(t, f.Write(path))
	must.Equal(t, must.Get(c.Written("a.las"))(t).Count, 5, "points")
	whole := must.Get(os.ReadFile(path))(t)
	for _, size := range []int{0, 1, 200, 375, len(whole) - 1} {
		must.OK(t, os.WriteFile(path, whole[:size], 0o666))
		must.Fail(c.Written("a.las"))(t, "pdal did not write all points; is the disk full")
	}
	must.OK(t, os.Remove(path))
	must.Fail(c.Written("a.las"))(t, "is the disk full", "missing")
}

// TestReferencesOfOtherFormats: metadata without records of LAS have neither well-known text nor
// GeoTIFF keys.
func TestReferencesOfOtherFormats(t *testing.T) {
	other := map[string]any{"user_id": "another", "record_id": 2112, "data": "AAAA"}
	wkt := map[string]any{"user_id": "LASF_Projection", "record_id": 2112, "data": "AAAA"}
	keys := map[string]any{"user_id": "LASF_Projection", "record_id": 34735, "data": "BBBB"}
	for _, c := range []struct {
		name     string
		metadata map[string]any
		has      bool
		keys     string
	}{
		{"no records", map[string]any{"count": 1}, false, ""},
		{"a record of another user", map[string]any{"vlr_0": other}, false, ""},
		{"well-known text", map[string]any{"vlr_0": wkt}, true, ""},
		{"GeoTIFF keys", map[string]any{"vlr_0": keys}, false, "BBBB"},
	} {
		s := &Schema{Metadata: c.metadata}
		must.Equal(t, s.HasWKT(), c.has, "%s: has well-known text", c.name)
		must.Equal(t, s.GeoKeys(), c.keys, "%s: GeoTIFF keys", c.name)
	}
}
