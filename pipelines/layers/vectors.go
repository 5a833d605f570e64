// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"superpoint/embed/classes"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/paint"
	"superpoint/pipelines/files/atomicfile"
)

const (
	geoPackage  = ".gpkg" // with several layers, styles and all references
	geoJSON     = ".geojson"
	bothFormats = "a GeoPackage (" + geoPackage + ") or GeoJSON (" + geoJSON + ", which needs no GDAL)"
)

// CheckEnding fails unless a file to write has the suffix of a format of vectors.
func CheckEnding(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case geoPackage, geoJSON, ".json":
		return nil
	}
	return fmt.Errorf("%s: the output, the last name, is %s; ogr2ogr and QGIS write other formats of it",
		path, bothFormats)
}

// NewVectors returns a vector file to write. It fails early if it cannot be written.
func NewVectors(h host.Host, to *atomicfile.Output) (*Vectors, error) {
	v := &Vectors{h, to}
	if !v.isGeoPackage() {
		return v, nil
	}
	if err := h.Convert("", to.Path(), "-f", "GPKG"); err != nil {
		return nil, fmt.Errorf("%s: %w; write %s, which needs none", to.Path(), err, geoJSON)
	}
	return v, nil
}

func (v *Vectors) isGeoPackage() bool {
	return strings.EqualFold(filepath.Ext(v.to.Path()), geoPackage)
}

// Write writes the file.
func (v *Vectors) Write(layers ...Layer) error {
	if !v.isGeoPackage() {
		layers = slices.DeleteFunc(slices.Clone(layers), func(l Layer) bool { return l.OnlyPackage })
		f := &Features{host: v.host, name: layers[0].Name}
		err := v.to.Write(f.writer(layers))
		switch authority, _ := f.reference.Code(); {
		case err != nil || authority == epsg:
		case f.reference.WKT == "":
			v.host.Log(message.Warning,
				f.first+": it has no spatial reference, and neither has the GeoJSON; set it with "+
					"--default_srs")
		default:
			v.host.Log(message.Warning,
				f.first+": no EPSG code in the spatial reference; GeoJSON is written without one; "+
					"use .gpkg to keep it")
		}
		return err
	}
	return v.to.File(func(temporary string) error {
		for i := range layers {
			if err := v.writeLayer(layers[i:i+1], i > 0, temporary); err != nil {
				return err
			}
		}
		return v.addStyles(temporary, layers)
	})
}

// writeLayer writes one layer, by way of a temporary GeoJSON file. It is kept until all is written, so that
// the disk is still full if GDAL filled it.
func (v *Vectors) writeLayer(l []Layer, further bool, to string) error {
	geojson := filepath.Join(filepath.Dir(to), "."+l[0].Name+".json")
	f := &Features{host: v.host, name: l[0].Name, types: l[0].Columns}
	if err := atomicfile.Write(geojson, f.writer(l)); err != nil {
		return err
	}
	v.host.Log(message.Debug, "writing "+v.to.Path())
	if err := v.host.Convert(geojson, to, gdalArguments(&l[0], further, f.reference)...); err != nil {
		return fmt.Errorf("%s: %w", v.to.Path(), err)
	}
	return nil
}

// gdalArguments returns the arguments of ogr2ogr for a layer. Ids are an attribute and not the feature id,
// because Superpoints of different files may have equal ids.
func gdalArguments(l *Layer, further bool, reference georef.Reference) []string {
	arguments := []string{"-f", "GPKG", "-unsetFid", "-nln", l.Name, "-nlt", l.Geometry, "-a_srs",
		GDALReference(reference), "-lco", "FID=fid"}
	if l.Columns != nil {
		arguments = append(arguments, "-where", fmt.Sprintf("%s <> %d", l.Columns[0].Name, typesID))
	}
	if further {
		arguments = append(arguments, "-update")
	}
	return arguments
}

// NoReference stands for no spatial reference in arguments of GDAL.
const NoReference = "NULL"

// GDALReference returns a spatial reference for GDAL, on one line.
func GDALReference(r georef.Reference) string {
	if authority, code := r.Code(); authority == epsg {
		return "EPSG:" + code
	}
	if strings.TrimSpace(r.WKT) == "" {
		return NoReference
	}
	return strings.Join(slices.Collect(strings.FieldsSeq(r.WKT)), " ")
}

// Style is a style of QGIS (QML) for a layer, and its description.
type Style struct{ Qml, Shows string }

// Vectors is a vector file to write.
type Vectors struct {
	host host.Host
	to   *atomicfile.Output
}

