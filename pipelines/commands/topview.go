package command

import (
	"cmp"
	"fmt"
	"image"
	"math"

	"superpoint/pipelines/commands/superpointstats"
	"superpoint/pipelines/shapes/planar"
)

// cellsAcross is the widest gap that --top closes by default, in cells. With cells of the
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

// writeTop writes the polygons of the view from above of all files.
func (o *outlines) writeTop(files []string, out *features) error {
	var t topView
	for _, path := range files {
		f, err := o.open(path, len(files) > 1)
		if err != nil {
			return err
		}
		if err := out.begin(path, f.superpoints.columns.Reference); err != nil {
			return err
		}
		if err := t.add(f); err != nil {
			return fmt.Errorf("%s: %w; give a larger --cell (it is %.3g m), or fewer files", path, err, t.cell)
		}
	}
	radius := cellsAcross / 2.0
	if o.maxEdge > 0 {
		radius = o.maxEdge / t.cell / 2
	}
	run := o.run("regions")
	regions, err := planar.Partition(run, &t.view, t.count, radius, planar.Straight())
	if err != nil {
		return err
	}
	for i, f := range t.files {
		err := out.add(f.run("outlines"), f.groups.Len(), func(text []byte, k int) []byte {
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

// add adds the points of a file to the view and releases them.
func (t *topView) add(f *outlines) error {
	if t.files == nil {
		t.steps, t.cell = cellSteps(cmp.Or(f.cell, f.spaced), f.step(0))
	}
	x, y, z := f.superpoints.columns.X, f.superpoints.columns.Y, f.superpoints.columns.Z
	scale := math.Pow10(t.decimals(f))
	cell := func(i int) image.Point { return planar.CellOf(planar.Lattice(x[i], y[i], scale), t.steps) }
	var area image.Rectangle
	for i, row := range f.groups.Of {
		if row >= 0 {
			area = area.Union(planar.One(cell(i)))
		}
	}
	if err := t.view.Grow(area); err != nil {
		return err
	}
	for i, row := range f.groups.Of {
		if row >= 0 {
			t.view.Add(cell(i), z[i], int32(t.count)+row+1)
		}
	}
	t.files, t.first = append(t.files, f), append(t.first, t.count)
	t.count += f.groups.Len()
	f.superpoints.columns = &Columns{Reference: f.superpoints.columns.Reference}
	f.groups = &superpointstats.Groups{ID: f.groups.ID}
	return nil
}

// cellSteps returns the lattice steps of a cell with a side of about side metres, and its side. The steps are even, so
// that the middle of a cell is on the lattice.
func cellSteps(side float64, step [2]float64) (steps image.Point, exact float64) {
	even := func(metres float64) int { return 2 * max(1, int(math.Round(side/metres/2))) }
	steps = image.Pt(even(step[0]), even(step[1]))
	return steps, float64(steps.Y) * step[1]
}

// decimals returns the decimals of the first file, which all files share.
func (t *topView) decimals(f *outlines) int {
	if len(t.files) > 0 {
		return t.files[0].place()
	}
	return f.place()
}

// place returns the polygons of a region on the lattice of coordinates.
func (t *topView) place(region planar.Region) latticePolygons {
	return latticePolygons{
		polygons: region.Polygons,
		least:    image.Pt(t.view.Min.X*t.steps.X, t.view.Min.Y*t.steps.Y),
		coarse:   t.steps.Div(2),
	}
}
