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

	"superpoint/filter/land"
	"superpoint/pipelines/commands/command"
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

// countTile counts the classes of a tile in a dimension. Their names are from a table of codes.
func countTile(path string, c *command.Columns, dimension string, codes land.CodeTable) tileCounts {
	tile := tileCounts{path: path, points: len(c.X), classes: map[int]*classCount{}}
	confidence := c.Dimensions[command.ConfidenceDimension]
	for i, v := range c.Dimensions[dimension] {
		code := int(v)
		k := tile.classes[code]
		if k == nil {
			k = &classCount{Code: code, Name: codes.Name(code)}
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

// counts has the counts of the classes of all tiles.
type counts struct {
	tiles  []tileCounts
	points int
}

// add adds a tile.
func (s *counts) add(tile tileCounts) {
	s.tiles = append(s.tiles, tile)
	s.points += tile.points
}

// classes returns the classes of all tiles by number of points, descending. Their confidence is NaN unless it
// is known of all files.
func (s *counts) classes(isKnown bool) (all []classCount) {
	sums := map[int]*classCount{}
	for _, tile := range s.tiles {
		for code, of := range tile.classes {
			if sums[code] == nil {
				sums[code] = &classCount{Code: code, Name: of.Name}
			}
			sums[code].add(of)
		}
	}
	for _, c := range sums {
		c.Share = float64(c.Points) / float64(s.points)
		c.Confidence /= float64(c.given) // NaN without points
		if !isKnown {
			c.Confidence = math.NaN()
		}
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b classCount) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Code, b.Code))
	})
	return all
}

// add adds the counts of a tile.
func (c *classCount) add(tile *classCount) {
	c.Points += tile.Points
	c.Confidence += tile.Confidence
	c.given += tile.given
}

// write writes the points, the share and the mean confidence of each class in each tile as a table. A
// confidence that is not known is empty.
func (s *counts) write(w io.Writer) error {
	rows := [][]string{{"tile", "class", "name", "points", "share", "confidence"}}
	for _, tile := range s.tiles {
		for _, code := range slices.Sorted(maps.Keys(tile.classes)) {
			rows = append(rows, tile.row(tile.classes[code]))
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
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
