package command

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/filter/census"
	"superpoint/partition/parallel"
)

const outlineUsage = `outline [options] FILE OUTPUT.gpkg|OUTPUT.geojson

Writes one polygon a superpoint, seen from above, in the file's own coordinates,
with the attributes

  id, count              id, number of points
  class, class_share     most frequent class and the share of points that have it
  zmin, zmax             lowest and highest Z, in the units of the file
  height                 zmax − zmin in metres
  area                   of the polygon, square metres
  linearity, planarity, scattering, verticality
                         form (Demantké et al. 2011), in [0, 1]
  NAME_mean              mean of the dimensions of --mean

The polygon is the Delaunay triangulation of the points without the triangles
that have an edge above --max_edge: holes stay holes, a superpoint in several
parts has several, which do not overlap. Points that span no triangle (a pole,
a wire) get the rectangle around them. GeoPackage is written by the GDAL of PDAL;
GeoJSON needs nothing.

The file needs superpoints: give it some with filters.superpoint first.

  pdal superpoint outline segmented.laz superpoints.gpkg
  pdal superpoint outline --mean Intensity,Red --max_edge 1.5 segmented.laz superpoints.geojson

The options:`

// Converter is a host that can write vector files.
type Converter interface {
	// Convert writes a GeoJSON file as another format of GDAL, given by the name
	// of its driver, in a spatial reference ("EPSG:32632" or well-known text; "" for
	// that of the GeoJSON).
	Convert(from, to, driver, reference string) error
}

// outlines is one run of outline.
type outlines struct {
	*superpoints
	maxEdge float64 // longest edge in metres; 0 = from the spacing
	spaced  float64 // metres between points seen from above
	columns []column
	area    []float64 // filled as polygons are made
}

func runOutline(host Host, args []string) error {
	o := &outlines{superpoints: newSuperpoints("outline", outlineUsage, host)}
	o.classOption()
	mean := o.args.String("mean", "", "dimensions whose mean to add, with commas between")
	o.args.Float64Var(&o.maxEdge, "max_edge", 0, "longest edge within a polygon, metres (default: three times the superpoint's median edge, at least twice the file's)")
	from, to, err := o.twoFiles(args, ".gpkg", ".geojson", ".json")
	if err != nil {
		return err
	}
	if given(o.args, "max_edge") && !(o.maxEdge > 0) {
		return fmt.Errorf("option max_edge: %v is not above 0", o.maxEdge)
	}
	converter, ok := host.(Converter)
	packed := strings.HasSuffix(strings.ToLower(to.Path()), ".gpkg")
	if packed && !ok {
		return fmt.Errorf("%s: GeoPackage needs the GDAL of PDAL, which this program lacks; write .geojson", to.Path())
	}
	dimensions, err := dimensionList("mean", *mean)
	if err != nil {
		return err
	}
	if err := o.read(from, dimensions, nil); err != nil {
		return err
	}
	if err := o.describe(dimensions); err != nil {
		return err
	}
	if !packed {
		if authority, _ := o.superpoints.columns.Reference.Code(); authority != "EPSG" {
			host.Log(filter.LogWarning, from+": no EPSG code in the spatial reference; GeoJSON is written without one, .gpkg keeps what there is")
		}
		return to.Write(o.write)
	}
	return to.File(func(temporary string) error {
		text := filepath.Join(filepath.Dir(temporary), "outline.geojson")
		if err := whole.Write(text, o.write); err != nil {
			return err
		}
		host.Log(filter.LogDebug, "writing "+to.Path())
		if err := converter.Convert(text, temporary, "GPKG", o.reference()); err != nil {
			return fmt.Errorf("%s: %w; .geojson needs no GDAL", to.Path(), err)
		}
		return nil
	})
}

// describe makes the columns of the attributes.
func (o *outlines) describe(dimensions []string) error {
	o.spaced = o.spacing()
	classes, err := o.majority()
	if err != nil {
		return err
	}
	o.area = make([]float64, o.groups.Len())
	o.columns = append(append(o.ids(), classes...),
		o.formColumn("zmin", 3, func(f *census.Form) float64 { return f.Min[2] }),
		o.formColumn("zmax", 3, func(f *census.Form) float64 { return f.Max[2] }),
		o.formColumn("height", 3, (*census.Form).Height),
		column{"area", 3, o.area})
	o.columns = append(o.columns, o.shapes()...)
	for _, name := range dimensions {
		values, _, err := o.groups.Statistics(o.run(name), o.superpoints.columns.Dimensions[name])
		if err != nil {
			return err
		}
		o.columns = append(o.columns, column{name + "_mean", 5, values})
	}
	return nil
}

// write writes GeoJSON. Polygons are made many at a time, and written in order.
func (o *outlines) write(w io.Writer) error {
	const many = 2048
	out := bufio.NewWriterSize(w, 1<<20)
	if _, err := out.WriteString(o.head()); err != nil {
		return err
	}
	n := o.groups.Len()
	made := make([][]byte, min(many, n))
	run := parallel.Run{Context: o.host.Context(), Threads: o.threads}
	for first := 0; first < n; first += many {
		some := made[:min(many, n-first)]
		err := run.For(len(some), 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				some[i] = o.feature(some[i][:0], first+i)
			}
		})
		if err != nil {
			return err
		}
		for i, text := range some {
			if first+i > 0 {
				text = append([]byte(",\n"), text...)
			}
			if _, err := out.Write(text); err != nil {
				return err
			}
		}
		o.host.Progress("outlines", float64(first+len(some))/float64(n))
	}
	if _, err := out.WriteString("\n]}\n"); err != nil {
		return err
	}
	return out.Flush()
}

// reference names the spatial reference for GDAL; "" if there is none.
func (o *outlines) reference() string {
	r := o.superpoints.columns.Reference
	if authority, code := r.Code(); authority == "EPSG" {
		return "EPSG:" + code
	}
	return r.WKT
}
