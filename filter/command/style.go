package command

import (
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"superpoint/embed/atomicfile"
	"superpoint/embed/classes"
	"superpoint/filter/render"
)

// outlineStyle is a style of QGIS (QML). The colour depends on the id; of polygons
// that overlap the higher is drawn over the lower.
//
//go:embed outline.qml
var outlineStyle string

// buildingStyle and treeStyle are the styles of objects; a tree's circle has the diameter of
// its crown.
//
//go:embed buildings.qml
var buildingStyle string

//go:embed trees.qml
var treeStyle string

// byID returns the style of outlines, with the palette of render.
func byID() style {
	var colours []string
	for _, c := range render.Palette() {
		colours = append(colours, fmt.Sprintf("'#%02x%02x%02x'", c[0], c[1], c[2]))
	}
	choice := fmt.Sprintf(`array_get(array(%s), "id" %% %d)`, strings.Join(colours, ","), len(colours))
	return style{strings.ReplaceAll(outlineStyle, "COLOUR", strings.ReplaceAll(choice, `"`, "&quot;")),
		"a colour for each id, the highest superpoint on top"}
}

// addStyles writes the styles into the table layer_styles of a GeoPackage, from which QGIS
// reads them when it opens a layer.
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
	if err := atomicfile.Write(path, bytesOf(text)); err != nil {
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

// byLabel returns a style for labelling: polygons have the colour of their label or else
// of their class, and a thick outline if they have a label.
func byLabel(known []classes.Class) style {
	var cases, categories, symbols, choices strings.Builder
	palette := render.Palette()
	add := func(k int, value, shown, colour string) {
		fmt.Fprintf(&categories, `<category value="%s" symbol="%d" label="%s" render="true" type="string"/>`, value, k, shown)
		fmt.Fprintf(&symbols, `<symbol type="fill" name="%d" alpha="0.75" clip_to_extent="1" force_rhr="0">`+
			`<layer class="SimpleFill" enabled="1" locked="0" pass="0"><Option type="Map">`+
			`<Option type="QString" name="color" value="%s,255"/><Option type="QString" name="style" value="solid"/>`+
			`<Option type="QString" name="outline_color" value="35,35,35,255"/>`+
			`<Option type="QString" name="outline_style" value="solid"/>`+
			`<Option type="QString" name="outline_width" value="0.1"/>`+
			`<Option type="QString" name="outline_width_unit" value="MM"/></Option>`+
			`<data_defined_properties><Option type="Map"><Option type="QString" name="name" value=""/>`+
			`<Option type="Map" name="properties"><Option type="Map" name="outlineWidth">`+
			`<Option type="bool" name="active" value="true"/><Option type="QString" name="expression" `+
			`value="if(coalesce(&quot;label&quot;,'')='',0.1,0.8)"/><Option type="int" name="type" value="3"/>`+
			`</Option></Option><Option type="QString" name="type" value="collection"/></Option>`+
			`</data_defined_properties></layer></symbol>`,
			k, colour)
	}
	for k, c := range known {
		name := escapeXML(c.Name)
		colour := classColours()[c.Name]
		if colour == "" {
			rgb := palette[k%len(palette)]
			colour = fmt.Sprintf("%d,%d,%d", rgb[0], rgb[1], rgb[2])
		}
		add(k, name, name, colour)
		fmt.Fprintf(&cases, " when &quot;class&quot;=%d then '%s'", c.Code, strings.ReplaceAll(name, "'", "''"))
		fmt.Fprintf(&choices, `<Option type="Map"><Option type="QString" name="%s" value="%s"/></Option>`, name, name)
	}
	add(len(known), "", "no class", "200,200,200")
	return style{strings.NewReplacer(
		"CASES",
		cases.String(),
		"CATEGORIES",
		categories.String(),
		"SYMBOLS",
		symbols.String(),
		"CHOICES",
		choices.String(),
	).Replace(labelStyle), "a colour for each class; labelled polygons have a thick outline"}
}

func escapeXML(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil { // never for a strings.Builder
		panic(err)
	}
	return b.String()
}
