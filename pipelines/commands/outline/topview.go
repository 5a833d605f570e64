// SPDX-License-Identifier: BSD-3-Clause

package outline

import (
	"cmp"
	"fmt"
	"image"
	"math"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/layers"
	"superpoint/pipelines/commands/superpointstats"
	"superpoint/pipelines/shapes/planar"
)

// cellsAcross is the widest gap that is closed by default, in cells. With cells of the
// size of the point spacing, about a third of them are empty (Poisson distribution), and
// gaps of this width are rare.
const cellsAcross = 4

// topView is the view of several files from above.
type topView struct {
	view  planar.View
	files []*outlines
	first []int       // label of each file's first superpoint, minus 1
	count int         // superpoints of all files
	steps image.Point // lattice steps in a cell
	cell  float64     // metres
}

// write writes the polygons of the view from above of all files.
func (o *outlines) write(files []string, out *layers.Features) error {
	var t topView
	err := o.each(files, out, func(path string, f *outlines) error {
		if err := t.add(f); err != nil {
			return fmt.Errorf("%s: %w; give a larger --cell (it is %.3g m), or fewer files", path, err, t.cell)
		}
		return nil
	})
	if err != nil {
		return err
	}
	radius := cellsAcross / 2.0
	if o.maxEdge > 0 {
		radius = o.maxEdge / t.cell / 2
	}
	run := o.Run("regions")
	regions, err := planar.Partition(run, &t.view, t.count, radius, true)
	if err != nil {
		return err
	}
	for i, f := range t.files {
		err := out.Add(f.Run("outlines"), f.Groups.Len(), func(text []byte, k int) []byte {
			region := regions[t.first[i]+k]
			if len(region.Polygons) == 0 {
				return text
			}
			return f.feature(text, k, t.place(region))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Add adds the points of a file to the view and releases them.
func (t *topView) add(f *outlines) error {
	if t.files == nil {
		t.steps, t.cell = layers.CellSteps(cmp.Or(f.cell, f.spaced), f.Step(0))
	}
	x, y, z := f.Superpoints.Columns.X, f.Superpoints.Columns.Y, f.Superpoints.Columns.Z
	scale := math.Pow10(t.decimals(f))
	cell := func(i int) image.Point { return planar.CellOf(planar.Lattice(x[i], y[i], scale), t.steps) }
	var area image.Rectangle
	for i, row := range f.Groups.Of {
		if row >= 0 {
			area = area.Union(planar.One(cell(i)))
		}
	}
	if err := t.view.Grow(area); err != nil {
		return err
	}
	for i, row := range f.Groups.Of {
		if row >= 0 {
			t.view.Add(cell(i), z[i], int32(t.count)+row+1)
		}
	}
	t.files, t.first = append(t.files, f), append(t.first, t.count)
	t.count += f.Groups.Len()
	f.Superpoints.Columns = &command.Columns{Reference: f.Superpoints.Columns.Reference}
	f.Groups = &superpointstats.Groups{ID: f.Groups.ID}
	return nil
}

// Decimals returns the decimals of the first file, which all files share.
func (t *topView) decimals(f *outlines) int {
	if len(t.files) > 0 {
		return t.files[0].Place()
	}
	return f.Place()
}

// Place returns the polygons of a region on the lattice of coordinates.
func (t *topView) place(region planar.Region) layers.LatticePolygons {
	return layers.LatticePolygons{
		Polygons: region.Polygons,
		Least:    image.Pt(t.view.Min.X*t.steps.X, t.view.Min.Y*t.steps.Y),
		Coarse:   t.steps.Div(2),
	}
}
