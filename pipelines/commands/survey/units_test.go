// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/testdata/must"
)

// listed returns the units of the plan of two sources in two tiles, in a folder whose name has signs of a
// shell.
func listed(t *testing.T) *Listing {
	t.Helper()
	project := filepath.Join(t.TempDir(), `it's "$HOME" 5%`)
	must.OK(t, os.Mkdir(project, 0o777))
	must.OK(t, os.WriteFile(filepath.Join(project, folder.PlanFile), []byte(planText(t, goodPlan(t))), 0o666))
	return must.Get(List(&quiet{}, project))(t)
}

// What a unit needs comes before it: units can be started in the order of the list.
func TestUnitsComeAfterTheirNeeds(t *testing.T) {
	t.Parallel()
	complete := map[string]int{} // units of each step
	l := listed(t)
	for _, u := range l.Units {
		complete[u.Step]++
	}
	before := map[string]int{} // units and steps that came, and how often
	for _, u := range l.Units {
		for _, need := range u.Needs {
			expected := max(1, complete[need])
			must.Hold(t, before[need] == expected, "%s %d needs %s, of which %d of %d came before", u.Step,
				u.Number, need,
				before[need], expected)
		}
		before[u.Step]++
		before[unitName(u.Step, u.Number)]++
	}
}

// A tile of one source needs that source alone, also while others are not yet cut.
func TestNeedsOfUnits(t *testing.T) {
	t.Parallel()
	p := goodPlan(t)
	p.Tiles[0].Sources = []int{0}
	p.Tiles[1].Sources = []int{0, 1}
	tried := map[string]bool{}
	for _, c := range []struct {
		step string
		n    int
		want []string
	}{
		{"cut", 1, []string{}},
		{"embed", 0, []string{"cut 0"}},
		{"embed", 1, []string{"cut 0", "cut 1"}},
		{"coarsen", 1, []string{"embed"}},
		{"merge", 0, []string{"coarsen"}},
		{"refine", 1, []string{"coarsen 1", "merge"}},
		{"number", 0, []string{"refine"}},
		{"classify", 0, []string{"number"}},
		{"label", 1, []string{"embed 1", "refine 1", "classify"}},
		{"write", 0, []string{"label 0", "label 1"}},
		{"write", 1, []string{"label 1"}},
	} {
		must.Equal(t, stepNamed(t, c.step).Needs(p, c.n), c.want, "%s %d", c.step, c.n)
		tried[c.step] = true
	}
	for _, s := range Steps() {
		must.Hold(t, tried[s.Name], "step %s is new: say here what it needs", s.Name)
	}
}

// TestSimulationHasAllSteps: the simulation of large surveys has the cost of each step, except of classes,
// which it leaves out.
func TestSimulationHasAllSteps(t *testing.T) {
	t.Parallel()
	text := string(must.Get(os.ReadFile("../../python/cluster/simulate.py"))(t))
	for _, s := range Steps() {
		is := strings.Contains(text, fmt.Sprintf("    %q: Step(", s.Name))
		must.Equal(t, is, s.Name != classifyStep, "step %s in simulate.py", s.Name)
	}
}

// stepNamed returns a step by its name.
func stepNamed(t *testing.T, name string) *folder.Step {
	t.Helper()
	for _, s := range Steps() {
		if s.Name == name {
			return &s
		}
	}
	t.Fatalf("there is no step %s", name)
	return nil
}

// A step without needs would run first.
func TestAllStepsButTheFirstHaveNeeds(t *testing.T) {
	t.Parallel()
	p := goodPlan(t)
	for _, s := range Steps()[1:] {
		must.Hold(t, len(s.Needs(p, 0)) > 0, "step %s has no needs", s.Name)
	}
}

// The points of all cores are those of the sources, whatever the shape of their bounds.
func TestPointsOfTiles(t *testing.T) {
	t.Parallel()
	p := goodPlan(t)
	p.Sources = append(p.Sources, plan.Source{Path: "/data/line.laz", Points: 7,
		Bounds: [4]float64{40, 50, 150, 50}},
		plan.Source{Path: "/data/point.laz", Points: 1, Bounds: [4]float64{20, 20, 20, 20}})
	all := 0.0
	for _, tile := range p.Tiles {
		all += pointsIn(p, p.Grid.Core(tile.Column, tile.Row))
	}
	must.Hold(t, math.Abs(all-38) < 1e-6, "%v points in the tiles, 38 in the sources", all)
	one := p.Grid.Core(0, 0)
	must.Hold(t, pointsIn(p, one.Grow(10)) > pointsIn(p, one), "a halo has no points")
}

