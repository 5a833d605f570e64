package command

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"superpoint/embed/whole"
	"superpoint/filter/render"
)

// outlineStyle is a style of QGIS (QML). The colour depends on the id; of polygons
// that overlap the higher is drawn over the lower.
//
//go:embed outline.qml
var outlineStyle string

// buildingStyle and treeStyle are those of objects: a circle is as wide as its crown.
//
//go:embed buildings.qml
var buildingStyle string

//go:embed trees.qml
var treeStyle string

// byID is the style of outlines, with the palette of render.
func byID() style {
	var colours []string
	for _, c := range render.Palette() {
		colours = append(colours, fmt.Sprintf("'#%02x%02x%02x'", c[0], c[1], c[2]))
	}
	choice := fmt.Sprintf(`array_get(array(%s), "id" %% %d)`, strings.Join(colours, ","), len(colours))
	return style{strings.ReplaceAll(outlineStyle, "COLOUR", strings.ReplaceAll(choice, `"`, "&quot;")),
		"a colour for each id, the highest on top"}
}

// addStyles writes the styles into a GeoPackage, in the table in which QGIS keeps
// styles (layer_styles), where it takes them from when a layer is opened.
func (v *vectors) addStyles(gpkg string, layers []layer) error {
	var rows []any
	for _, l := range layers {
		rows = append(rows, map[string]any{"type": "Feature", "geometry": nil, "properties": map[string]any{
			"f_table_catalog": "", "f_table_schema": "", "f_table_name": l.name, "f_geometry_column": "geom",
			"styleName": l.name, "styleQML": l.style.qml, "styleSLD": "", "useAsDefault": true,
			"description": l.style.shows, "owner": "", "ui": "", "update_time": time.Now().UTC().Format(time.RFC3339),
		}})
	}
	text, err := json.Marshal(map[string]any{"type": "FeatureCollection", "name": "layer_styles", "features": rows})
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(gpkg), "style.json")
	defer os.Remove(path)
	if err := whole.Write(path, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	if err := v.convert(path, gpkg, "-f", "GPKG", "-update", "-nlt", "NONE", "-lco", "FID=id"); err != nil {
		return fmt.Errorf("%s: %w", v.to.Path(), err)
	}
	return nil
}
