// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"slices"
	"testing"

	"superpoint/pipelines/commands/survey/folder"
	"superpoint/testdata/must"
)

// TestClassBlocks: a survey of up to classifiedAtOnce points is one block that reads all; a larger one has a
// block for each tile, which reads the tile and 100 m around it.
func TestClassBlocks(t *testing.T) {
	p := goodPlan(t)
	v := &folder.Survey{Plan: p}
	p.Points = classifiedAtOnce
	all := classBlocks(v)
	must.Need(t, len(all) == 1, "%d blocks", len(all))
	must.Hold(t, slices.Equal(all[0].tiles, v.Numbers(folder.Tiles)), "tiles %v", all[0].tiles)
	must.Hold(t, all[0].holds(1e9, -1e9), "a point far away is left out")
	p.Points++
	p.Unit = 0.5 // metres
	all = classBlocks(v)
	must.Need(t, len(all) == len(p.Tiles), "%d blocks of %d tiles", len(all), len(p.Tiles))
	for n := range p.Tiles {
		core := p.Grid.Core(p.Tiles[n].Column, p.Tiles[n].Row)
		must.Hold(t, slices.Equal(all[n].tiles, []int{n}), "tiles %v of block %d", all[n].tiles, n)
		must.Hold(t, all[n].reads(core), "the tile is left out")
	}
	east := p.Grid.Core(p.Tiles[0].Column, p.Tiles[0].Row).East
	must.Hold(t, all[0].holds(east+199, 50), "a point 99.5 m away is left out")
	must.Hold(t, !all[0].holds(east+201, 50), "a point 100.5 m away is read")
}
