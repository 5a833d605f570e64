// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/testdata/must"
)

// The page has the steps of the table, in its order.
func TestStepsAreDocumented(t *testing.T) {
	t.Parallel()
	text := must.Get(os.ReadFile("../../survey.md"))(t)
	var page strings.Builder
	for _, s := range Steps() {
		fmt.Fprintf(&page, "| %s | %s | %s | %s: %s |\n", s.Name, s.Over, s.Reads,
			strings.Join(s.Makes, ", "), s.Help)
	}
	_, rows, _ := strings.Cut(string(text), "|---|---|---|---|\n")
	rows, _, _ = strings.Cut(rows, "<!--")
	must.Hold(t, rows == page.String(), "survey.md has the steps\n%sinstead of\n%s", rows, page.String())
}

// TestStepsInHelp: the help of survey run lists the steps in their order, each with what it is given.
func TestStepsInHelp(t *testing.T) {
	t.Parallel()
	given := map[folder.Over]string{folder.Sources: " K ", folder.Tiles: " N ", folder.Once: " "}
	rest := surveyRunUsage()
	for _, s := range Steps() {
		line := "\n  " + s.Name + given[s.Over]
		_, behind, found := strings.Cut(rest, line)
		must.Need(t, found, "no %q in %s", line, rest)
		text, _, _ := strings.Cut(behind, "\n")
		must.Equal(t, strings.TrimSpace(text), s.Help, "help of %s", s.Name)
		rest = behind
	}
}

// TestMarksOfSteps: a step is finished if its mark is of the plan and the inputs, and its files are whole.
func TestMarksOfSteps(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	p := goodPlan(t)
	for k := range p.Sources {
		p.Sources[k].Path = filepath.Join(project, fmt.Sprint(k, ".las"))
		emptyCloud(t, p.Sources[k].Path)
	}
	must.OK(t, os.WriteFile(filepath.Join(project, "plan.json"), []byte(planText(t, p)), 0o666))
	reopened := func() *folder.Survey { // marks are read once
		t.Helper()
		return must.Get(folder.Open(&quiet{}, project, Steps()))(t).In(t.TempDir())
	}
	v := reopened()
	s := must.Get(v.Step("embed"))(t)
	must.OK(t, os.Mkdir(v.Path("embed"), 0o777))
	inputs := must.Get(s.Inputs(v, 0))(t)
	mark := func(n int, sum uint32) {
		t.Helper()
		made := v.File("embed", n, "points")
		emptyCloud(t, made)
		m := v.NewMark(s, &folder.Task{Number: n, Inputs: inputs})
		m.Points = 15
		m.Sum = sum
		must.OK(t, v.AddFile(m, made))
		must.OK(t, v.PlaceMark(m))
	}
	must.Fail(v.Mark("embed", 0))(t, "survey run "+project+" embed 0")
	mark(0, 1)
	must.Fail(v.Marks("embed"))(t, "tile 1")
	must.Fail(inputsOfWrite(v, 0))(t, "is not finished") // the rows of a tile are not there
	mark(1, 2)
	all, first, err := v.Marks("embed")
	must.OK(t, err)
	must.Need(t, len(all) == 2, "len(all) is %v, want 2", len(all))
	mark(1, 3)
	v = reopened()
	_, second, err := v.Marks("embed")
	must.Need(t, err == nil, "another result of a tile does not change what depends on it: %v", err)
	must.Hold(t, second != first,
		"another result of a tile does not change what depends on it: second equals first: %q", second)
	for _, size := range []int64{10, 1000} { // a file that was cut short, and one that has grown
		must.OK(t, os.Truncate(v.File("embed", 1, "points"), size))
		v = reopened()
		must.Fail(v.Marks("embed"))(t)
	}
	mark(1, 3)
	v.Sum = "of another plan"
	mark(1, 3)
	v = reopened()
	must.Fail(v.Marks("embed"))(t, "tile 1")
	mark(1, 3)
	path := v.File("embed", 1, "json")
	text := strings.Replace(string(must.Get(os.ReadFile(path))(t)), `"points": 15`, `"points": 16`, 1)
	must.OK(t, os.WriteFile(path, []byte(text), 0o666))
	v = reopened()
	must.Fail(v.Marks("embed"))(t, "tile 1") // a mark that was changed
	must.OK(t, os.WriteFile(path, must.Get(os.ReadFile(v.File("embed", 0, "json")))(t), 0o666))
	v = reopened()
	must.Fail(v.Marks("embed"))(t, "tile 1") // the mark of another tile
	mark(1, 3)
	must.OK(t, os.WriteFile(p.Sources[0].Path, []byte("other"), 0o666))
	v = reopened()
	must.Fail(v.Marks("embed"))(t) // another source
	must.Fail(runTask(v, "embed", 2))(t, "0 to 1")
	must.Fail(runTask(v, "stitch", 0))(t, "not a step")
}

// plan.Lengths follow the spacing, and what is asked for.
func TestLengths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		given   plan.Lengths
		want    plan.Lengths
		merging float64
	}{
		{plan.Lengths{}, plan.Lengths{Tile: 2000, Halo: 11}, 50},
		{plan.Lengths{Tile: 10}, plan.Lengths{Tile: 10, Halo: 5}, 50},
		{plan.Lengths{Halo: 4}, plan.Lengths{Tile: 2000, Halo: 4}, 4},
		{plan.Lengths{Halo: 1}, plan.Lengths{Tile: 2000, Halo: 3}, 1},
		{plan.Lengths{Halo: 400}, plan.Lengths{Tile: 2000, Halo: 11}, 400},
	} {
		got, merging := c.given.Choose(&plan.Shared{Spacing: 0.5, EmbeddingReach: 3}, 1)
		must.Equal(t, got, c.want, "%+v", c)
		must.Equal(t, merging, c.merging, "%+v: merging", c)
	}
}
