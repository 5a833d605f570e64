// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"bufio"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"math"
	"slices"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/patch"
)

// solidEnding is the ending of CityJSON files.
const solidEnding = ".city.json"

// city is a file of CityJSON 2.0 (https://www.cityjson.org/specs/2.0.1/) with buildings as solids of level of
// detail 1: the footprint from the ground to the height of the block.
type city struct {
	Type      string                `json:"type"`
	Version   string                `json:"version"`
	Transform transform             `json:"transform"`
	Metadata  *cityMetadata         `json:"metadata,omitempty"`
	Objects   map[string]cityObject `json:"CityObjects"`
	Vertices  [][3]int              `json:"vertices"`

	index map[[3]int]int // of vertices
}

// transform returns coordinates from whole numbers: x·scale + translate.
type transform struct {
	Scale     [3]float64 `json:"scale"`
	Translate [3]float64 `json:"translate"`
}

type cityMetadata struct {
	Extent    []float64 `json:"geographicalExtent,omitempty"`
	Reference string    `json:"referenceSystem,omitempty"`
}

type cityObject struct {
	Type       string         `json:"type"`
	Attributes map[string]any `json:"attributes,omitempty"`
	Children   []string       `json:"children,omitempty"`
	Parents    []string       `json:"parents,omitempty"`
	Geometry   []cityGeometry `json:"geometry,omitempty"`
}

type cityGeometry struct {
	Type       string        `json:"type"`
	LOD        string        `json:"lod"`
	Boundaries [][][][]int   `json:"boundaries"` // shells, surfaces, rings, vertices
	Semantics  citySemantics `json:"semantics"`
}

type citySemantics struct {
	Surfaces []citySurface `json:"surfaces"`
	Values   [][]int       `json:"values"`
}

type citySurface struct {
	Type string `json:"type"`
}

// HasSolids reports whether the coordinates are lengths, so that a building has a volume.
func (o *Finding) HasSolids() bool { return o.Metres[1] < 1000 }

// WriteSolids writes the buildings as CityJSON. It fails for degrees.
func (o *Finding) WriteSolids(to *atomicfile.Output) error {
	if err := o.checkVolumes(to, "CityJSON"); err != nil {
		return err
	}
	made := o.city()
	return to.Write(func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<20)
		if err := json.NewEncoder(out).Encode(made); err != nil {
			return err
		}
		return out.Flush()
	})
}

// checkVolumes fails for degrees.
func (o *Finding) checkVolumes(to *atomicfile.Output, format string) error {
	if o.HasSolids() {
		return nil
	}
	return fmt.Errorf("%s: %s needs lengths, and the coordinates are degrees; reproject the files "+
		"first with filters.reprojection, or write a GeoPackage", to.Path(), format)
}

// city returns the buildings.
func (o *Finding) city() *city {
	made := &city{Type: "CityJSON", Version: "2.0", Objects: map[string]cityObject{}, Vertices: [][3]int{},
		index: map[[3]int]int{}}
	decimals := [3]int{o.decimals, o.decimals, layers.Decimals(o.Metres[2])}
	for axis, d := range decimals {
		made.Transform.Scale[axis] = math.Pow10(-d)
	}
	steps := math.Pow10(o.decimals) // of the lattice in a unit
	first := o.firstCorner()
	west := math.Floor(float64(first.X) / steps)
	south := math.Floor(float64(first.Y) / steps)
	made.Transform.Translate[0] = west
	made.Transform.Translate[1] = south
	origin := image.Pt(int(west), int(south)).Mul(int(steps))
	columns := o.attributes(true, o.Buildings)
	for k := range o.Buildings {
		o.addSolids(made, k, columns, origin)
	}
	made.Metadata = o.metadata(made)
	return made
}

// firstCorner returns the smallest coordinates of the footprints.
func (o *Finding) firstCorner() image.Point {
	least := image.Pt(math.MaxInt, math.MaxInt)
	for k := range o.Buildings {
		x := &o.Buildings[k]
		for _, polygon := range x.Outline {
			for _, c := range polygon[0] {
				least.X = min(least.X, x.Origin.X+int(c.X))
				least.Y = min(least.Y, x.Origin.Y+int(c.Y))
			}
		}
	}
	if least.X == math.MaxInt {
		return image.Point{}
	}
	return least
}

