// SPDX-License-Identifier: BSD-3-Clause

package rasters

import (
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/layers"
)

// LayerOfWater says how the layer of bodies of water is written.
type LayerOfWater struct {
	Run            parallel.Run
	At             Place
	File           string // of points, which the layer names as its source
	Before         int    // objects, whose ids come before the ids of water
	Class          int    // code of water in the files
	WithConfidence bool   // its column is written
}

// Layer returns the layer of bodies of water.
func (w *Water) Layer(o LayerOfWater) layers.Layer {
	columns := w.columns(o)
	write := func(f *layers.Features) error {
		if err := f.Begin(o.File, o.At.Reference); err != nil {
			return err
		}
		decimals := layers.Decimals(o.At.Metres[1])
		return f.Add(o.Run, len(w.lakes), func(text []byte, k int) []byte {
			text = layers.AppendProperties(text, nil, columns, k)
			return append(w.lakes[k].Append(text, decimals), '}')
		})
	}
	return layers.Layer{Name: layers.Water, Geometry: "MULTIPOLYGON",
		Style:   layers.Style{Qml: layers.WaterStyle, Shows: "bodies of water"},
		Columns: columns, Body: write}
}

// columns returns the columns of bodies of water.
func (w *Water) columns(o LayerOfWater) []layers.Column {
	column := func(name string, digits int, value func(l *lake) float64) layers.Column {
		return layers.ColumnOf(name, digits, len(w.lakes), func(k int) float64 { return value(&w.lakes[k]) })
	}
	columns := []layers.Column{
		layers.ColumnOf("id", 0, len(w.lakes), func(k int) float64 { return float64(o.Before + k + 1) }),
		column("class", 0, func(*lake) float64 { return float64(o.Class) }),
		column("area", 1, func(l *lake) float64 { return l.area }),
		column("level", 2, func(l *lake) float64 { return l.level }),
		column("points", 0, func(l *lake) float64 { return float64(l.points) }),
		column("edge", 0, func(l *lake) float64 { return l.edge }),
	}
	if !o.WithConfidence {
		return columns
	}
	return append(columns, column("confidence", 3, func(l *lake) float64 { return l.confidence }))
}
