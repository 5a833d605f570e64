package pdalprocess

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

func TestPipelinesHaveNoFloats(t *testing.T) {
	t.Parallel()
	text := must.Get(serialise([]any{"a.las", map[string]any{"type": "writers.las", "scale_x": Number(1e-7),
		"dataformat_id": 7, "offset_x": Number(499999.12345678901)}}))(t)
	if got := string(text); !strings.Contains(got, `"scale_x":"1e-07"`) || !strings.Contains(got, `"499999.123456789"`) {
		t.Error(got)
	}
	type options struct{ Scale [3]float64 }
	for path, stages := range map[string][]any{
		"stages[0].scale_x":        {map[string]any{"scale_x": .01}},
		"stages[1].vlrs[0].x":      {"a.las", map[string]any{"vlrs": []any{map[string]float32{"x": 1}}}},
		"stages[0].Scale[0]":       {&options{}},
		"stages[0].resolution":     {map[string]any{"resolution": 2.0}},
		"stages[0].o.Scale[0] is ": {map[string]any{"o": options{}}},
	} {
		must.Fail(serialise(stages))(t, path)
	}
}

// TestOneFunctionRunsPipelines: the rule holds for all commands, because only this package runs pdal.
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
						"%v runs a pipeline; use pdalprocess.Pipeline, which refuses numbers that PDAL rounds",
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
