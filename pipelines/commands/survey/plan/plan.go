// SPDX-License-Identifier: BSD-3-Clause

// Package plan is plan.json: the sources of a survey, its tiles, and the values that all of them share.
package plan

import (
	"encoding/json"
	"fmt"
	"slices"

	"superpoint/filter/cloud"
	"superpoint/filter/host"
	"superpoint/filter/method"
	"superpoint/partition/base/tile"
	"superpoint/partition/problem"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/job"
)

// Plan is the content of plan.json, which every process reads.
type Plan struct {
	Version  int               `json:"version"`
	Software string            `json:"software"`          // version of the filter
	Options  map[string]string `json:"options"`           // of the stage
	Content  map[string]string `json:"content,omitempty"` // SHA-256 of the files that options name
	Grid     tile.Grid         `json:"grid"`              // in units of the coordinates
	Unit     float64           `json:"unit"`              // metres per unit of X and Y
	Up       float64           `json:"up"`                // metres per unit of Z
	// Y, on which the unit of a Mercator projection depends
	Middle   float64      `json:"middle"`
	SRS      string       `json:"srs,omitempty"` // WKT
	Outputs  []las.Column `json:"outputs"`       // dimensions that the stage writes, the ids first
	Reads    []string     `json:"reads"`         // dimensions the stage needs
	Points   int64        `json:"points"`
	Sources  []Source     `json:"sources"`
	Tiles    []Tile       `json:"tiles"`
	Results  []string     `json:"results"` // their names in out, of each source
	Shared   Shared       `json:"exact"`
	Checksum string       `json:"checksum"`

	Positions *host.Columns `json:"-"` // of all points, where planning has read them; else nil
}

// Version is the version of the format of plans.
const Version = 11

// Source is a point cloud of the survey.
type Source struct {
	Path string `json:"path"`
	job.Identity
	Points int64      `json:"points"`
	Bounds [4]float64 `json:"bounds"`        // west, south, east, north, from its header
	SRS    string     `json:"srs,omitempty"` // that a reader must be given; "" = none
}

// View returns points as input of the filter, with the units of the survey.
func (p *Plan) View(c *host.Columns) *cloud.View {
	v := c.View()
	v.Reference = v.Reference.Local([]float64{p.Middle}, nil)
	return v
}

// RoundedBounds is how far a point may lie outside the bounds in the header of its file.
func RoundedBounds(g *tile.Grid) float64 { return g.Size / 1000 }

// Box returns the bounds.
func (s *Source) Box() tile.Box {
	return tile.Box{West: s.Bounds[0], South: s.Bounds[1], East: s.Bounds[2], North: s.Bounds[3]}
}

// Tile is one tile: a unit of work.
type Tile struct {
	Index   int   `json:"index"`
	Column  int   `json:"column"`
	Row     int   `json:"row"`
	Sources []int `json:"sources"` // whose bounds touch the tile with its halo
}

func (t *Tile) String() string {
	return fmt.Sprintf("tile %d (column %d, row %d)", t.Index, t.Column, t.Row)
}

// FilesOf names the first file of a tile, and the number of others.
func (p *Plan) FilesOf(t *Tile) string {
	first := p.Sources[t.Sources[0]].Path
	if n := len(t.Sources); n > 1 {
		return fmt.Sprintf("%s and %d more", first, n-1)
	}
	return first
}

// Sum returns the checksum of all other fields.
func (p *Plan) Sum() string {
	others := *p
	others.Checksum = ""
	text, _ := json.Marshal(others) // writing the plan fails too
	return job.Checksum(text)
}

// Shared has the values that all tiles must share for their superpoints to be the superpoints of the
// full cloud: the spacing of points, λ, the smallest size and the origin of positions depend on
// all points. The spacing also sets the cells of neighbor's keys, which order points. All else
// in a tile's result depends only on points near by, not on the tile's border: see README.md of
// package local for the steps, and Tile there.
type Shared struct {
	Origin   [3]float64 `json:"origin"`  // metres
	Corner   [2]float64 `json:"corner"`  // least x and y, metres
	BoxFloor float64    `json:"level"`   // height from which boxes are counted, metres, see embed.Anchor
	Spacing  float64    `json:"spacing"` // between points, metres
	problem.Strength
	Coarser []problem.Strength `json:"coarser,omitempty"` // of coarser levels
	// metres in the plane of X and Y; longer edges are listed for all tiles
	LongEdge    float64 `json:"reach"`
	AcrossLines bool    `json:"across_lines,omitempty"` // the cloud has scan lines
	// to coarsen and refine, in units of the coordinates
	Halo float64 `json:"halo"`
	// metres along X and Y within which an embedding reads points, see filter.Reach
	EmbeddingReach float64 `json:"wide,omitempty"`
}

// Measured returns the values for the filter.
func (e *Shared) Measured() method.Measured {
	return method.Measured{Spacing: e.Spacing, BoxFloor: e.BoxFloor, Strength: e.Strength,
		Coarser: e.Coarser, AcrossLines: e.AcrossLines}
}

// IDs returns the number of dimensions of ids, the first outputs: one a level.
func (p *Plan) IDs() int { return 1 + len(p.Shared.Coarser) }

// TilesOf returns the numbers of the tiles of source k by column and row.
func (p *Plan) TilesOf(k int) map[[2]int]int {
	index := map[[2]int]int{}
	for _, t := range p.Tiles {
		if slices.Contains(t.Sources, k) {
			index[[2]int{t.Column, t.Row}] = t.Index
		}
	}
	return index
}

// TilesTouching returns the tiles whose core or halo touches source k, among them all that have points of it.
func (p *Plan) TilesTouching(k int) (numbers []int) {
	for _, t := range p.Tiles {
		if slices.Contains(t.Sources, k) {
			numbers = append(numbers, t.Index)
		}
	}
	return numbers
}
