// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"superpoint/pipelines/files/las"
	"superpoint/testdata/must"
)

// TestOneFunctionRunsPipelines: all commands run pdal by this package, whose stages hold no numbers that PDAL rounds.
func TestOneFunctionRunsPipelines(t *testing.T) {
	t.Parallel()
	top, read := filepath.Join("..", "..", ".."), 0
	must.OK(t, filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		within := filepath.ToSlash(must.Get(filepath.Rel(top, path))(t))
		if strings.HasPrefix(within, "testdata/") || strings.HasPrefix(within, "build/") || filepath.Dir(within) ==
			"pipelines/files/pdalprocess" {
			return nil
		}
		read++
		files := token.NewFileSet()
		ast.Inspect(must.Get(parser.ParseFile(files, path, nil, 0))(t), func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil && (text == "pipeline" || text == "--stdin") {
					t.Errorf(
						"%v runs a pipeline; use pdalprocess.Pipeline, whose stages hold no numbers that PDAL rounds",
						files.Position(l.Pos()),
					)
				}
			}
			return true
		})
		return nil
	}))
	if read < 200 {
		t.Errorf("%d files were read", read)
	}
}

// TestWiderTypes: the smallest type that has all values of both.
func TestWiderTypes(t *testing.T) {
	for _, c := range [][3]string{
		{"uint8", "uint16", "uint16"}, {"int32", "int8", "int32"}, {"uint8", "int8", "int16"}, {"uint16", "int8", "int32"},
		{"uint8", "int32", "int32"}, {"uint32", "int8", "int64"}, {"uint64", "int8", "int64"}, {"uint16", "float", "float"},
		{"uint32", "float", "double"}, {"int8", "float", "float"}, {"int32", "float", "double"}, {"float", "double",
			"double"},
		{"int8", "", "int8"}, {"", "", ""},
	} {
		if a, b := wider(c[0], c[1]), wider(c[1], c[0]); a != c[2] || b != c[2] {
			t.Errorf("%s and %s: %s and %s, want %s", c[0], c[1], a, b, c[2])
		}
	}
}

func TestExtraDimensions(t *testing.T) {
	s := &Schema{Dimensions: []Field{{Name: "X", Type: "double"}, {Name: "Red", Type: "uint16"},
		{Name: "ScanChannel", Type: "uint8"}, {Name: "GpsTime", Type: "double"}, {Name: "Amplitude", Type: "float"}}}
	if got := s.Format(); got != 7 {
		t.Errorf("with colours, and no LAS: format %d", got)
	}
	for format, want := range map[string]string{
		"0": "place=double,Red=uint16,ScanChannel=uint8,GpsTime=double,Amplitude=float",
		"3": "place=double,ScanChannel=uint8,Amplitude=float",
		"6": "place=double,Red=uint16,Amplitude=float",
		"8": "place=double,Amplitude=float",
	} {
		s.Metadata = map[string]any{"dataformat_id": json.Number(format)}
		if got := s.extraDims([]Field{{Name: "place", Type: "double"}}); got != want {
			t.Errorf("format %s: %s, not %s", format, got, want)
		}
	}
	s.Dimensions = append(s.Dimensions, Field{Name: "a=b", Type: "float"})
	if got := s.extraDims(nil); got != "all" {
		t.Errorf("%s, with a name that cannot be said", got)
	}
}

// TestLatticesThatPDALMoves: a scale far below the offset is refused, as PDAL would move coordinates.
func TestLatticesThatPDALMoves(t *testing.T) {
	for _, c := range []struct {
		scale, offset float64
		words         string
	}{
		{0.001, 5e6, ""}, {-0.001, 5e6, ""}, {1e-9, 1e6, ""}, {1e-9, 1e7, "scale 1e-09 and offset 1e+07"}, {0, 1, "scale 0"},
	} {
		l := &las.File{Head: make([]byte, 375), Length: 30, Lattice: las.Lattice{Scale: [3]float64{1, c.scale, 1},
			Offset: [3]float64{0, c.offset, 0}}}
		if _, err := RawWriter(l, "a.las"); c.words == "" {
			must.OK(t, err)
		} else {
			must.Fail(err)(t, c.words, "rewrite the file")
		}
	}
}

// TestNamesOfResults: a LAZ that cannot be packed becomes a LAS of its name; COPC is always packed.
func TestNamesOfResults(t *testing.T) {
	for name, want := range map[string]string{"a.laz": "a.laz a.las", "b.v2.LAZ": "b.v2.LAZ b.v2.las", "c.las": "c.las",
		"c.LAS": "c.LAS", "d.copc.laz": "d.copc.laz"} {
		if got := strings.Join(ResultNames(name), " "); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := UnpackedName("d.copc.laz"); got != "d.las" {
		t.Errorf("d.copc.laz, unpacked: %s", got)
	}
}
