package style

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
)

// without are the packages that need no example, and why.
var without = map[string]string{
	"embed/cuda/emulator": "tests only", "embed/cuda/operations": "tests only", "embed/cuda/ptx": "nvcc",
	"partition/device/probe": "a GPU",
	"embed/lpe/oracle":       "tests only", "embed/train": "takes minutes", "embed/train/classtrain": "takes minutes",
	"filter/batch": "pdal", "filter/command": "pdal", "filter/compare": "pdal", "filter/survey": "pdal",
	"filter/host": "interfaces only",
}

// TestPackagesHaveExamples looks at every package that others may import.
func TestPackagesHaveExamples(t *testing.T) {
	imported, shown := map[string]bool{}, map[string]bool{}
	set := token.NewFileSet()
	sources(t, func(name string, text []byte) {
		folder, room, _ := strings.Cut(name, "/")
		if (folder != "embed" && folder != "filter" && folder != "partition") || strings.Contains(room, "_gen/") {
			return
		}
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		at := path.Dir(name)
		if !strings.HasSuffix(name, "_test.go") {
			if file.Name.Name != "main" {
				imported[at] = true
			}
			return
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example") {
				shown[at] = true
			}
		}
	})
	if len(imported) < 50 {
		t.Errorf("only %d packages were read", len(imported))
	}
	for at := range imported {
		if why, ok := without[at]; ok == shown[at] {
			t.Errorf("%s: an example is there: %v; it is excused (%q): %v", at, shown[at], why, ok)
		}
	}
}
