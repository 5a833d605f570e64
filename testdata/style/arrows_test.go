package style

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// mostBack is the number of arrows between files that may run back in all rooms
// below a folder together.
var mostBack = map[string]int{"filter": 10, "embed": 21, "partition": 20}

// arrow says that one file names what another one of its package declares: a type, a
// function, a variable or a constant. Methods are not counted, for they are found
// through their types.
type arrow struct{ from, to string }

// TestArrowsBetweenFiles puts the files of each room into an order in
// which as few arrows as possible run back, from a file to one above it, and counts
// these. 0 would mean that each room can be read from top to bottom. Between packages
// no arrow can run back, for Go refuses such imports. -v prints the table.
func TestArrowsBetweenFiles(t *testing.T) {
	for top, most := range mostBack {
		t.Run(top, func(t *testing.T) { countArrows(t, filepath.Join("..", "..", top), most) })
	}
}

func countArrows(t *testing.T, top string, most int) {
	all, back := 0, 0
	err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		files, err := build.Default.ImportDir(path, 0)
		if none := new(build.NoGoError); errors.As(err, &none) {
			return nil
		} else if err != nil {
			return err
		}
		arrows, err := arrowsOf(path, slices.Concat(files.GoFiles, files.CgoFiles))
		if err != nil {
			return err
		}
		wrong := runningBack(arrows)
		all, back = all+len(arrows), back+len(wrong)
		t.Logf("%-40s %3d of %3d %v", filepath.ToSlash(path), len(wrong), len(arrows), wrong)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d of %d run back", back, all); back > most || all < 150 {
		t.Errorf("%d of %d arrows between files run back, at most %d may; go test -v names them: move what both files "+
			"need to a third", back, all, most)
	}
}

// nothing imports no package: what a room's own files name is known without.
type nothing struct{}

func (nothing) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }

func arrowsOf(folder string, names []string) (map[arrow]bool, error) {
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(set, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	check := types.Config{Error: func(error) {}, Importer: nothing{}, FakeImportC: true}
	room, _ := check.Check(folder, set, files, info) // fails for the missing imports
	arrows := map[arrow]bool{}
	for name, what := range info.Uses {
		if what.Parent() == room.Scope() {
			a := arrow{filepath.Base(set.Position(name.Pos()).Filename), filepath.Base(set.Position(what.Pos()).Filename)}
			arrows[a] = a.from != a.to
		}
	}
	maps.DeleteFunc(arrows, func(_ arrow, between bool) bool { return !between })
	return arrows, nil
}

// runningBack returns the arrows that run back in the best order found: from some
// random ones files are moved, one at a time, while that helps.
func runningBack(arrows map[arrow]bool) (least []string) {
	files := map[string]bool{}
	for a := range arrows {
		files[a.from], files[a.to] = true, true
	}
	order := slices.Sorted(maps.Keys(files))
	random := rand.New(rand.NewPCG(1, 1))
	for try := range 20 {
		random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		wrong := wrongIn(order, arrows)
		for better := true; better; {
			better = false
			for from := range order {
				for to := range order {
					moved := slices.Insert(slices.Delete(slices.Clone(order), from, from+1), to, order[from])
					if now := wrongIn(moved, arrows); len(now) < len(wrong) {
						order, wrong, better = moved, now, true
					}
				}
			}
		}
		if try == 0 || len(wrong) < len(least) {
			least = wrong
		}
	}
	return least
}

// wrongIn returns the arrows that run back in an order.
func wrongIn(order []string, arrows map[arrow]bool) (wrong []string) {
	place := map[string]int{}
	for k, file := range order {
		place[file] = k
	}
	for a := range arrows {
		if place[a.from] > place[a.to] {
			wrong = append(wrong, fmt.Sprint(a.from, "→", a.to))
		}
	}
	slices.Sort(wrong)
	return wrong
}
