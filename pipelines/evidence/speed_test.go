// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"superpoint/testdata/must"
)

// benched returns a page whose speed.csv has some lines.
func benched(t *testing.T, lines string) *page {
	top := t.TempDir()
	must.OK(t, os.Mkdir(filepath.Join(top, "bench"), 0o755))
	head := "date,machine,tile,points,what,threads,seconds,neighbors,graph,embedding,partition,output\n"
	must.OK(t, os.WriteFile(filepath.Join(top, "bench", "speed.csv"), []byte(head+lines), 0o644))
	return &page{folder: filepath.Join(top, "evidence")}
}

const (
	filterLine  = "d,m,town,1000000,superpoint,1,2,.5,.25,.5,.5,.25\n"
	classesLine = "d,m,town,1000000,superpoint with classes,1,3,.5,.25,.5,.5,1.25\n"
	mapLine     = "d,m,town,1000000,map of a file,1,8,0,0,0,0,0\n"
)

// TestFiltersAndCommandsApart: the times of filters and those of commands, which read and write, are in two
// tables.
func TestFiltersAndCommandsApart(t *testing.T) {
	t.Parallel()
	p := benched(t, mapLine+filterLine)
	filters := must.Get(p.Speed("*", 1e6, 1e6))(t).(map[string]any)["Lines"].([]benchLine)
	must.Need(t, len(filters) == 1, "%d lines of filters", len(filters))
	must.Equal(t, filters[0]["what"], any("superpoint"), "the filter")
	commands := must.Get(p.Commands("*", 1e6, 1e6))(t).(map[string]any)["Lines"].([]benchLine)
	must.Need(t, len(commands) == 1, "%d lines of commands", len(commands))
	must.Equal(t, commands[0]["what"], any("map of a file"), "the command")
	must.Hold(t, must.Get(p.Commands("segment", 1e6, 1e6))(t) == nil,
		"a table of a command that was not measured")
	must.Hold(t, must.Get(p.Commands("*", 2e6, 3e6))(t) == nil, "a table of tiles that were not measured")
}

// TestStepBars: the parts of a bar are the microseconds a point of the steps, and add up to the total. Those
// of a command are the steps of the filter in it and the rest.
func TestStepBars(t *testing.T) {
	t.Parallel()
	bars := must.Get(benched(t, filterLine+classesLine+mapLine).stepBars())(t)
	must.Need(t, len(bars) == 2, "%d bars: %v", len(bars), bars)
	must.Equal(t, bars[0].title, "superpoint, 1 M, 1 thread", "the bar of the filter")
	must.Equal(t, bars[1].title, "map of a file, 1 M, 1 thread", "the bar of the command")
	for k, want := range [][]float64{{.5, .25, .5, .5, .25, 0}, {.5, .25, .5, .5, 1.25, 5}} {
		must.Need(t, len(bars[k].parts) == len(want), "%s: %d parts", bars[k].title, len(bars[k].parts))
		for i, v := range bars[k].parts {
			must.Hold(t, math.Abs(v-want[i]) < 1e-9, "%s, part %d: %g, want %g", bars[k].title, i, v, want[i])
		}
	}
}

// TestCommandWithoutItsFilter: the steps of a command are not known if its filter was not measured on the
// same tile with as many threads, and it has no bar.
func TestCommandWithoutItsFilter(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"no filter":     "",
		"other tile":    "d,m,village,1000000,superpoint with classes,1,3,.5,.25,.5,.5,1.25\n",
		"other threads": "d,m,town,1000000,superpoint with classes,2,3,.5,.25,.5,.5,1.25\n",
	} {
		bars := must.Get(benched(t, mapLine+line).stepBars())(t)
		must.Hold(t, len(bars) == 0, "%s: %v", name, bars)
	}
}

// TestMachinesApart: lines of another machine are in a table of their own.
func TestMachinesApart(t *testing.T) {
	t.Parallel()
	p := benched(t, filterLine+"d,other,town,1000000,filters.smrf,1,2,0,0,0,0,0\n"+classesLine)
	tables := must.Get(p.Speed("*", 1e6, 1e6))(t).(map[string]any)["Tables"].([]machineLines)
	must.Need(t, len(tables) == 2, "%d tables", len(tables))
	for _, table := range tables {
		for _, line := range table.Lines {
			must.Equal(t, line["machine"], any(table.Machine), "the machine of %s", line["what"])
		}
	}
	must.Equal(t, len(tables[0].Lines)+len(tables[1].Lines), 3, "lines")
}
