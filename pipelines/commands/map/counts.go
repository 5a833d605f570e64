// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"cmp"
	"encoding/csv"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
)

// classCount has the statistics of a class.
type classCount struct {
	Code       int
	Name       string
	Points     int
	Share      float64 // of all points
	Confidence float64 // mean ClassConfidence of the points that got this class; NaN if unknown
	given      int     // number of these points
}

// tileCounts has the counts of the classes of a tile.
type tileCounts struct {
	path    string
	points  int
	classes map[int]*classCount // by code; Confidence is a sum
}

// countTile counts the classes of a tile.
func (m *mapping) countTile(path string, c *command.Columns) tileCounts {
	tile := tileCounts{path: path, points: len(c.X), classes: map[int]*classCount{}}
	confidence := c.Dimensions[command.ConfidenceDimension]
	for i, v := range c.Dimensions[m.Class] {
		code := int(v)
		k := tile.classes[code]
		if k == nil {
			k = &classCount{Code: code, Name: m.codes.Name(code)}
			tile.classes[code] = k
		}
		k.Points++
		// 0: noise; 1: the class comes from the input
		if confidence != nil && confidence[i] > 0 && confidence[i] < 1 {
			k.Confidence += confidence[i]
			k.given++
		}
	}
	return tile
}

// writeCounts writes the points, the share and the mean confidence of each class in each tile as a table. A
// confidence that is not known is empty.
func (m *mapping) writeCounts() error {
	to, err := m.output(contents.Counts)
	if err != nil {
		return err
	}
	return to.Write(func(w io.Writer) error {
		out := csv.NewWriter(w)
		rows := [][]string{{"tile", "class", "name", "points", "share", "confidence"}}
		for _, tile := range m.tiles {
			for _, code := range slices.Sorted(maps.Keys(tile.classes)) {
				rows = append(rows, tile.row(tile.classes[code]))
			}
		}
		return out.WriteAll(rows)
	})
}

// row returns the row of a class.
func (t *tileCounts) row(c *classCount) []string {
	confidence := ""
	if c.given > 0 {
		confidence = strconv.FormatFloat(c.Confidence/float64(c.given), 'f', 3, 64)
	}
	share := strconv.FormatFloat(float64(c.Points)/float64(t.points), 'f', 5, 64)
	return []string{filepath.Base(t.path), strconv.Itoa(c.Code), c.Name, strconv.Itoa(c.Points),
		share, confidence}
}

// count counts the classes of a tile. It collects the points that are near others for the rasters and the
// picture, with their classes as codes of LAS.
func (m *mapping) count(path string, c *command.Columns, near []*command.Columns) {
	tile := m.countTile(path, c)
	m.tiles = append(m.tiles, tile)
	for code, of := range tile.classes {
		if m.counts[code] == nil {
			m.counts[code] = &classCount{Code: code, Name: of.Name}
		}
		sum := m.counts[code]
		sum.Points += of.Points
		sum.Confidence += of.Confidence
		sum.given += of.given
	}
	m.points += len(c.X)
	for _, c := range near {
		class := c.Dimensions[m.Class]
		for i, v := range class {
			if of, is := m.back[int(v)]; is {
				class[i] = float64(of)
			}
		}
		m.collect(c)
		m.sample.add(c, m.Class, m.Id)
	}
}

// sort sets classes from counts.
func (m *mapping) sort() {
	for _, c := range m.counts {
		c.Share = float64(c.Points) / float64(m.points)
		if c.Confidence /= float64(c.given); m.NoConfidence { // NaN without points
			c.Confidence = math.NaN()
		}
		m.classes = append(m.classes, *c)
	}
	slices.SortFunc(m.classes, func(a, b classCount) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Code, b.Code))
	})
}
