// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"fmt"
	"image/png"
	"io"
	"math"
	"strconv"

	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/files/atomicfile"
)

// Columns are the points of a file, in metres.
type Columns = host.Columns

// Names of panels; other names are dimensions.
const (
	Input       = "input"
	Boundaries  = "boundaries"
	Elevation   = "elevation"
	Intensity   = "intensity"
	Colors      = "rgb"
	Classes     = "class"
	trueObjects = "truth"
	Superpoints = "superpoint"
	Embedding   = "embedding"
)

// PanelNames describes the panels for help texts.
const PanelNames = "input (colour, else height and intensity), elevation, intensity, rgb, class, truth (objects of " +
	"PointSourceId), superpoint, boundaries (input with the outlines of superpoints), embedding, or the name of any " +
	"dimension"

// embedding returns the names of the columns of an embedding that a panel shows.
func embedding() (names []string) {
	for k := range 16 {
		names = append(names, "Embedding"+strconv.Itoa(k))
	}
	return names
}

// shown returns the dimensions that a panel shows if a file has them, and last the one that it needs; id is that of the
// superpoints.
func shown(panel, id string) []string {
	names, known := map[string][]string{
		Input: {"Red", "Green", "Blue", "Intensity"}, Boundaries: {"Red", "Green", "Blue", "Intensity", id},
		Elevation: nil, Intensity: {"Intensity"}, Colors: {"Red", "Green", "Blue"}, Classes: {"Classification"},
		trueObjects: {"PointSourceId"}, Superpoints: {id}, Embedding: embedding(),
	}[panel]
	if panel == Superpoints && id == ownIDs { // the colours are those of these ids
		names = []string{ownColors, id}
	}
	if !known {
		return []string{panel}
	}
	return names
}

// Dimensions returns the dimensions that panels show if a file has them; id is that of the superpoints.
func Dimensions(panels []string, id string) (names []string) {
	for _, p := range panels {
		names = append(names, shown(p, id)...)
	}
	return names
}

// Named returns the panel of that name (see PanelNames); id is the dimension
// with the superpoints. It fails, naming the dimension, when the columns lack
// what the panel shows.
func Named(name, id string, c *Columns) (Panel, error) {
	d, names := c.Dimensions, shown(name, id)
	colored := painted(d["Red"]) && painted(d["Green"]) && painted(d["Blue"])
	missing, values := "", []float64(nil)
	switch {
	case name == Input || name == Elevation:
	case name == Embedding && d[names[0]] == nil:
		missing = names[0]
	case name == Colors && !colored:
		missing = "Red, Green or Blue"
	case name != Colors && name != Embedding:
		if missing = names[len(names)-1]; d[missing] != nil {
			missing, values = "", d[missing]
		}
	}
	if missing != "" {
		return Panel{}, fmt.Errorf("panel %q needs the dimension %s, which the points do not have", name, missing)
	}
	input := func() func(int) RGB {
		if colored {
			return trueColor(d["Red"], d["Green"], d["Blue"])
		}
		return relief(c.Z, d["Intensity"])
	}
	switch name {
	case Input:
		return Panel{Title: "Input", Color: input()}, nil
	case Elevation:
		return Panel{Title: "Elevation", Color: scalar(c.Z)}, nil
	case Intensity:
		return Panel{Title: "Intensity", Color: grey(values)}, nil
	case Colors:
		return Panel{Title: "Colour", Color: input()}, nil
	case Classes:
		return Panel{Title: "Classes", Color: class(values), Legend: classLegend(values)}, nil
	case trueObjects:
		return Panel{Title: "True objects", Color: objects(values, nil)}, nil
	case Superpoints:
		var choice []float64
		if id == ownIDs {
			choice = d[ownColors]
		}
		return Panel{Title: message.Count(distinctIDs(values), "superpoint"), Color: objects(values, choice)}, nil
	case Boundaries:
		return Panel{Title: "Boundaries of " + message.Count(distinctIDs(values), "superpoint"), Color: input(),
			Edges: func(i int) uint32 { return idOf(values[i]) }}, nil
	case Embedding:
		var columns [][]float64
		for _, n := range names {
			if d[n] == nil {
				break
			}
			columns = append(columns, d[n])
		}
		return Panel{Title: "Learned embedding", Color: Projected(columns)}, nil
	}
	return Panel{Title: name, Color: scalar(values)}, nil
}

// painted reports whether a column of colour has more than one value: many files have colours that
// are all 0.
func painted(column []float64) bool {
	for _, v := range column {
		if v != column[0] {
			return true
		}
	}
	return false
}

// idOf returns the id of a value; 0, no superpoint, if it is not an id.
func idOf(v float64) uint32 {
	if !(v >= 1 && v <= math.MaxUint32) { // also NaN
		return 0
	}
	return uint32(v)
}

// distinctIDs counts the ids above 0.
func distinctIDs(column []float64) int {
	seen := map[uint32]bool{}
	for _, v := range column {
		seen[idOf(v)] = true
	}
	delete(seen, 0)
	return len(seen)
}

// File draws the named panels of the columns into a PNG file.
func File(run parallel.Run, to *atomicfile.Output, c *Columns, camera Camera, id string, names ...string) error {
	panels := make([]Panel, len(names))
	for i, name := range names {
		var err error
		if panels[i], err = Named(name, id, c); err != nil {
			return err
		}
	}
	picture, err := Panels(run, c, camera, panels...)
	if err != nil {
		return err
	}
	return to.Write(func(w io.Writer) error { return png.Encode(w, picture) })
}

// RGB is a colour.
type RGB [3]uint8

// Camera has the direction of view and the size of a panel.
type Camera struct {
	Azimuth float64 // degrees, direction that the viewer looks to, clockwise from +y
	Tilt    float64 // degrees below the horizon, in (0, 90]; 90 is a map
	Width   int     // pixels of a panel
}

// Panel is a colouring of the cloud.
type Panel struct {
	Title  string
	Color  func(point int) RGB
	Edges  func(point int) uint32 // groups whose boundaries are drawn over Color; nil = none
	Legend []Entry                // drawn below the panel
}

// Entry is a line of a legend.
type Entry struct {
	Text  string
	Color RGB
}
