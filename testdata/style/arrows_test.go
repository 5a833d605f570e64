// SPDX-License-Identifier: BSD-3-Clause

package style

import (
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// arrow says that a file uses a name that another file of its package declares. Files are named by their path
// from the top of the repository.
type arrow struct{ from, to string }

// drawing is what the files of a folder and of those below it show.
type drawing struct {
	packages int
	files    int
	arrows   int
	back     int     // those that point up by names
	up       []arrow // those that point up, by names or by imports, sorted
}

// draw draws the files of packages.
//
// An arrow points up by names if it runs back in the order of the files of its package in which the fewest
// arrows do. It points up by imports if the file that is used imports a package of a higher floor than any
// that its user imports: the user then reads like a file of a lower floor, and could not move there.
func draw(folders []string) (drawing, error) {
	var d drawing
	top := filepath.Join("..", "..")
	for _, folder := range folders {
		set := token.NewFileSet()
		files, err := parsePackage(set, filepath.Join(top, folder))
		if err != nil {
			return d, err
		}
		if files == nil {
			continue
		}
		d.packages++
		d.files += len(files)
		graph := usesOf(set, files)
		floor := map[string]int{}
		for _, f := range files {
			floor[filepath.Base(set.Position(f.Pos()).Filename)] = importFloor(f)
		}
		back := graph.back()
		d.back += len(back)
		for from, uses := range graph {
			d.arrows += len(uses)
			for to := range uses {
				a := arrow{from, to}
				if slices.Contains(back, a) || floor[to] > floor[from] {
					d.up = append(d.up, arrow{folder + "/" + from, folder + "/" + to})
				}
			}
		}
	}
	slices.SortFunc(d.up, func(a, b arrow) int { return strings.Compare(a.from+" "+a.to, b.from+" "+b.to) })
	return d, nil
}

// importFloor returns the highest floor of the packages of this module that a file imports; −1 without any.
func importFloor(f *ast.File) int {
	highest := -1
	for _, i := range f.Imports {
		name, _ := strconv.Unquote(i.Path.Value)
		if ours, is := strings.CutPrefix(name, "superpoint/"); is {
			floor, _ := floorOf(ours)
			highest = max(highest, floor)
		}
	}
	return highest
}

// back returns the arrows that run back, from a file to one that comes after it, in the best order that is
// found: from the order of names, one file after the other moves to its best place, until no move leaves
// fewer.
func (u uses) back() []arrow {
	order := slices.Sorted(maps.Keys(u))
	least := u.runningBack(order)
	for better := true; better; {
		better = false
		for _, file := range slices.Sorted(maps.Keys(u)) {
			others := slices.DeleteFunc(slices.Clone(order), func(f string) bool { return f == file })
			for place := range order {
				moved := slices.Insert(slices.Clone(others), place, file)
				if back := u.runningBack(moved); len(back) < len(least) {
					order = moved
					least = back
					better = true
				}
			}
		}
	}
	return least
}

// runningBack returns the arrows of an order that run from a file to one after it.
func (u uses) runningBack(order []string) (back []arrow) {
	for i, from := range order {
		for _, to := range order[i+1:] {
			if u[from][to] != nil {
				back = append(back, arrow{from, to})
			}
		}
	}
	return back
}

// packagesBelow returns a folder and those below it, by their paths from the top of the repository.
func packagesBelow(folder string) (folders []string, err error) {
	top := filepath.Join("..", "..")
	err = filepath.WalkDir(filepath.Join(top, folder), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		within, err := filepath.Rel(top, path)
		folders = append(folders, filepath.ToSlash(within))
		return err
	})
	return folders, err
}

// mostBack has the most arrows between files of the packages of a folder that may run back. Each closes a
// circle, so that no file of it can be read first. The figures only fall.
var mostBack = map[string]int{
	"partition":                 16,
	"embed":                     18,
	"embed/classes":             12,
	"filter":                    0,
	"pipelines/commands/map":    0,
	"pipelines/commands/survey": 0,
	"cexport":                   0,
}

// TestArrowsBetweenFiles: no more arrows between files run back than mostBack says, and those of explained
// that point up are those of the table upward, which says why each does. go test -v prints the figures.
func TestArrowsBetweenFiles(t *testing.T) {
	t.Parallel()
	others := []string{"pipelines", "pipelines/land"}
	for _, folder := range slices.Concat(slices.Sorted(maps.Keys(mostBack)), others) {
		d := must.Get(draw(must.Get(packagesBelow(folder))(t)))(t)
		t.Logf("%-26s %3d packages, %3d files, %3d arrows, %2d up, of these %2d back", folder, d.packages,
			d.files, d.arrows, len(d.up), d.back)
		most, isBound := mostBack[folder]
		if isBound {
			must.Hold(t, d.back <= most,
				"%s: %d arrows between files run back, and %d did; move what closes a circle to a lower file",
				folder, d.back, most)
		}
	}
	var up []arrow
	for _, folder := range explained {
		d := must.Get(draw(must.Get(packagesBelow(folder))(t)))(t)
		up = append(up, d.up...)
	}
	for _, a := range up {
		must.Hold(t, upward[a] != "",
			"%s uses %s, which is above it; move what it uses down, or say why in upward", a.from, a.to)
	}
	for a := range upward {
		must.Hold(t, slices.Contains(up, a), "%s does not point up to %s any more; take it from upward",
			a.from, a.to)
	}
}

// TestArrowsThatPointUp: an arrow of a circle runs back, and one to a file with higher imports points up.
func TestArrowsThatPointUp(t *testing.T) {
	t.Parallel()
	graph := uses{
		"a.go": {"b.go": {"B"}, "c.go": {"C"}},
		"b.go": {"c.go": {"C"}},
		"c.go": {"a.go": {"A"}},
	}
	must.Equal(t, graph.back(), []arrow{{"c.go", "a.go"}}, "arrows that run back")
}
