// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"superpoint/filter/cloud"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/partition/base/tile"
	"superpoint/partition/problem"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
)

// plan is the content of plan.json, which every process reads.
type plan struct {
	Version  int               `json:"version"`
	Software string            `json:"software"`          // version of the filter
	Options  map[string]string `json:"options"`           // of the stage
	Content  map[string]string `json:"content,omitempty"` // SHA-256 of the files that options name
	Grid     tile.Grid         `json:"grid"`              // in units of the coordinates
	Unit     float64           `json:"unit"`              // metres per unit of X and Y
	Up       float64           `json:"up"`                // metres per unit of Z
	// Y, on which the unit of a Mercator projection depends
	Middle   float64       `json:"middle"`
	SRS      string        `json:"srs,omitempty"` // WKT
	Outputs  []las.Column  `json:"outputs"`       // dimensions that the stage writes, the ids first
	Reads    []string      `json:"reads"`         // dimensions the stage needs
	Points   int64         `json:"points"`
	Sources  []source      `json:"sources"`
	Tiles    []plannedTile `json:"tiles"`
	Results  []string      `json:"results"` // their names in out, of each source
	Shared   shared        `json:"exact"`
	Checksum string        `json:"checksum"`

	positions *host.Columns // of all points, where planning has read them; else nil
}

const planVersion = 10

// source is a point cloud of the survey.
type source struct {
	Path string `json:"path"`
	job.Identity
	Points int64      `json:"points"`
	Bounds [4]float64 `json:"bounds"`        // west, south, east, north, from its header
	SRS    string     `json:"srs,omitempty"` // that a reader must be given; "" = none
}

// view returns points as input of the filter, with the units of the survey.
func (p *plan) view(c *host.Columns) *cloud.View {
	v := c.View()
	v.Reference = v.Reference.Local([]float64{p.Middle}, nil)
	return v
}

// box returns the bounds.
func (s *source) box() tile.Box {
	return tile.Box{West: s.Bounds[0], South: s.Bounds[1], East: s.Bounds[2], North: s.Bounds[3]}
}

// plannedTile is one tile: a unit of work.
type plannedTile struct {
	Index   int   `json:"index"`
	Column  int   `json:"column"`
	Row     int   `json:"row"`
	Sources []int `json:"sources"` // whose bounds touch the tile with its halo
}

func (t *plannedTile) String() string {
	return fmt.Sprintf("tile %d (column %d, row %d)", t.Index, t.Column, t.Row)
}

// parsePlan parses a plan. It fails for a plan that was edited. It checks the names of results
// also in a plan from elsewhere, because files of these names are written.
func parsePlan(text []byte) (*plan, error) {
	p := new(plan)
	if err := json.Unmarshal(text, p); err != nil { // also fails for trailing data
		return nil, err
	}
	if p.Version != planVersion {
		return nil, fmt.Errorf("version %d, this program reads %d", p.Version, planVersion)
	}
	if p.Checksum != p.checksum() {
		return nil, errors.New("it was changed after it was written")
	}
	return p, p.checkResults()
}

// checksum returns the checksum of all other fields.
func (p *plan) checksum() string {
	others := *p
	others.Checksum = ""
	text, _ := json.Marshal(others) // writing the plan fails too
	return job.Checksum(text)
}

// shared has the values that all tiles must share for their superpoints to equal those of the
// full cloud: the spacing of points, λ, the smallest size and the origin of positions depend on
// all points. The spacing also sets the cells of neighbor's keys, which order points. All else
// in a tile's result depends only on points near by, not on the tile's border: see README.md of
// package local for the steps, and Tile there.
type shared struct {
	Origin  [3]float64 `json:"origin"`  // metres
	Corner  [2]float64 `json:"corner"`  // least x and y, metres
	Spacing float64    `json:"spacing"` // between points, metres
	problem.Strength
	Coarser []problem.Strength `json:"coarser,omitempty"` // of coarser levels
	// metres in X, Y; longer edges are listed for all tiles
	Reach       float64 `json:"reach"`
	AcrossLines bool    `json:"across_lines,omitempty"` // the cloud has scan lines
	// to coarsen and refine, in units of the coordinates
	Halo float64 `json:"halo"`
	// metres along X and Y that an embedding reads
	Wide float64 `json:"wide,omitempty"`
}

// measured returns the values for the filter.
func (e *shared) measured() method.Measured {
	return method.Measured{Spacing: e.Spacing, Strength: e.Strength, Coarser: e.Coarser,
		AcrossLines: e.AcrossLines}
}

// ids returns the number of dimensions of ids, the first outputs: one a level.
func (p *plan) ids() int { return 1 + len(p.Shared.Coarser) }

// nameResults names results after the sources. Those of COPC are LAZ.
func (p *plan) nameResults() error {
	for _, s := range p.Sources {
		name := sources.ResultName(s.Path)
		if sources.IsCOPC(name) {
			name = strings.TrimSuffix(name, sources.Ending(name)) + ".laz"
		}
		p.Results = append(p.Results, name)
	}
	return p.checkResults()
}

func (p *plan) checkResults() error {
	if len(p.Sources) == 0 || len(p.Sources) != len(p.Results) {
		return fmt.Errorf("%d results of %s", len(p.Results), message.Count(len(p.Sources), "source"))
	}
	of := map[string]string{} // the source whose result may have a name
	for n, result := range p.Results {
		if !sources.IsLAS(result) || result != filepath.Base(result) ||
			strings.HasPrefix(result, ".") || strings.ContainsFunc(result, unicode.IsControl) ||
			strings.Contains(result, `\`) {
			return fmt.Errorf(
				"%q cannot be the name of a result: it begins with a dot, or has a control character or "+
					"backslash; rename the file, or link it under another name", result)
		}
		for _, name := range pdalprocess.ResultNames(result) {
			if other, taken := of[name]; taken {
				return fmt.Errorf("the results of %s and %s may both become %s; rename one of them", other,
					p.Sources[n].Path, name)
			}
			of[name] = p.Sources[n].Path
		}
	}
	return nil
}

// checkVersion fails if another version of the program made the plan.
func (p *plan) checkVersion() error {
	if now := filter.Software(); p.Software != now {
		return fmt.Errorf("it was made by version %s of the filter, this is version %s", p.Software, now)
	}
	return nil
}

// checkContent fails if a file that an option names, or a built-in model, has changed.
func (p *plan) checkContent(now map[string]string) error {
	for option, sum := range now {
		if p.Content[option] != sum {
			return fmt.Errorf("option %s: %s has changed since the survey was planned", option,
				p.Options[option])
		}
	}
	return nil
}
