// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/pipelines/commands/survey"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/testdata/must"
)

// TestUnitsInAnyOrder runs the processes that `survey plan --json` lists, in random orders in which each
// comes after the processes that it needs: results equal the results of `survey run`, byte by byte, no
// process takes more memory than listed, and then all are done.
func TestUnitsInAnyOrder(t *testing.T) {
	t.Parallel()
	files := town(t, "")
	one, _ := planned(t, files, "--tile", "60", "--halo", "10")
	do(t, "survey", "run", one)
	random := rand.New(rand.NewPCG(5, 77))
	for range full(1, 5) {
		project, _ := planned(t, files, "--tile", "60", "--halo", "10")
		for _, u := range shuffled(t, random, listUnits(t, project)) {
			o := do(t, "survey", "run", project, u.Step, fmt.Sprint(u.Number))
			var mark folder.Mark
			must.OK(t, json.Unmarshal([]byte(o.stdout), &mark))
			must.Hold(t, mark.Memory <= u.Memory, "%s %d took %d bytes, listed are %d", u.Step,
				u.Number, mark.Memory,
				u.Memory)
		}
		want := resultsOf(t, one)
		for k, path := range resultsOf(t, project) {
			must.Equal(t, filepath.Base(path), filepath.Base(want[k]), "names of results")
			same := slices.Equal(must.Get(os.ReadFile(path))(t), must.Get(os.ReadFile(want[k]))(t))
			must.Hold(t, same, "%s differs from %s", path, want[k])
		}
		for _, u := range listUnits(t, project) {
			must.Hold(t, u.Done, "%s %d is not done", u.Step, u.Number)
		}
	}
}

// listUnits returns the units of a survey, as its plan lists them.
func listUnits(t *testing.T, project string) []survey.Unit {
	t.Helper()
	var l survey.Listing
	must.OK(t, json.Unmarshal([]byte(do(t, "survey", "plan", "--output", project, "--json").stdout), &l))
	return l.Units
}

// shuffled returns units in a random order in which each comes after those that it needs.
func shuffled(t *testing.T, random *rand.Rand, left []survey.Unit) (order []survey.Unit) {
	t.Helper()
	for len(left) > 0 {
		blocked := map[string]bool{} // units and steps that are not finished
		for _, u := range left {
			blocked[u.Step] = true
			blocked[fmt.Sprint(u.Step, " ", u.Number)] = true
		}
		var ready []int
		for i, u := range left {
			if !slices.ContainsFunc(u.Needs, func(need string) bool { return blocked[need] }) {
				ready = append(ready, i)
			}
		}
		must.Need(t, len(ready) > 0, "%d units wait for each other", len(left))
		next := ready[random.IntN(len(ready))]
		order = append(order, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return order
}
