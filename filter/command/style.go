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

// style returns the style with the palette of render.
func style() string {
	var colours []string
	for _, c := range render.Palette() {
		colours = append(colours, fmt.Sprintf("'#%02x%02x%02x'", c[0], c[1], c[2]))
	}
	choice := fmt.Sprintf(`array_get(array(%s), "id" %% %d)`, strings.Join(colours, ","), len(colours))
	return strings.ReplaceAll(outlineStyle, "COLOUR", strings.ReplaceAll(choice, `"`, "&quot;"))
}

// addStyle writes the style into a GeoPackage, in the table in which QGIS keeps
// styles (layer_styles), where it takes it from when the layer is opened.
func (v *vectors) addStyle(gpkg string) error {
	text, err := json.Marshal(map[string]any{
		"type": "FeatureCollection", "name": "layer_styles",
		"features": []any{map[string]any{"type": "Feature", "geometry": nil, "properties": map[string]any{
			"f_table_catalog": "", "f_table_schema": "", "f_table_name": "superpoints", "f_geometry_column": "geom",
			"styleName": "superpoints", "styleQML": style(), "styleSLD": "", "useAsDefault": true,
			"description": "a colour for each id, the highest on " +
				"top", "owner": "", "ui": "", "update_time": time.Now().UTC().Format(time.RFC3339),
		}}},
	})
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(gpkg), "style.json")
	defer os.Remove(path)
	if err := whole.Write(path, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	return v.convert(path, gpkg, "-f", "GPKG", "-update", "-nlt", "NONE", "-lco", "FID=id")
}
