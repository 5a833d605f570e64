// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// depth is the number of names of a path that a box of the picture of folders has.
const depth = 2

// folderPicture draws the folders of product code and the imports between them, without those that follow
// from others: where a → b → c, an import of c by a has no arrow. top is the folder of the checkout.
func folderPicture(top string) (string, error) {
	imports := map[string]map[string]bool{}
	for _, root := range []string{"cexport", "pipelines", "filter", "embed", "partition"} {
		err := filepath.WalkDir(filepath.Join(top, root), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			return addImports(imports, top, path)
		})
		if err != nil {
			return "", err
		}
	}
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	for _, from := range slices.Sorted(maps.Keys(imports)) {
		for _, to := range slices.Sorted(maps.Keys(imports[from])) {
			if !follows(imports, from, to) {
				fmt.Fprintf(&b, "    %s --> %s\n", from, to)
			}
		}
	}
	b.WriteString("```\n")
	return b.String(), nil
}

// addImports adds the imports of a file by the box of its folder.
func addImports(imports map[string]map[string]bool, top, path string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	folder, err := filepath.Rel(top, filepath.Dir(path))
	if err != nil {
		return err
	}
	from := box(filepath.ToSlash(folder))
	if imports[from] == nil {
		imports[from] = map[string]bool{}
	}
	for _, i := range file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return err
		}
		ours, is := strings.CutPrefix(name, "superpoint/")
		tool := strings.HasPrefix(ours, "testdata/") // what the figures of the pages are measured with
		if to := box(ours); is && !tool && to != from {
			imports[from][to] = true
		}
	}
	return nil
}

// box returns the box of a folder: its first names.
func box(folder string) string {
	names := strings.Split(folder, "/")
	return strings.Join(names[:min(depth, len(names))], "/")
}

// follows reports whether an import leads to a folder also by way of another folder.
func follows(imports map[string]map[string]bool, from, to string) bool {
	for by := range imports[from] {
		if by != to && reaches(imports, by, to, map[string]bool{from: true}) {
			return true
		}
	}
	return false
}

// reaches reports whether imports lead from a folder to another one past no folder of seen.
func reaches(imports map[string]map[string]bool, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	for by := range imports[from] {
		if !seen[by] && reaches(imports, by, to, seen) {
			return true
		}
	}
	return false
}

// flow lists the functions of the steps of a view in the order in which they run, and their files.
var flow = []struct{ file, function string }{
	{"filter/cloud/positions.go", "Metres"},
	{"filter/steps/measure.go", "NewSample"},
	{"filter/steps/measure.go", "Measure"},
	{"filter/cloud/positions.go", "New"},
	{"filter/steps/steps.go", "Locate"},
	{"filter/steps/steps.go", "Embed"},
	{"filter/steps/steps.go", "Connect"},
	{"filter/steps/steps.go", "MethodInput"},
	{"filter/steps/steps.go", "Solve"},
	{"filter/segment.go", "output"},
}

// stepPicture draws the steps of a view with the types that flow between them, from the signatures of their
// functions.
func stepPicture(top string) (string, error) {
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart LR\n")
	for _, f := range flow {
		takes, returns, err := signature(filepath.Join(top, filepath.FromSlash(f.file)), f.function)
		if err != nil {
			return "", err
		}
		step := filepath.Base(filepath.Dir(f.file)) + "." + f.function
		for _, t := range takes {
			fmt.Fprintf(&b, "    %s([%s]) --> %s\n", t, t, step)
		}
		for _, t := range returns {
			fmt.Fprintf(&b, "    %s --> %s([%s])\n", step, t, t)
		}
	}
	for _, c := range compounds {
		parts, err := partsOf(filepath.Join(top, filepath.FromSlash(c.file)), c.name)
		if err != nil {
			return "", err
		}
		for _, part := range parts {
			fmt.Fprintf(&b, "    %s([%s]) --> %s([%s])\n", part, part, c.name, c.name)
		}
	}
	b.WriteString("```\n")
	return b.String(), nil
}

// compounds lists the types that are made of others, and their files.
var compounds = []struct{ file, name string }{
	{"filter/steps/steps.go", "Points"}, {"filter/segmentation.go", "partitioned"},
}

// partsOf returns the types that a type of a file embeds.
func partsOf(path, name string) (parts []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, is := n.(*ast.TypeSpec)
		if !is || spec.Name.Name != name {
			return true
		}
		fields := &ast.FieldList{}
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			if f.Names == nil {
				fields.List = append(fields.List, f)
			}
		}
		parts = namesOf(fields)
		return false
	})
	if parts == nil {
		return nil, fmt.Errorf("%s has no type %s that embeds others", path, name)
	}
	return parts, nil
}

// signature returns the types that a function of a file takes, its receiver included, and returns: those that
// are declared in packages of this module, without the means of all steps.
func signature(path, name string) (takes, returns []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Name.Name != name {
			continue
		}
		if f.Recv != nil {
			takes = namesOf(f.Recv)
		}
		takes = append(takes, namesOf(f.Type.Params)...)
		return takes, namesOf(f.Type.Results), nil
	}
	return nil, nil, fmt.Errorf("%s has no function %s", path, name)
}

// means are types that every step gets.
var means = []string{"Run", "Device", "Log", "Filter"}

// namesOf returns the exported names of the types of a list, and partitioned, without pointers and packages.
func namesOf(list *ast.FieldList) (names []string) {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		t := field.Type
		if pointer, is := t.(*ast.StarExpr); is {
			t = pointer.X
		}
		if selector, is := t.(*ast.SelectorExpr); is {
			t = selector.Sel
		}
		name, is := t.(*ast.Ident)
		if !is || slices.Contains(means, name.Name) {
			continue
		}
		if name.IsExported() || name.Name == "partitioned" {
			names = append(names, name.Name)
		}
	}
	return names
}