// metadata returns the extent and the spatial reference, nil without either.
func (o *Finding) metadata(c *city) *cityMetadata {
	made := &cityMetadata{}
	if authority, code := o.reference.Code(); code != "" {
		made.Reference = "https://www.opengis.net/def/crs/" + authority + "/0/" + code
	}
	if len(c.Vertices) > 0 {
		low := c.Vertices[0]
		high := low
		for _, v := range c.Vertices {
			for axis := range v {
				low[axis] = min(low[axis], v[axis])
				high[axis] = max(high[axis], v[axis])
			}
		}
		made.Extent = append(c.place(low), c.place(high)...)
	}
	if made.Extent == nil && made.Reference == "" {
		return nil
	}
	return made
}

// place returns the coordinates of a vertex.
func (c *city) place(v [3]int) (all []float64) {
	for axis, steps := range v {
		all = append(all, float64(steps)*c.Transform.Scale[axis]+c.Transform.Translate[axis])
	}
	return all
}

// addSolids adds a building: a solid, or a part with a solid for each polygon of several.
func (o *Finding) addSolids(c *city, k int, columns []layers.Column, origin image.Point) {
	x := &o.Buildings[k]
	moved := x.Origin.Sub(origin)
	up := c.Transform.Scale[2] * o.Metres[2]
	low := int(math.Round(x.Ground / up))
	high := max(low+1, int(math.Round((x.Ground+x.Block())/up)))
	name := fmt.Sprintf("building-%d", k+1)
	whole := cityObject{Type: "Building", Attributes: solidAttributes(columns, k)}
	if len(x.Outline) == 1 {
		whole.Geometry = []cityGeometry{c.block(x.Outline[0], moved, low, high)}
		c.Objects[name] = whole
		return
	}
	for n, polygon := range x.Outline {
		part := fmt.Sprintf("%s-%d", name, n+1)
		c.Objects[part] = cityObject{Type: "BuildingPart", Parents: []string{name},
			Geometry: []cityGeometry{c.block(polygon, moved, low, high)}}
		whole.Children = append(whole.Children, part)
	}
	c.Objects[name] = whole
}

// solidAttributes returns the attributes of a building: the columns of its footprint, and the standard ones.
func solidAttributes(columns []layers.Column, k int) map[string]any {
	all := map[string]any{}
	for _, column := range columns {
		all[column.Name] = column.JSON(k)
	}
	all["measuredHeight"] = all["height"]
	all["roofType"] = all["roof"]
	return all
}

// block returns the solid over a polygon between two heights. Seen from outside its surfaces are
// counter-clockwise.
func (c *city) block(polygon patch.Polygon, moved image.Point, low, high int) cityGeometry {
	var below, above [][]int // rings
	var walls [][][]int
	for _, ring := range polygon {
		var bottom, lid []int
		for _, corner := range ring {
			at := image.Pt(int(corner.X), int(corner.Y)).Add(moved)
			bottom = append(bottom, c.vertex(at.X, at.Y, low))
			lid = append(lid, c.vertex(at.X, at.Y, high))
		}
		for i := range bottom {
			next := (i + 1) % len(bottom)
			walls = append(walls, [][]int{{bottom[i], bottom[next], lid[next], lid[i]}})
		}
		below = append(below, reversed(bottom))
		above = append(above, lid)
	}
	const ground, roof, wall = 0, 1, 2
	shell := append([][][]int{below, above}, walls...)
	kinds := append([]int{ground, roof}, slices.Repeat([]int{wall}, len(walls))...)
	return cityGeometry{Type: "Solid", LOD: "1", Boundaries: [][][][]int{shell}, Semantics: citySemantics{
		Surfaces: []citySurface{{"GroundSurface"}, {"RoofSurface"}, {"WallSurface"}},
		Values:   [][]int{kinds},
	}}
}

// reversed returns a ring in the other direction, from the same vertex.
func reversed(ring []int) (made []int) {
	for i := range ring {
		made = append(made, ring[(len(ring)-i)%len(ring)])
	}
	return made
}

// vertex returns the number of a vertex.
func (c *city) vertex(x, y, z int) int {
	at := [3]int{x, y, z}
	number, known := c.index[at]
	if !known {
		number = len(c.Vertices)
		c.index[at] = number
		c.Vertices = append(c.Vertices, at)
	}
	return number
}