// JSON has a line for each unit.
func TestListingAsJSON(t *testing.T) {
	t.Parallel()
	l := listed(t)
	var text bytes.Buffer
	must.OK(t, l.WriteJSON(&text))
	var read Listing
	must.OK(t, json.Unmarshal(text.Bytes(), &read))
	must.Equal(t, read.Units, l.Units, "units")
	must.Equal(t, read.Folder, l.Folder, "folder")
	must.Equal(t, read.Plan, l.Plan, "plan")
	must.Equal(t, strings.Count(text.String(), "\n"), len(l.Units)+2, "lines")
}

// The script for SLURM starts every unit once, with the memory of the largest of its step and after the step
// before, also if arrays may have fewer tasks than there are units. A program in place of sbatch runs the
// tasks at once.
func TestScriptForSLURM(t *testing.T) {
	t.Parallel()
	const sbatch = `#!/bin/bash
cat > "$0.task"
echo "sbatch $STEP $*" >> "$0.log"
for word do case $word in --array=0-*) last=${word#--array=0-} ;; esac done
for k in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$k bash "$0.task" || exit; done
echo "job-$STEP;cluster"
`
	const pdal = `#!/bin/bash
echo "pdal $*" >> "${0%/*}/sbatch.log"
`
	l := listed(t)
	for _, largest := range []string{"1000", "1"} {
		bin := t.TempDir()
		must.OK(t, os.WriteFile(filepath.Join(bin, "sbatch"), []byte(sbatch), 0o777))
		must.OK(t, os.WriteFile(filepath.Join(bin, "other-pdal"), []byte(pdal), 0o777))
		var script bytes.Buffer
		must.OK(t, l.WriteSLURM(&script))
		command := exec.Command("bash", "-s", "--", "--partition=main")
		command.Stdin = &script
		command.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "MAX_ARRAY="+largest,
			"PDAL=other-pdal",
			"SLURM_CPUS_PER_TASK=3")
		out, err := command.CombinedOutput()
		must.Need(t, err == nil, "%v: %s", err, out)
		must.Equal(t, string(out), "job-write\n", "number of the last job")
		log := strings.Split(string(must.Get(os.ReadFile(filepath.Join(bin, "sbatch.log")))(t)), "\n")
		for _, u := range l.Units {
			started := fmt.Sprintf("pdal superpoint survey run --threads 3 %s %s %d", l.Folder,
				u.Step, u.Number)
			count := len(slices.DeleteFunc(slices.Clone(log),
				func(line string) bool { return line != started }))
			must.Hold(t, count == 1, "%s: %d times", started, count)
		}
		submitted := slices.DeleteFunc(log,
			func(line string) bool { return !strings.HasPrefix(line, "sbatch ") })
		before := ""
		for i, s := range Steps() {
			_, megabytes := l.demand(s.Name)
			must.Say(t, submitted[i], "sbatch "+s.Name, fmt.Sprintf("--mem=%dM", megabytes),
				"--partition=main")
			if before == "cut" {
				must.Say(t, submitted[i], "--dependency=afterany:job-cut")
			} else if before != "" {
				must.Say(t, submitted[i], "--dependency=afterok:job-"+before)
			}
			before = s.Name
		}
	}
}

// What makes no sense with a listing is refused.
func TestListingsThatAreRefused(t *testing.T) {
	t.Parallel()
	project := listed(t).Folder
	for name, c := range map[string]struct {
		r              Request
		asJSON, script bool
		words          string
	}{
		"both":   {Request{Folder: project}, true, true, "one of both"},
		"inputs": {Request{Folder: project, Inputs: []string{"a.las"}}, true, false, "plan first"},
		"options": {Request{Folder: project, Options: map[string]string{"knn": "9"}}, false, true,
			"plan first"},
		"nothing":  {Request{}, true, false, "--output"},
		"no plan":  {Request{Folder: t.TempDir()}, true, false, "plan first"},
		"no units": {Request{Folder: filepath.Join(project, "none")}, false, true, "plan first"},
	} {
		t.Run(name, func(t *testing.T) {
			must.Fail(0, c.r.list(&quiet{}, c.asJSON, c.script))(t, c.words)
		})
	}
}

// fullDisk takes some bytes, and no more.
type fullDisk struct{ left int }

var errFull = errors.New("the disk is full")

func (d *fullDisk) Write(text []byte) (int, error) {
	if len(text) > d.left {
		return 0, errFull
	}
	d.left -= len(text)
	return len(text), nil
}

// TestListingOnFullDisk: no listing is complete if a line of it cannot be written, whichever that is.
func TestListingOnFullDisk(t *testing.T) {
	t.Parallel()
	l := listed(t)
	var text bytes.Buffer
	must.OK(t, l.WriteJSON(&text))
	must.OK(t, l.WriteJSON(&fullDisk{text.Len()}))
	for left := range text.Len() {
		must.Equal(t, l.WriteJSON(&fullDisk{left}), errFull, "error after %d of %d bytes", left, text.Len())
	}
}
