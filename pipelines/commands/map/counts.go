// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"encoding/csv"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/pipelines/commands/command"
)

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
	to, err := m.output(mapCounts)
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
