// SPDX-License-Identifier: BSD-3-Clause

package style

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestOneClaimACheck lists the calls of must.Hold and must.Need whose condition joins claims by && or ||: if
// one fails, it does not say which claim is false. Write a check for each claim, and a condition of a case as
// an if.
func TestOneClaimACheck(t *testing.T) {
	set := token.NewFileSet()
	var compound []string
	root := filepath.Join("..", "..")
	must.OK(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (d.Name() == "build" || strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text := must.Get(os.ReadFile(path))(t)
		file := must.Get(parser.ParseFile(set, path, text, 0))(t)
		for _, at := range compoundChecks(file) {
			compound = append(compound, set.Position(at).String())
		}
		return nil
	}))
	must.Equal(t, strings.Join(compound, "\n"), "", "places of checks with several claims")
}

// compoundChecks returns the places of the checks of a file that have several claims.
func compoundChecks(file *ast.File) (places []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || !isCheck(call.Fun) || len(call.Args) < 2 {
			return true
		}
		condition, isBinary := ast.Unparen(call.Args[1]).(*ast.BinaryExpr)
		if isBinary && (condition.Op == token.LAND || condition.Op == token.LOR) {
			places = append(places, call.Pos())
		}
		return true
	})
	return places
}

// isCheck reports whether a function is must.Hold or must.Need.
func isCheck(function ast.Expr) bool {
	s, isSelector := function.(*ast.SelectorExpr)
	if !isSelector {
		return false
	}
	name, isName := s.X.(*ast.Ident)
	if !isName || name.Name != "must" {
		return false
	}
	return s.Sel.Name == "Hold" || s.Sel.Name == "Need"
}

func TestCompoundChecks(t *testing.T) {
	const text = `package a
func f() {
	must.Hold(t, a && b, "")
	must.Need(t, (a || b), "")
	must.Hold(t, a == b, "%v", a && b)
	other.Hold(t, a && b, "")
}`
	set := token.NewFileSet()
	file := must.Get(parser.ParseFile(set, "a.go", text, 0))(t)
	var lines []int
	for _, at := range compoundChecks(file) {
		lines = append(lines, set.Position(at).Line)
	}
	must.Equal(t, lines, []int{3, 4}, "lines of compound checks")
}
