// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"time"

	"superpoint/embed/classes"
	"superpoint/pipelines/commands/render"
	"superpoint/pipelines/files/atomicfile"
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

// TreeStyle is the style of trees; a circle has the diameter of the crown.
//
//go:embed trees.qml
var TreeStyle string

// ByID returns the style of outlines, with the palette of render.
func ByID() Style {
	var colours []string
	for _, c := range render.Palette() {
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
			"description": l.Style.Shows, "owner": "", "ui": "", "update_time": time.Now().UTC().Format(time.RFC3339),
		}})
	}
	text, err := json.Marshal(map[string]any{"type": "FeatureCollection", "name": "layer_styles", "features": rows})
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(gpkg), "style.json")
	defer os.Remove(path)
	if err := atomicfile.Write(path, BytesOf(text)); err != nil {
		return err
	}
	if err := v.host.Convert(path, gpkg, "-f", "GPKG", "-update", "-nlt", "NONE", "-lco", "FID=id"); err != nil {
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

// labelClass is a class that labelStyle offers; the last one has no name and is that of polygons without a class.
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
		rgb := render.Palette()[k%len(render.Palette())]
		all = append(all, labelClass{c.Code, c.Name,
			cmp.Or(classColours()[c.Name], fmt.Sprintf("%d,%d,%d", rgb[0], rgb[1], rgb[2]))})
	}
	var b strings.Builder
	t := template.Must(template.New("label").Parse(labelStyle))
	if err := t.Execute(&b, append(all, labelClass{Colour: "200,200,200"})); err != nil { // never for a strings.Builder
		panic(err)
	}
	return Style{b.String(), "a colour for each class; labelled polygons have a thick outline"}
}
