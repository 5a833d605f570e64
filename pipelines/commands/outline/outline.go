// SPDX-License-Identifier: BSD-3-Clause

// Package outline is the command outline: outlines of superpoints as vectors.
package outline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"path/filepath"
	"slices"

	"superpoint/embed/classes"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
	"superpoint/pipelines/superpointstats"
)

const outlineUsage = `[options] FILE… OUTPUT

Writes one polygon per superpoint that is visible from above, in X and Y of the files,
with the attributes

  id, count              id, number of points
  class, class_share     most frequent class and the share of points that have it
  zmin, zmax             lowest and highest Z, in the units of the file
  height                 zmax − zmin in metres
  area                   of the polygon, square metres
  linearity, planarity, scattering, verticality
                         shape (Demantké et al. 2011), in [0, 1]
  source                 name of the file, with several files

Means of other dimensions are in the rows of pdal superpoint table, by id.

Polygons do not overlap: every position belongs to the superpoint that is visible there,
and adjacent polygons share their border exactly. A polygon may have holes and several
parts. Borders follow a raster with cells of --cell metres, straightened by half a cell at most.
Gaps up to --max_edge are assigned to the nearest superpoint; wider gaps and positions
outside the cloud to none. Superpoints entirely below others have no polygon.

With --label the polygons can be labelled in QGIS: they have an empty column label, for
which QGIS offers the classes of a classifier, and a column confidence (the mean of
ClassConfidence), and are coloured by label, else by class. The result is an input of
classify --labels and propose --labels.

OUTPUT is a GeoPackage (.gpkg), with a style for QGIS, or GeoJSON (.geojson).

The files need superpoints: run pdal superpoint segment first.

  pdal superpoint outline segmented.laz superpoints.gpkg
  pdal superpoint outline --label aerial segmented.laz labels.gpkg
  pdal superpoint outline --max_edge 1.5 a.laz b.laz superpoints.geojson

The options:`

// Command is the command outline.
func Command() command.Command {
	return command.Command{Name: "outline", Line: "one polygon per superpoint, in the view from above",
		Usage: outlineUsage, Define: outlineCommand, Bytes: 150}
}

func outlineCommand(a *command.Arguments) func(names []string) error {
	o := &outlines{Superpoints: table.NewSuperpoints(a)}
	o.Shape = "polygon"
	o.ClassOption()
	a.OutputOption("`file` to write")
	a.LengthOption(&o.cell, "cell", 0, "cell size of the outlines, metres (default: the point spacing)")
	label := a.String("label", "", "`classifier` whose classes QGIS offers as labels: built-in or a file")
	a.Reads = []string{"label"}
	a.LengthOption(&o.maxEdge, "max_edge", 0, "widest gap that is closed, metres (default: four cells)")
	return func(names []string) (err error) {
		from, name, err := a.Split(names)
		if err != nil {
			return err
		}
		if len(from) == 0 {
			return errors.New("name point cloud files and, last, one output file, " +
				"for example superpoints.gpkg or superpoints.geojson")
		}
		out, err := a.OpenVectors(from, name)
		if err != nil {
			return err
		}
		look := layers.ByID() // style
		if *label != "" {
			m, err := models.Classes("label", *label)
			if err != nil {
				return err
			}
			o.label = m.Card.Classes
			look = layers.ByLabel(o.label)
		}
		if err := layers.CheckTiles(a.Host, a.References, from); err != nil {
			return err
		}
		polygons := 0
		err = out.Write(layers.Layer{Name: "superpoints", Geometry: "MULTIPOLYGON", Style: look,
			Body: func(f *layers.Features) error {
				err := o.write(from, f)
				polygons = f.Count()
				return err
			}})
		if err == nil {
			a.Host.Log(message.Info, fmt.Sprintf("%s: %s of %s in %s%s", name,
				message.Count(polygons, "polygon"),
				message.Count(o.superpoints, "superpoint"), message.Count(len(from), "file"),
				o.withoutPolygon(polygons)))
		}
		return err
	}
}

// withoutPolygon returns how superpoints without a polygon are labelled, if there are any.
func (o *outlines) withoutPolygon(polygons int) string {
	hidden := o.superpoints - polygons
	if o.label == nil || hidden == 0 {
		return ""
	}
	return fmt.Sprintf("; %d more below others have no polygon: label them in a table, by the ids of pdal "+
		"superpoint table", hidden)
}

// view returns the view of all files from above. Of several files, those without superpoints, such as empty
// tiles, are left out with a warning, unless none has any.
func (o *outlines) view(files []string, out *layers.Features) (t topView, none error) {
	for _, path := range files {
		f, err := o.open(path, files)
		empty := errors.Is(err, table.ErrNoPoints) || errors.Is(err, table.ErrNoSuperpoints)
		if empty && len(files) > 1 {
			o.Host.Log(message.Warning, err.Error()+"; it is left out")
			none = err
			continue
		}
		if err == nil {
			err = out.Begin(path, f.Superpoints.Columns.Reference)
		}
		if err != nil {
			return t, err
		}
		if err := t.add(f); err != nil {
			return t, fmt.Errorf(
				"%s: %w; give a larger --cell (it is %.3g m), or fewer files, or remove points "+
					"far from all others (filters.outlier)", path, err, t.cell)
		}
	}
	if o.superpoints > 0 {
		none = nil
	}
	return t, none
}

