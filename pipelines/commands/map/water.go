// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"cmp"
	"image"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/land/raster"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/patch"
)

// defaultMinWater is the area in square metres below which bodies of water are left out: puddles and wet
// roofs.
const defaultMinWater = 25

// lake is a body of water of the map, also a stream.
type lake struct {
	layers.LatticePolygons
	area       float64 // square metres
	level      float64 // unit of heights; NaN if it slopes
	points     int
	confidence float64 // mean of its points; NaN if unknown
	edge       float64 // 1 if it is at the edge of the tiles, and may go on there
}

// findWater sets the bodies of water that are large enough, the largest first.
func (m *mapping) findWater(run parallel.Run) error {
	shores, err := m.model.Shores(run)
	if err != nil {
		return err
	}
	confidence, points := m.model.MeansInWater(m.confidence)
	for k, body := range m.model.Bodies {
		m.coarsest = max(m.coarsest, shores[k].Factor)
		found := lake{LatticePolygons: m.onLattice(shores[k]), level: math.NaN(), points: int(points[k]),
			confidence: confidence[k]}
		if body.IsLevel {
			found.level = body.Level
		}
		if m.NoConfidence {
			found.confidence = math.NaN()
		}
		found.area = found.Area(m.Stride)
		isLarge := found.area >= m.minWater
		m.shown = append(m.shown, isLarge)
		if isLarge {
			found.edge = m.atEdge(&found)
			m.water = append(m.water, found)
		}
	}
	slices.SortStableFunc(m.water, func(a, b lake) int { return cmp.Compare(b.area, a.area) })
	return nil
}

// onLattice returns the outline of a body of water on the lattice of decimals.
func (m *mapping) onLattice(shore raster.Shore) layers.LatticePolygons {
	scale := math.Pow10(layers.Decimals(m.Metres[1]))
	lattice := func(halves int) int { return int(math.Round(float64(halves) / 2 * m.model.Side * scale)) }
	origin := image.Pt(lattice(2*shore.Origin.X), lattice(2*shore.Origin.Y))
	made := layers.LatticePolygons{Least: origin, Coarse: image.Pt(1, 1)}
	for _, polygon := range shore.Polygons {
		var rings patch.Polygon
		for _, ring := range polygon {
			moved := make(patch.Ring, len(ring))
			for k, corner := range ring {
				x := lattice(2*shore.Origin.X+int(corner.X)) - origin.X
				y := lattice(2*shore.Origin.Y+int(corner.Y)) - origin.Y
				moved[k] = patch.Point{X: int32(x), Y: int32(y)}
			}
			rings = append(rings, moved)
		}
		made.Polygons = append(made.Polygons, rings)
	}
	return made
}

// atEdge returns 1 if a body of water is within a cell of the edge of the tiles, else 0.
func (m *mapping) atEdge(l *lake) float64 {
	reach := image.Pt(int(m.resolution/m.Stride[0]), int(m.resolution/m.Stride[1]))
	for _, polygon := range l.Polygons {
		for _, corner := range polygon[0] {
			at := l.Least.Add(image.Pt(int(corner.X), int(corner.Y)))
			for _, to := range [4]image.Point{{reach.X, 0}, {-reach.X, 0}, {0, reach.Y}, {0, -reach.Y}} {
				if !m.inTile(at.Add(to)) {
					return 1
				}
			}
		}
	}
	return 0
}

// inTile reports whether a lattice position is in a tile.
func (m *mapping) inTile(at image.Point) bool {
	for _, t := range m.Tiles {
		if at.In(t.Area) {
			return true
		}
	}
	return false
}

// waterLayer returns the layer of bodies of water.
func (m *mapping) waterLayer() layers.Layer {
	columns := m.waterColumns()
	write := func(f *layers.Features) error {
		if err := f.Begin(m.files[0], m.Reference()); err != nil {
			return err
		}
		decimals := layers.Decimals(m.Metres[1])
		return f.Add(m.Run("writing"), len(m.water), func(text []byte, k int) []byte {
			text = layers.AppendProperties(text, nil, columns, k)
			return append(m.water[k].Append(text, decimals), '}')
		})
	}
	return layers.Layer{Name: layers.Water, Geometry: "MULTIPOLYGON",
		Style: layers.Style{Qml: layers.WaterStyle, Shows: "bodies of water"}, Body: write}
}

// waterColumns returns the columns of bodies of water. Their ids follow those of buildings and trees.
func (m *mapping) waterColumns() []layers.Column {
	before := len(m.Buildings) + len(m.Trees)
	column := func(name string, digits int, value func(l *lake) float64) layers.Column {
		return layers.ColumnOf(name, digits, len(m.water), func(k int) float64 { return value(&m.water[k]) })
	}
	columns := []layers.Column{
		layers.ColumnOf("id", 0, len(m.water), func(k int) float64 { return float64(before + k + 1) }),
		column("class", 0, func(*lake) float64 { return float64(m.codes.Of(contents.Water)) }),
		column("area", 1, func(l *lake) float64 { return l.area }),
		column("level", 2, func(l *lake) float64 { return l.level }),
		column("points", 0, func(l *lake) float64 { return float64(l.points) }),
		column("edge", 0, func(l *lake) float64 { return l.edge }),
	}
	if m.NoConfidence {
		return columns
	}
	return append(columns, column("confidence", 3, func(l *lake) float64 { return l.confidence }))
}
