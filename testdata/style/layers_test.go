// SPDX-License-Identifier: BSD-3-Clause

package style

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// floors lists folders from the lowest floor up. The longest prefix of a package's path says on which floor
// it is. A package imports packages of lower floors, and those below its own folder; no package of its floor,
// none above.
var floors = [][]string{
	{"partition/base", "partition/gpu/probe"},
	{"partition/gpu"},
	{"partition/neighbor"},
	{"partition/metrics", "partition/problem", "partition/rivals"},
	{"partition/cutpursuit"},
	{"partition/local"},
	{"partition"},
	{"embed/layout", "embed/modelfile"},
	{"embed"},
	{"embed/classes", "embed/geometric", "embed/lpe"},
	{"embed/train", "embed/cuda"},
	{"filter/georef", "filter/lasformat", "filter/memory", "filter/message", "filter/naming", "filter/paint"},
	{"filter/cloud", "filter/device", "filter/land", "filter/method", "filter/models"},
	{"filter/option"},
	{"filter/steps"},
	{"filter/workspace"},
	{"filter"},
	{"filter/host"},
	{"pipelines/commands/map/contents", "pipelines/commands/survey/blocks", "pipelines/files/atomicfile",
		"pipelines/files/filestate"},
	{"pipelines/files/las", "pipelines/shapes/patch"},
	{"pipelines/files/sources"},
	{"pipelines/files", "pipelines/shapes"},
	{"pipelines/job"},
	{"pipelines/commands/survey/plan", "pipelines/land/classrules", "pipelines/land/raster",
		"pipelines/land/roof", "pipelines/layers",
		"pipelines/superpointstats"},
	{"pipelines/commands/survey/folder", "pipelines/land/extraction"},
	{"pipelines/commands/command"},
	{"pipelines/commands/map/promises", "pipelines/commands/map/rasters", "pipelines/commands/render"},
	{"pipelines/commands/segment", "pipelines/commands/table"},
	{"pipelines/commands/compare", "pipelines/commands/info", "pipelines/commands/mesh",
		"pipelines/commands/objects",
		"pipelines/commands/outline", "pipelines/commands/survey", "pipelines/commands/classify",
		"pipelines/commands/train"},
	{"pipelines/commands/map"},
	{"pipelines/commands"},
	{"pipelines"},
	{"cexport"},
}

// upward lists the arrows between files of the folders of explained that point up, and why each stays. All
// are in packages whose files have an order: each points up only because the file that is used has the higher
// imports.
var upward = map[arrow]string{
	{"filter/classes.go", "filter/segmentation.go"}: classesOfView,
	{"filter/outputs.go", "filter/segmentation.go"}: classesOfView,
	{"filter/host/references.go", "filter/host/host.go"}: "options of references ask the host, and read " +
		"no points",
	{"filter/land/input.go", "filter/land/codes.go"}: "codes of noise are those of classifiers, " +
		"whose package codes.go imports",
	{"filter/method/clusters.go", "filter/method/input.go"}: "the input has the λ of a problem, which " +
		"no method with seeds reads",
	{"filter/method/method.go", "filter/method/clusters.go"}:                   table,
	{"filter/method/method.go", "filter/method/gmpp.go"}:                       table,
	{"filter/method/method.go", "filter/method/input.go"}:                      table,
	{"pipelines/commands/map/check.go", "pipelines/commands/map/mapping.go"}:   stepOfMap,
	{"pipelines/commands/map/results.go", "pipelines/commands/map/mapping.go"}: stepOfMap,
	{"pipelines/commands/map/results.go", "pipelines/commands/map/report.go"}: "the picture and the report " +
		"have the same title",
	{"pipelines/commands/survey/folder/files.go", "pipelines/commands/survey/folder/survey.go"}: ofSurvey,
	{"pipelines/commands/survey/folder/marks.go", "pipelines/commands/survey/folder/survey.go"}: ofSurvey,
	{"pipelines/commands/survey/plan/results.go", "pipelines/commands/survey/plan/plan.go"}:     partOfPlan,
	{"pipelines/commands/survey/slurm.go", "pipelines/commands/survey/steps.go"}:                ofUnits,
	{"pipelines/commands/survey/slurm.go", "pipelines/commands/survey/units.go"}:                ofUnits,
	{"pipelines/commands/survey/plan/tiles.go", "pipelines/commands/survey/plan/plan.go"}:       partOfPlan,
}

// explained lists the folders whose arrows up are in upward.
var explained = []string{"filter", "pipelines/commands/map", "pipelines/commands/survey"}