// Open reads one of several files and computes the columns of its superpoints.
func (o *outlines) open(path string, files []string) (*outlines, error) {
	s, f := *o.Superpoints, *o
	f.Superpoints = &s
	var wanted []string
	if o.label != nil {
		wanted = []string{command.ConfidenceDimension}
	}
	if err := f.Read(path, nil, wanted); err != nil {
		return nil, err
	}
	o.superpoints += f.Groups.Len()
	if len(files) > 1 {
		name := filepath.Base(path)
		if slices.ContainsFunc(files, func(o string) bool { return o != path && filepath.Base(o) == name }) {
			name = path // ids are unique in a file only
		}
		var err error
		if f.source, err = json.Marshal(name); err != nil {
			return nil, err
		}
	}
	return &f, f.describe()
}

// describe computes the columns of the attributes.
func (o *outlines) describe() error {
	o.spaced = o.Spacing()
	classes, err := o.Majority()
	if err != nil {
		return err
	}
	if o.label != nil {
		if classes, err = o.toLabel(classes); err != nil {
			return err
		}
	}
	o.area = make([]float64, o.Groups.Len())
	o.columns = append(append(o.Ids(), classes...),
		o.FormColumn("zmin", 3, func(f *superpointstats.Form) float64 { return f.Min[2] }),
		o.FormColumn("zmax", 3, func(f *superpointstats.Form) float64 { return f.Max[2] }),
		o.FormColumn("height", 3, (*superpointstats.Form).Height),
		layers.Column{Name: "area", Digits: 3, Values: o.area})
	o.columns = append(o.columns, o.Shapes()...)
	return nil
}

// toLabel adds the empty column label and the column confidence, 0 without classes.
func (o *outlines) toLabel(columns []layers.Column) ([]layers.Column, error) {
	label := layers.ColumnOf("label", 0, o.Groups.Len(), func(int) float64 { return math.NaN() })
	confidence := layers.Column{Name: "confidence", Digits: 3, Values: make([]float64, o.Groups.Len())}
	if values := o.Superpoints.Columns.Dimensions[command.ConfidenceDimension]; values != nil {
		mean, _, err := o.Groups.Statistics(o.Run("confidence"), values)
		if err != nil {
			return nil, err
		}
		confidence.Values = mean
	}
	return append([]layers.Column{label}, append(columns, confidence)...), nil
}

// outlines has the options of a run of outline, and the columns of one of its files.
type outlines struct {
	*table.Superpoints
	maxEdge float64         // widest gap that is closed, in metres; 0 = from the cells
	cell    float64         // in metres; 0 = the spacing
	label   []classes.Class // choices of the column label; nil = no such column

	superpoints int     // of all files so far
	source      []byte  // the file's name in quotes; nil with one file
	spaced      float64 // point spacing in X and Y, metres
	columns     []layers.Column
	area        []float64 // of the polygons, set by feature
}

// feature appends superpoint k as a GeoJSON feature.
func (o *outlines) feature(text []byte, k int, shape layers.LatticePolygons) []byte {
	o.area[k] = shape.Area(o.Step(k))
	text = layers.AppendProperties(text, o.source, o.columns, k)
	return append(shape.Append(text, o.Place()), '}')
}

// cellsAcross is the widest gap that is closed by default, in cells. With cells of the
// size of the point spacing, about a third of them are empty (Poisson distribution), and
// gaps of this width are rare.
const cellsAcross = 4

// topView is the view of several files from above.
type topView struct {
	view  *planar.View
	files []*outlines
	first []int       // label of each file's first superpoint, minus 1
	count int         // superpoints of all files
	steps image.Point // lattice steps in a cell
	cell  float64     // metres
	scale float64     // lattice steps in a unit of the first file, which all files share
}

// write writes the polygons of the view from above of all files.
func (o *outlines) write(files []string, out *layers.Features) error {
	t, err := o.view(files, out)
	if err != nil {
		return err
	}
	radius := cellsAcross / 2.0
	if o.maxEdge > 0 {
		radius = o.maxEdge / t.cell / 2
	}
	run := o.Run("regions")
	regions, err := planar.Partition(run, t.view, t.count, radius, true)
	if err != nil && run.Err() == nil {
		err = fmt.Errorf("%s: %w; give a smaller --max_edge, or a larger --cell", files[0], err)
	}
	if err != nil {
		return err
	}
	for i, f := range t.files {
		err := out.Add(f.Run("outlines"), f.Groups.Len(), func(text []byte, k int) []byte {
			region := regions[t.first[i]+k]
			if len(region) == 0 {
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
		t.scale = math.Pow10(f.Place())
	}
	x := f.Superpoints.Columns.X
	y := f.Superpoints.Columns.Y
	z := f.Superpoints.Columns.Z
	cell := func(i int) image.Point { return planar.CellOf(planar.Lattice(x[i], y[i], t.scale), t.steps) }
	occupied := new(planar.Occupied)
	for i, row := range f.Groups.Of {
		if row >= 0 {
			occupied.Add(cell(i))
		}
	}
	if t.view == nil {
		t.view = new(planar.View)
	}
	if err := t.view.Grow(occupied); err != nil {
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

// place returns the polygons of a region on the lattice of coordinates.
func (t *topView) place(region []patch.Polygon) layers.LatticePolygons {
	return layers.LatticePolygons{
		Polygons: region,
		Least:    image.Pt(t.view.Area.Min.X*t.steps.X, t.view.Area.Min.Y*t.steps.Y),
		Coarse:   t.steps.Div(2),
	}
}
