// SPDX-License-Identifier: BSD-3-Clause

package style

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// tangled lists the packages that still have files which use each other in a circle. The files of all others
// have an order in which each uses only those before it, so that a package can be read from the bottom up. A
// package leaves the list when the declarations that close its circles have moved to lower files; none is
// added.
var tangled = []string{
	"embed/classes", "embed/train/backprop", "partition/base/parallel", "partition/cutpursuit",
	"partition/gpu",
	"partition/internal/oracle", "partition/metrics",
	"partition/problem", "partition/problem/reduced", "partition/rivals/lin", "partition/rivals/softcluster",
	"partition/rivals/vccs", "pipelines/commands/command", "pipelines/commands/compare",
	"pipelines/commands/objects",
	"pipelines/commands/render", "pipelines/commands/segment",
	"pipelines/evidence",
	"pipelines/files/atomicfile", "pipelines/files/las",
	"pipelines/files/sources", "pipelines/layers",
}

// uses is the graph of the files of a package: which names of other files each uses, by file.
type uses map[string]map[string][]string

// noImports is an importer without packages: names of other packages have no type, and need none.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) { return nil, errors.New(path) }

// parsePackage parses the product code of a folder, as this system builds it; nil if it has none.
func parsePackage(set *token.FileSet, folder string) ([]*ast.File, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		if built, err := build.Default.MatchFile(folder, e.Name()); err != nil || !built {
			continue
		}
		file, err := parser.ParseFile(set, filepath.Join(folder, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// usesOf returns the graph of files. Names of other packages do not count, nor do those declared inside
// functions.
func usesOf(set *token.FileSet, files []*ast.File) uses {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: noImports{}, FakeImportC: true, Error: func(error) {}}
	// names of other packages are errors, which are ignored
	pkg, _ := config.Check("package", set, files, info)
	all := uses{}
	for _, f := range files {
		all[filepath.Base(set.Position(f.Pos()).Filename)] = map[string][]string{}
	}
	for name, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		from := filepath.Base(set.Position(name.Pos()).Filename)
		to := filepath.Base(set.Position(object.Pos()).Filename)
		if from != to && !slices.Contains(all[from][to], object.Name()) {
			all[from][to] = append(all[from][to], object.Name())
		}
	}
	return all
}

// circle returns the files that remain if files that use no remaining ones are removed, again and again, and
// then those that no remaining one uses: each of them is in a circle, or between two.
func (u uses) circle() []string {
	left := map[string]bool{}
	for f := range u {
		left[f] = true
	}
	for removed := true; removed; {
		removed = false
		for f := range left {
			if !u.leads(f, left) || !u.isUsed(f, left) {
				delete(left, f)
				removed = true
			}
		}
	}
	var files []string
	for f := range left {
		files = append(files, f)
	}
	slices.Sort(files)
	return files
}

// leads reports whether a file uses one of those left.
func (u uses) leads(file string, left map[string]bool) bool {
	for other := range u[file] {
		if left[other] {
			return true
		}
	}
	return false
}

// isUsed reports whether one of the files left uses a file.
func (u uses) isUsed(file string, left map[string]bool) bool {
	for other := range left {
		if u[other][file] != nil {
			return true
		}
	}
	return false
}

// TestCirclesAreFound: a circle of files is found, also one that methods and fields close; files beside it
// are not in it.
func TestCirclesAreFound(t *testing.T) {
	t.Parallel()
	set := token.NewFileSet()
	var files []*ast.File
	for name, text := range map[string]string{
		"top.go":    "package p\nfunc Top() { a := A{}; a.F() }",
		"a.go":      "package p\nimport \"fmt\"\ntype A struct { B }\nfunc (a *A) F() { fmt.Println(base) }",
		"b.go":      "package p\ntype B struct { N int }\nfunc (b *B) G() { var a A; a.F() }",
		"bottom.go": "package p\nconst base = 1",
	} {
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		must.OK(t, err)
		files = append(files, file)
	}
	must.Equal(t, usesOf(set, files).circle(), []string{"a.go", "b.go"}, "files in circles")
}

// TestFilesPointDown: the files of a package have an order in which each uses only those before it.
func TestFilesPointDown(t *testing.T) {
	t.Parallel()
	top := filepath.Join("..", "..")
	read := 0
	for _, root := range []string{"partition", "embed", "filter", "pipelines", "cexport"} {
		must.OK(t, filepath.WalkDir(filepath.Join(top, root), func(path string, e fs.DirEntry,
			err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			set := token.NewFileSet()
			files, err := parsePackage(set, path)
			if err != nil || files == nil {
				return err
			}
			read += len(files)
			folder, _ := filepath.Rel(top, path)
			folder = filepath.ToSlash(folder)
			graph := usesOf(set, files)
			circle := graph.circle()
			if slices.Contains(tangled, folder) {
				must.Hold(t, len(circle) > 0, "%s has no circle of files any more; take it from the list",
					folder)
				return nil
			}
			for _, f := range circle {
				t.Errorf(
					"%s/%s is in a circle of files: it uses %v; move what closes the circle to a lower file",
					folder, f,
					graph[f])
			}
			return nil
		}))
	}
	must.Hold(t, read >= 300, "only %d files were read", read)
}

// TestStatedOrders: in a package whose comment lists its files in order, none uses a later one.
func TestStatedOrders(t *testing.T) {
	t.Parallel()
	stated := map[string]int{"partition/local": 25}
	for folder, count := range stated {
		path := filepath.Join("..", "..", folder)
		set := token.NewFileSet()
		files := must.Get(parsePackage(set, path))(t)
		text := string(must.Get(os.ReadFile(filepath.Join(path, "doc.go")))(t))
		_, list, found := strings.Cut(text, "comes later in this order:\n//\n")
		must.Need(t, found, "%s: no list of files", folder)
		var order []string
		for line := range strings.Lines(list) {
			names, _, _ := strings.Cut(strings.TrimPrefix(line, "//\t"), "  ")
			if !strings.HasPrefix(line, "//\t") {
				break
			}
			order = append(order, strings.Fields(names)...)
		}
		must.Equal(t, len(order), count, "%s: files in the list", folder)
		for from, uses := range usesOf(set, files) {
			for to := range uses {
				user := slices.Index(order, strings.TrimSuffix(from, ".go"))
				used := slices.Index(order, strings.TrimSuffix(to, ".go"))
				must.Hold(t, used >= 0, "%s: %s is not in the list", folder, to)
				must.Hold(t, used < user, "%s: %s uses %s, which comes later", folder, from, to)
			}
		}
	}
}
