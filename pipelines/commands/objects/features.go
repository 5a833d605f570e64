// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"image"

	"superpoint/pipelines/land/extraction"
	"superpoint/pipelines/layers"
)

// Layers returns the layers of buildings and trees; path is the first file, for errors.
func (o *Finding) Layers(path string) []layers.Layer {
	type shape func(text []byte, x *Mapped) []byte
	body := func(all []Mapped, columns []layers.Column, geometry shape) func(f *layers.Features) error {
		return func(f *layers.Features) error {
			if err := f.Begin(path, o.reference); err != nil {
				return err
			}
			return f.Add(o.Run("writing"), len(all), func(text []byte, k int) []byte {
				return append(geometry(layers.AppendProperties(text, nil, columns, k), &all[k]), '}')
			})
		}
	}
	crown := layers.ColumnOf("crown", 2, len(o.Trees),
		func(k int) float64 { return extraction.Diameter(o.Trees[k].Area) })
	crowns, columns := o.crownColumns()
	buildings := o.attributes(true, o.Buildings)
	trees := append(o.attributes(false, o.Trees), crown)
	return []layers.Layer{
		{Name: layers.Buildings, Geometry: "MULTIPOLYGON",
			Style:   layers.Style{Qml: layers.BuildingStyle, Shows: "buildings"},
			Columns: buildings, Body: body(o.Buildings, buildings, o.outline)},
		{Name: layers.Trees, Geometry: "POINT",
			Style:   layers.Style{Qml: layers.TreeStyle, Shows: "tops of trees"},
			Columns: trees, Body: body(o.Trees, trees, o.top)},
		{Name: layers.Crowns, Geometry: "MULTIPOLYGON", OnlyPackage: true,
			Style:   layers.Style{Qml: layers.CrownStyle, Shows: "crowns of trees"},
			Columns: columns, Body: body(crowns, columns, o.crown)},
	}
}

// crownColumns returns the trees that have a crown, and the columns of the layer of crowns. A crown has
// the id of its tree.
func (o *Finding) crownColumns() (trees []Mapped, columns []layers.Column) {
	var ids []float64
	for k := range o.Trees {
		if o.Trees[k].Crown != nil {
			trees = append(trees, o.Trees[k])
			ids = append(ids, float64(len(o.Buildings)+k+1))
		}
	}
	column := func(name string, digits int, value func(x *Mapped) float64) {
		columns = append(columns,
			layers.ColumnOf(name, digits, len(trees), func(k int) float64 { return value(&trees[k]) }))
	}
	columns = []layers.Column{{Name: "id", Values: ids}}
	column("class", 0, func(x *Mapped) float64 { return x.class })
	column("height", 2, func(x *Mapped) float64 { return x.Height })
	column("area", 1, func(x *Mapped) float64 { return x.CrownArea })
	column("edge", 0, func(x *Mapped) float64 { return x.Edge })
	if !o.NoConfidence {
		column("confidence", 3, func(x *Mapped) float64 { return x.Confidence })
	}
	return trees, columns
}

// attributes returns the columns of objects.
func (o *Finding) attributes(building bool, all []Mapped) []layers.Column {
	pick := func(name string, digits int, value func(k int, x *Mapped) float64) layers.Column {
		return layers.ColumnOf(name, digits, len(all), func(k int) float64 { return value(k, &all[k]) })
	}
	before := len(o.Buildings)
	if building {
		before = 0
	}
	columns := []layers.Column{
		pick("id", 0, func(k int, _ *Mapped) float64 { return float64(before + k + 1) }),
		pick("class", 0, func(_ int, x *Mapped) float64 { return x.class }),
		pick("height", 2, func(_ int, x *Mapped) float64 { return x.Height }),
		pick("ground", 2, func(_ int, x *Mapped) float64 { return x.Ground / o.Metres[2] }),
		pick("top", 2, func(_ int, x *Mapped) float64 { return x.z / o.Metres[2] }),
		pick("area", 1, func(_ int, x *Mapped) float64 { return x.Area }),
		pick("points", 0, func(_ int, x *Mapped) float64 { return float64(x.points) }),
		pick("superpoints", 0, func(_ int, x *Mapped) float64 { return float64(x.Superpoints) }),
		pick("edge", 0, func(_ int, x *Mapped) float64 { return x.Edge }),
	}
	if building {
		columns = append(columns, roofColumns(all)...)
	}
	if !o.NoConfidence {
		columns = append(columns,
			pick("confidence", 3, func(_ int, x *Mapped) float64 { return x.Confidence }))
	}
	if building && !o.NoConfidence {
		columns = append(columns, pick("doubtful", 0, func(_ int, x *Mapped) float64 {
			if x.Doubtful() {
				return 1
			}
			return 0
		}))
	}
	return columns
}

// outline appends a building's polygons as a GeoJSON geometry.
func (o *Finding) outline(text []byte, x *Mapped) []byte {
	shape := layers.LatticePolygons{Polygons: x.Outline, Least: x.Origin, Coarse: image.Pt(1, 1)}
	return shape.Append(text, o.decimals)
}

// crown appends a tree's polygons as a GeoJSON geometry.
func (o *Finding) crown(text []byte, x *Mapped) []byte {
	shape := layers.LatticePolygons{Polygons: x.Crown, Least: x.Origin, Coarse: image.Pt(1, 1)}
	return shape.Append(text, o.decimals)
}

// top appends a tree's position as a GeoJSON geometry.
func (o *Finding) top(text []byte, x *Mapped) []byte {
	return append(layers.AppendPosition(append(text, `{"type":"Point","coordinates":`...), x.at, o.decimals),
		'}')
}

// roofColumns returns the columns of the roofs of buildings. Heights are above the ground.
func roofColumns(all []Mapped) []layers.Column {
	form := layers.Column{Name: "roof", Words: make([]string, len(all))}
	for k := range all {
		form.Words[k] = all[k].Roof.Form.String()
	}
	column := func(name string, value func(x *Mapped) float64) layers.Column {
		return layers.ColumnOf(name, 2, len(all), func(k int) float64 { return value(&all[k]) })
	}
	return []layers.Column{
		form,
		column("eave", func(x *Mapped) float64 { return x.Roof.Eave - x.Ground }),
		column("ridge", func(x *Mapped) float64 { return x.Roof.Ridge - x.Ground }),
		column("block", (*Mapped).Block),
	}
}