// Reasons that several arrows share.
const (
	classesOfView = "the file fills a type that has the result of a method, which it does not read itself"
	ofSurvey      = "the file writes or reads files in the folder of a survey, whose plan has imports " +
		"that the file does not need"
	ofUnits    = "the script has a line for each step, and prints what the units of the listing need"
	partOfPlan = "the file computes a part of the plan, whose sources have the identity of package job"
	stepOfMap  = "a step of the run, whose type also has the objects, which the step does not find"
	table      = "the table of methods names their functions and needs none of what they import"
)

// solving lists who needs partitions: a model needs neighbors alone.
var solving = []string{"partition", "embed/train", "embed/cuda", "filter", "pipelines"}

// importers lists, for a folder, the only folders beside it whose product code imports it.
var importers = map[string][]string{
	"partition/problem": solving, "partition/metrics": solving, "partition/rivals": solving,
	"partition/cutpursuit": solving, "partition/local": solving,
	"embed/train": {"pipelines/commands/train"}, "pipelines/commands/train": {"cexport"},
	"embed/cuda": {},
	"testdata":   {"pipelines/evidence"},
}

func below(path, folder string) bool { return strings.HasPrefix(path+"/", folder+"/") }

// floorOf returns the number of a package's floor and its folder in the table; −1 if it has none.
func floorOf(path string) (floor int, folder string) {
	floor = -1
	for i, row := range floors {
		for _, f := range row {
			if below(path, f) && len(f) > len(folder) {
				floor, folder = i, f
			}
		}
	}
	return floor, folder
}

// allowed reports whether a package may import another one.
func allowed(path, other string) bool {
	for folder, by := range importers {
		if below(other, folder) && !below(path, folder) &&
			!slices.ContainsFunc(by, func(f string) bool { return below(path, f) }) {
			return false
		}
	}
	from, own := floorOf(path)
	to, its := floorOf(other)
	return own == its || to < from
}

// TestImportsPointDown compares the imports of all product code with the floors.
func TestImportsPointDown(t *testing.T) {
	t.Parallel()
	top, read := filepath.Join("..", ".."), 0
	for _, root := range []string{"partition", "embed", "filter", "pipelines", "cexport"} {
		must.OK(t, filepath.WalkDir(filepath.Join(top, root), func(path string, e fs.DirEntry,
			err error) error {
			within, _ := filepath.Rel(top, path)
			within = filepath.ToSlash(within)
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") ||
				strings.HasSuffix(path, "_test.go") ||
				strings.Contains(within, "/_") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
			if err != nil {
				return err
			}
			read++
			for _, i := range file.Imports {
				name, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					return err
				}
				other, ours := strings.CutPrefix(name, "superpoint/")
				if ours {
					must.Hold(t, allowed(filepath.ToSlash(filepath.Dir(within)), other),
						"allowed(filepath.ToSlash(filepath.Dir(within)), other) is false")
				}
			}
			return nil
		}))
	}
	must.Hold(t, read >= 300, "only %d files were read", read)
}

// TestFloorsRefuse: the check reports imports that point up or sideways, and of packages that only some may
// import.
func TestFloorsRefuse(t *testing.T) {
	t.Parallel()
	for path, other := range map[string]string{
		"partition/problem": "embed", "partition/gpu": "partition/neighbor",
		"partition/neighbor":   "partition/problem",
		"partition/rivals/lin": "partition/problem", "embed": "embed/lpe", "embed/lpe": "embed/classes",
		"embed/classes": "partition/metrics", "embed/geometric": "partition/local",
		"embed/train": "filter", "filter": "embed/train", "filter/method": "filter",
		"embed/lpe/reference": "embed/cuda/emulator", "filter/lasformat": "testdata/las",
		"pipelines/commands":        "cexport",
		"pipelines/commands/survey": "pipelines/commands", "partition/base/arrays": "partition/neighbor",
		"pipelines/files/pdalprocess": "pipelines/job",
	} {
		must.Hold(t, !allowed(path, other), "%s may import %s", path, other)
	}
	for path, other := range map[string]string{
		"partition/rivals/lin": "partition/rivals/supervoxel", "filter": "filter/method",
		"cexport":            "pipelines/commands/train",
		"pipelines/evidence": "testdata/las", "embed/train": "partition/local",
		"pipelines/commands/train": "embed/train",
	} {
		must.Hold(t, allowed(path, other), "%s may not import %s", path, other)
	}
}
