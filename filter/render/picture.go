package render

import (
	"fmt"
	"image/png"
	"io"
	"math"
	"strconv"

	"superpoint/embed/atomicfile"
	"superpoint/filter/message"
	"superpoint/partition/parallel"
)

// Columns are the points of a file by PDAL's names of dimensions.
type Columns struct {
	X, Y, Z    []float64
	Dimensions map[string][]float64
}

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

// maxEmbedding is the largest number of embedding columns that a panel shows.
const maxEmbedding = 16

// Dimensions returns the dimensions that panels show if a file has them; id is that of the superpoints.
func Dimensions(panels []string, id string) (names []string) {
	for _, p := range panels {
		switch p {
		case Input, Boundaries:
			if names = append(names, "Red", "Green", "Blue", "Intensity"); p == Boundaries {
				names = append(names, id)
			}
		case Elevation:
		case Intensity:
			names = append(names, "Intensity")
		case Colors:
			names = append(names, "Red", "Green", "Blue")
		case Classes:
			names = append(names, "Classification")
		case trueObjects:
			names = append(names, "PointSourceId")
		case Superpoints:
			names = append(names, id)
		case Embedding:
			names = append(names, embeddingNames(func(n string) bool { return n != embeddingName(maxEmbedding) })...)
		default:
			names = append(names, p)
		}
	}
	return names
}

func embeddingName(k int) string { return "Embedding" + strconv.Itoa(k) }

func embeddingNames(has func(string) bool) (names []string) {
	for k := 0; has(embeddingName(k)); k++ {
		names = append(names, embeddingName(k))
	}
	return names
}

// Named returns the panel of that name (see PanelNames); id is the dimension
// with the superpoints. It fails, naming the dimension, when the columns lack
// what the panel shows.
func Named(name, id string, c *Columns) (Panel, error) {
	d := c.Dimensions
	missing := func(n string) (Panel, error) {
		return Panel{}, fmt.Errorf("panel %q needs the dimension %s, which the points do not have", name, n)
	}
	colored := painted(d["Red"]) && painted(d["Green"]) && painted(d["Blue"])
	input := func() func(int) RGB {
		if colored {
			return True(d["Red"], d["Green"], d["Blue"])
		}
		return relief(c.Z, d["Intensity"])
	}
	group := func(n string) func(int) uint32 {
		column := d[n]
		return func(i int) uint32 { return idOf(column[i]) }
	}
	switch name {
	case Input:
		return Panel{Title: "Input", Color: input()}, nil
	case Elevation:
		return Panel{Title: "Elevation", Color: scalar(c.Z)}, nil
	case Intensity:
		if d["Intensity"] == nil {
			return missing("Intensity")
		}
		return Panel{Title: "Intensity", Color: Grey(d["Intensity"])}, nil
	case Colors:
		if !colored {
			return missing("Red, Green or Blue")
		}
		return Panel{Title: "Colour", Color: input()}, nil
	case Classes:
		if d["Classification"] == nil {
			return missing("Classification")
		}
		return Panel{Title: "Classes", Color: Class(d["Classification"]), Legend: classLegend(d["Classification"])}, nil
	case trueObjects:
		if d["PointSourceId"] == nil {
			return missing("PointSourceId")
		}
		return Panel{Title: "True objects", Group: group("PointSourceId")}, nil
	case Superpoints, Boundaries:
		if d[id] == nil {
			return missing(id)
		}
		title := message.Count(distinctIDs(d[id]), "superpoint")
		if name == Superpoints {
			return Panel{Title: title, Group: group(id)}, nil
		}
		return Panel{Title: "Boundaries of " + title, Color: input(), Edges: group(id), Boundaries: true}, nil
	case Embedding:
		names := embeddingNames(func(n string) bool { return d[n] != nil })
		if len(names) == 0 {
			return missing("Embedding0")
		}
		var columns [][]float64
		for _, n := range names {
			columns = append(columns, d[n])
		}
		return Panel{Title: "Learned embedding", Color: Projected(columns)}, nil
	}
	if d[name] == nil {
		return missing(name)
	}
	return Panel{Title: name, Color: scalar(d[name])}, nil
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
	picture, err := Panels(run, &Scene{X: c.X, Y: c.Y, Z: c.Z}, camera, panels...)
	if err != nil {
		return err
	}
	return to.Write(func(w io.Writer) error { return png.Encode(w, picture) })
}

// RGB is a colour.
type RGB [3]uint8

// Scene is a cloud to draw.
type Scene struct {
	X, Y, Z []float64
}

// Camera has the direction of view and the size of a panel.
type Camera struct {
	Azimuth  float64 // degrees, direction that the viewer looks to, clockwise from +y
	Tilt     float64 // degrees below the horizon, in (0, 90]; 90 is a map
	Width    int     // pixels of a panel
	Splat    float64 // factor on the size of points; 0 means 1
	NoShade  bool    // leave out the shading by depth
	Headline string  // line above the panels
	Scale    bool    // draw a scale bar below the panels
}

// DefaultCamera looks north-east from 38° above the horizon.
func DefaultCamera() Camera { return Camera{Azimuth: 30, Tilt: 38, Width: 960} }

// Panel is a colouring of the cloud. Exactly one of Color and Group is set.
type Panel struct {
	Title      string
	Color      func(point int) RGB
	Group      func(point int) uint32 // neighbouring groups get different colours; 0 is grey
	Boundaries bool                   // draw lines where groups meet; from Group or Edges
	Edges      func(point int) uint32 // groups whose boundaries are drawn over Color
	Legend     []Entry                // drawn below the panel
}

// Entry is a line of a legend.
type Entry struct {
	Text  string
	Color RGB
}
