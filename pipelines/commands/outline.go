package command

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"

	"superpoint/embed/classes"
	"superpoint/embed/cli"
	"superpoint/filter/models"
	"superpoint/pipelines/commands/superpointstats"
)

const outlineUsage = `[options] FILE… OUTPUT

Writes one polygon per superpoint, in X and Y of the files, with the attributes

  id, count              id, number of points
  class, class_share     most frequent class and the share of points that have it
  zmin, zmax             lowest and highest Z, in the units of the file
  height                 zmax − zmin in metres
  area                   of the polygon, square metres
  linearity, planarity, scattering, verticality
                         shape (Demantké et al. 2011), in [0, 1]
  NAME_mean              mean of the dimensions of --mean
  source                 name of the file, with several files

The polygon is the Delaunay triangulation of the points without the triangles with an
edge above --max_edge. It may have holes and several parts, which do not overlap. Collinear
points (a pole, a wire) get the rectangle around them. Polygons of different superpoints
overlap where one lies above another: a roof over a floor, a crown over the ground.

With --top they do not overlap: every position belongs to the superpoint that is visible
from above, and adjacent polygons share their border exactly. Borders are those of a raster
of --cell metres, straightened by at most half a cell. Gaps up to --max_edge are assigned to
the nearest superpoint; wider gaps and positions outside the cloud to none. Superpoints
entirely below others have no polygon.

With --label the polygons can be labelled in QGIS: they have an empty column label, for
which QGIS offers the classes of a classifier, and a column confidence (the mean of
ClassConfidence), and are coloured by label, else by class. The result is an input of
classify --labels and propose --labels.

The format depends on the suffix of the output: .geojson always works; all others are
written by the GDAL of PDAL (.gpkg, .shp, .fgb, .kml, .parquet, … if it has the driver). A
GeoPackage includes a style for QGIS.

The files need superpoints: run pdal superpoint segment first.

  pdal superpoint outline segmented.laz superpoints.gpkg
  pdal superpoint outline --top segmented.laz map.gpkg
  pdal superpoint outline --top --label aerial segmented.laz labels.gpkg
  pdal superpoint outline --mean Intensity,Red --max_edge 1.5 a.laz b.laz superpoints.geojson

The options:`

func outlineCommand(a *arguments) func(names []string) error {
	o := &outlines{superpoints: newSuperpoints(a)}
	o.classOption()
	a.outputOption("`file` to write")
	mean := a.String("mean", "", "`list` of dimensions to average")
	a.BoolVar(&o.top, "top", false, "polygons of the view from above, without overlaps")
	cli.Float(a.FlagSet, &o.cell, "cell", 0, minLength, maxLength,
		"with --top: side of a cell, metres (default: the spacing of points)")
	label := a.String("label", "", "`classifier` whose classes QGIS offers as labels: built-in or a file")
	a.reads = []string{"label"}
	cli.Float(a.FlagSet, &o.maxEdge, "max_edge", 0, minLength, maxLength,
		"longest edge within a polygon, metres; with --top the widest gap that is closed (default: three times the "+
			"superpoint's median edge, at least twice the file's; with --top four cells)")
	return func(names []string) (err error) {
		from, name, err := a.split(names)
		if err != nil {
			return err
		}
		if len(from) == 0 {
			return errors.New("name point cloud files and, last, one output file, " +
				"for example superpoints.gpkg or superpoints.geojson")
		}
		out, err := a.openVectors(from, name)
		if err != nil {
			return err
		}
		if a.Changed("cell") && !o.top {
			return errors.New("option cell: only --top uses it; leave it out, or add --top")
		}
		if o.mean, err = dimensionList("mean", *mean); err != nil {
			return err
		}
		look := byID() // style
		if *label != "" {
			m, err := models.Classes("label", *label)
			if err != nil {
				return err
			}
			o.label = m.Card.Classes
			look = byLabel(o.label)
		}
		if _, err := readHeaders(a.host, from, "", ""); err != nil {
			return err
		}
		write := o.writeEach
		if o.top {
			write = o.writeTop
		}
		return out.write(layer{"superpoints", "MULTIPOLYGON", look, func(f *features) error { return write(from, f) }})
	}
}

// writeEach writes the outlines of the files one by one.
func (o *outlines) writeEach(files []string, out *features) error {
	for _, path := range files {
		f, err := o.open(path, len(files) > 1)
		if err != nil {
			return err
		}
		if err := out.begin(path, f.superpoints.columns.Reference); err != nil {
			return err
		}
		err = out.add(f.run("outlines"), f.groups.Len(),
			func(text []byte, k int) []byte { return f.feature(text, k, f.shape(k)) })
		if err != nil {
			return err
		}
	}
	return nil
}

// open reads a file and computes the columns of its superpoints.
func (o *outlines) open(path string, several bool) (*outlines, error) {
	s, f := *o.superpoints, *o
	f.superpoints = &s
	var wanted []string
	if o.label != nil {
		wanted = []string{confidenceDimension}
	}
	if err := f.read(path, o.mean, wanted); err != nil {
		return nil, err
	}
	if several {
		var err error
		if f.source, err = json.Marshal(filepath.Base(path)); err != nil {
			return nil, err
		}
	}
	return &f, f.describe()
}

// describe computes the columns of the attributes.
func (o *outlines) describe() error {
	o.spaced = o.spacing()
	classes, err := o.majority()
	if err != nil {
		return err
	}
	if o.label != nil {
		if classes, err = o.toLabel(classes); err != nil {
			return err
		}
	}
	o.area = make([]float64, o.groups.Len())
	o.columns = append(append(o.ids(), classes...),
		o.formColumn("zmin", 3, func(f *superpointstats.Form) float64 { return f.Min[2] }),
		o.formColumn("zmax", 3, func(f *superpointstats.Form) float64 { return f.Max[2] }),
		o.formColumn("height", 3, (*superpointstats.Form).Height),
		column{"area", 3, o.area})
	o.columns = append(o.columns, o.shapes()...)
	for _, name := range o.mean {
		values, _, err := o.groups.Statistics(o.run(name), o.superpoints.columns.Dimensions[name])
		if err != nil {
			return err
		}
		o.columns = append(o.columns, column{name + "_mean", 5, values})
	}
	return nil
}

// toLabel adds the empty column label and the column confidence, 0 without classes.
func (o *outlines) toLabel(columns []column) ([]column, error) {
	label := columnOf("label", 0, o.groups.Len(), func(int) float64 { return math.NaN() })
	confidence := column{name: "confidence", digits: 3, values: make([]float64, o.groups.Len())}
	if values := o.superpoints.columns.Dimensions[confidenceDimension]; values != nil {
		mean, _, err := o.groups.Statistics(o.run("confidence"), values)
		if err != nil {
			return nil, err
		}
		confidence.values = mean
	}
	return append([]column{label}, append(columns, confidence)...), nil
}

// outlines has the options of a run of outline, and the columns of one of its files.
type outlines struct {
	*superpoints
	top     bool
	maxEdge float64 // longest edge, or widest gap, in metres; 0 = from the spacing
	cell    float64 // of --top, in metres; 0 = the spacing
	mean    []string
	label   []classes.Class // choices of the column label; nil = no such column

	source  []byte  // the file's name in quotes; nil with one file
	spaced  float64 // point spacing in X and Y, metres
	columns []column
	area    []float64 // of the polygons, set by feature
}
