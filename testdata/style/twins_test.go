package style

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// shortest is the number of lines of the shortest functions that are compared.
const shortest = 6

// TestNoFunctionIsDuplicated finds functions whose bodies are equal except for the names that
// they declare.
func TestNoFunctionIsDuplicated(t *testing.T) {
	places, set := map[string][]string{}, token.NewFileSet()
	sources(t, func(name string, text []byte) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil || set.Position(f.End()).Line-set.Position(f.Pos()).Line+1 < shortest {
				continue
			}
			key := body(t, set, f)
			places[key] = append(places[key], fmt.Sprintf("%s: %s", set.Position(f.Pos()), f.Name.Name))
		}
	})
	if len(places) < 1000 {
		t.Errorf("only %d functions were read", len(places))
	}
	for _, at := range places {
		if len(at) > 1 {
			t.Errorf("a function is duplicated; keep one:\n\t%s", strings.Join(at, "\n\t"))
		}
	}
}

// body prints a function's body with the names that it declares numbered.
func body(t *testing.T, set *token.FileSet, f *ast.FuncDecl) string {
	t.Helper()
	var names []string
	declare := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				declare(id)
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					declare(e)
				}
			}
		case *ast.RangeStmt:
			declare(n.Key)
			declare(n.Value)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				declare(id)
			}
		}
		return true
	})
	kept := map[*ast.Ident]bool{} // fields and methods keep their names
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			kept[n.Sel] = true
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				kept[id] = true
			}
		case *ast.Ident:
			if at := slices.Index(names, n.Name); at >= 0 && !kept[n] {
				n.Name = fmt.Sprintf("name%d", at)
			}
		}
		return true
	})
	var text strings.Builder
	must.OK(t, printer.Fprint(&text, set, f.Body))
	return strings.Join(strings.Fields(text.String()), " ")
}
