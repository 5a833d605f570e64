// SPDX-License-Identifier: BSD-3-Clause

package style

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

// writing are the functions of package os that make, change or rename files.
var writing = []string{"Create", "CreateTemp", "OpenFile", "WriteFile", "Rename", "Link", "Truncate"}

// writers are the packages that call them, with the reason. All other code opens its outputs by atomicfile,
// which refuses inputs and files of others, and renames complete files.
var writers = map[string]string{
	"pipelines/files/atomicfile": "it opens and places all outputs",
	"pipelines/files/las":        "records of temporary files, by position",
	"pipelines/job":              "copies of inputs in a work folder, made while they are hashed",
}

// TestOnePackageWritesResults: no other product code makes, changes or renames files.
func TestOnePackageWritesResults(t *testing.T) {
	t.Parallel()
	top := filepath.Join("..", "..")
	seen := map[string]bool{}
	for _, tree := range []string{"cexport", "embed", "filter", "partition", "pipelines"} {
		for _, folder := range must.Get(packagesBelow(tree))(t) {
			files := must.Get(parsePackage(token.NewFileSet(), filepath.Join(top, folder)))(t)
			for _, call := range callsOfOS(files) {
				must.Hold(t, writers[folder] != "",
					"%s calls os.%s; open outputs by package atomicfile", folder, call)
				seen[folder] = true
			}
		}
	}
	for name := range writers {
		must.Hold(t, seen[name], "%s writes no files any more; take it from writers", name)
	}
}

// callsOfOS returns the functions of package os in writing that files use.
func callsOfOS(files []*ast.File) (all []string) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			selector, is := n.(*ast.SelectorExpr)
			if !is {
				return true
			}
			of, is := selector.X.(*ast.Ident)
			if is && of.Name == "os" && slices.Contains(writing, selector.Sel.Name) {
				all = append(all, selector.Sel.Name)
			}
			return true
		})
	}
	return all
}
