// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/job"
	"superpoint/testdata/must"
)

// everywhere is a region without a border.
type everywhere struct{}

func (everywhere) Clear(_, _ float64) float64  { return 1e9 }
func (everywhere) Square(_, _, _ float64) bool { return true }

// embeddedLine embeds a tile: points on a line, a step of 0.5 m apart, the last one 40 m away.
func embeddedLine(t *testing.T, v *folder.Survey) *embedded {
	t.Helper()
	const n = 60
	c := &host.Columns{}
	for i := range n {
		c.X = append(c.X, 0.5*float64(i))
		c.Y = append(c.Y, 0.1*float64(i%3))
		c.Z = append(c.Z, 0)
	}
	c.X[n-1] += 40
	f := must.Get(filter.New(must.Get(option.OptionsOf(v.Plan.Options))(t), nil))(t)
	core := slices.Repeat([]bool{true}, n)
	part := must.Get(f.Embed(steps.Run{}, v.Plan.View(c), filter.Frame{Measured: v.Plan.Shared.Measured(),
		Points: n, Core: core, Region: everywhere{}}))(t)
	return &embedded{part, core, c, [][]float64{c.Z}}
}

// TestFilesOfATile: a tile has three files, all in its mark; where one of them cannot be made, the step fails
// and names it.
func TestFilesOfATile(t *testing.T) {
	v := inFolder(t)
	v.Plan = goodPlan(t)
	tile := embeddedLine(t, v)
	newMark := func() *folder.Mark {
		return &folder.Mark{Mark: job.Mark{Task: job.Task{Step: "embed"}, Files: map[string]int64{}}}
	}
	m := newMark()
	must.OK(t, saveTile(v, m, 1, tile))
	must.Hold(t, m.Long > 0, "the tile has no edge longer than %v m", v.Plan.Shared.LongEdge)
	names := slices.Sorted(maps.Keys(m.Files))
	must.Equal(t, names, []string{"embed/1.long", "embed/1.outputs", "embed/1.points"}, "files")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			v := v.In(t.TempDir())
			place := v.Tree().Path(name)
			must.OK(t, os.MkdirAll(filepath.Dir(place), 0o777))
			must.OK(t, os.WriteFile(place, nil, 0o666)) // files are never made twice
			must.Fail(saveTile(v, newMark(), 1, tile))(t, v.Path(name), "cannot be written")
		})
	}
}