// Layer is a layer of a vector file. In GeoJSON the features of all layers are in one list.
type Layer struct {
	Name     string
	Geometry string // GDAL's name of its type
	Style    Style  // in a GeoPackage
	// OnlyPackage leaves the layer out of GeoJSON.
	OnlyPackage bool
	// Columns are those of the features, an id first, if a GeoPackage has their types whatever the features:
	// else a column without a value is text, and a layer without features has no columns.
	Columns []Column
	Body    func(f *Features) error
}

// Names of layers of objects.
const (
	Buildings = "buildings"
	Trees     = "trees"
	Crowns    = "crowns" // in a GeoPackage
	Water     = "water"  // in a map
)

// outlineStyle is a style of QGIS (QML). The colour depends on the id; of polygons
// that overlap the higher is drawn over the lower.
//
//go:embed outline.qml
var outlineStyle string

// BuildingStyle is the style of buildings.
//
//go:embed buildings.qml
var BuildingStyle string

// TreeStyle is the style of trees: points at their tops.
//
//go:embed trees.qml
var TreeStyle string

// CrownStyle is the style of crowns.
//
//go:embed crowns.qml
var CrownStyle string

// WaterStyle is the style of bodies of water.
//
//go:embed water.qml
var WaterStyle string

// ByID returns the style of outlines, with the palette of pictures.
func ByID() Style {
	var colours []string
	for _, c := range paint.Palette() {
		colours = append(colours, fmt.Sprintf("'#%02x%02x%02x'", c[0], c[1], c[2]))
	}
	choice := fmt.Sprintf(`array_get(array(%s), "id" %% %d)`, strings.Join(colours, ","), len(colours))
	return Style{strings.ReplaceAll(outlineStyle, "COLOUR", strings.ReplaceAll(choice, `"`, "&quot;")),
		"a colour for each id, the highest superpoint on top"}
}

// addStyles writes the styles into the table layer_styles of a GeoPackage, from which QGIS
// reads them when it opens a layer.
func (v *Vectors) addStyles(gpkg string, layers []Layer) error {
	var rows []any
	for _, l := range layers {
		rows = append(rows, map[string]any{"type": "Feature", "geometry": nil, "properties": map[string]any{
			"f_table_catalog": "", "f_table_schema": "", "f_table_name": l.Name, "f_geometry_column": "geom",
			"styleName": l.Name, "styleQML": l.Style.Qml, "styleSLD": "", "useAsDefault": true,
			"description": l.Style.Shows, "owner": "", "ui": "",
			"update_time": time.Now().UTC().Format(time.RFC3339),
		}})
	}
	text, err := json.Marshal(map[string]any{"type": "FeatureCollection", "name": "layer_styles",
		"features": rows})
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(gpkg), "style.json")
	defer os.Remove(path)
	if err := atomicfile.Write(path, atomicfile.Bytes(text)); err != nil {
		return err
	}
	if err := v.host.Convert(path, gpkg, "-f", "GPKG", "-update", "-nlt", "NONE", "-lco",
		"FID=id"); err != nil {
		return fmt.Errorf("%s: %w", v.to.Path(), err)
	}
	return nil
}

// labelStyle colours by class and offers the classes for the column label.
//
//go:embed label.qml
var labelStyle string

// classColours returns the usual colours of classes in maps of point clouds.
func classColours() map[string]string {
	return map[string]string{"ground": "191,154,107", "vegetation": "90,174,97", "building": "214,96,77",
		"water": "67,147,195", "other": "153,112,171", "wire": "254,224,139", "bridge": "140,81,10"}
}

// labelClass is a class that labelStyle offers; the last one has no name and is for polygons without a class.
type labelClass struct {
	Code         int
	Name, Colour string
}

// Quoted returns the name for an expression between quotes.
func (c labelClass) Quoted() string { return strings.ReplaceAll(c.Name, "'", "''") }

// ByLabel returns a style for labelling: polygons have the colour of their label or else
// of their class, and a thick outline if they have a label.
func ByLabel(known []classes.Class) Style {
	var all []labelClass
	for k, c := range known {
		rgb := paint.Palette()[k%len(paint.Palette())]
		all = append(all, labelClass{c.Code, c.Name,
			cmp.Or(classColours()[c.Name], fmt.Sprintf("%d,%d,%d", rgb[0], rgb[1], rgb[2]))})
	}
	var b strings.Builder
	t := template.Must(template.New("label").Parse(labelStyle))
	// never for a strings.Builder
	if err := t.Execute(&b, append(all, labelClass{Colour: "200,200,200"})); err != nil {
		panic(err)
	}
	return Style{b.String(), "a colour for each class; labelled polygons have a thick outline"}
}
