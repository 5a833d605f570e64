package command

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/render"
)

// labelStyle colours by class and offers the classes for the column label.
//
//go:embed label.qml
var labelStyle string

// usualColours are those that maps of point clouds have for classes.
func usualColours() map[string]string {
	return map[string]string{"ground": "191,154,107", "vegetation": "90,174,97", "building": "214,96,77",
		"water": "67,147,195", "other": "153,112,171", "wire": "254,224,139", "bridge": "140,81,10"}
}

// byLabel is a style for polygons to be labelled: what has a label has a thick rim,
// what has none the colour of its class.
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
		name := escaped(c.Name)
		colour := usualColours()[c.Name]
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
	).Replace(labelStyle), "a colour for each class; labelled ones have a thick rim"}
}

func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil { // not of a string
		panic(err)
	}
	return b.String()
}
