package whole

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOutputsAreOpenedHere reads the program's own text: nothing but this package
// makes, renames or writes files, so that no command can forget to.
func TestOutputsAreOpenedHere(t *testing.T) {
	const root = "../.."
	allowed := []string{ // with what and why
		"filter/records/writer.go: CreateTemp", // slices of a survey, of which a source fills many at once
		"filter/records/writer.go: Rename",
		"filter/records/made.go: OpenFile",  // completes an output that still has its temporary name
		"filter/models/file.go: OpenFile",   // reads, and does not wait for a pipe
		"filter/tables/main.go: WriteFile",  // go generate's pages and sources
		"filter/compare/table.go: OpenFile", // goes on with a table that this package wrote
	}
	making := []string{"Create", "CreateTemp", "WriteFile", "OpenFile", "Rename", "MkdirTemp", "Truncate", "Link",
		"Symlink"}
	var found []string
	for _, top := range []string{"cexport", "embed", "filter", "partition"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, e fs.DirEntry, err error) error {
			name, _ := filepath.Rel(root, path)
			name = filepath.ToSlash(name)
			if err != nil {
				return err
			}
			if e.IsDir() && (strings.HasPrefix(e.Name(), "_") || name == "embed/whole" || name == "filter/bench" ||
				name == "filter/pdaltest") {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if p, ok := s.X.(*ast.Ident); ok && p.Name == "os" && slices.Contains(making, s.Sel.Name) {
						found = append(found, name+": "+s.Sel.Name)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range found {
		if !slices.Contains(allowed, f) {
			t.Errorf("%s; outputs are opened by package embed/whole", f)
		}
	}
	for _, a := range allowed {
		if !slices.Contains(found, a) {
			t.Errorf("%s is allowed, but no longer there", a)
		}
	}
}
