package survey

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/filter"
	"superpoint/filter/child"
	"superpoint/filter/method"
	"superpoint/partition/neighbor"
	"superpoint/partition/tile"
)

// plan is the content of plan.json, which every process reads.
type plan struct {
	Version  int               `json:"version"`
	Software string            `json:"software"`          // version of the filter
	Options  map[string]string `json:"options"`           // of the stage
	Content  map[string]string `json:"content,omitempty"` // SHA-256 of the files that options name
	Grid     tile.Grid         `json:"grid"`              // in units of the coordinates
	Unit     float64           `json:"unit"`              // metres per unit
	SRS      string            `json:"srs,omitempty"`     // WKT
	Layout   layout            `json:"layout"`
	Outputs  []child.Field     `json:"outputs"` // dimensions that the stage writes, the ids first
	Reads    []string          `json:"reads"`   // dimensions the stage needs
	Points   int64             `json:"points"`
	Sources  []source          `json:"sources"`
	Tiles    []plannedTile     `json:"tiles"`
	Of       Over              `json:"results_of"`     // sources, or tiles
	Results  []string          `json:"results"`        // their names in out
	COPC     bool              `json:"copc,omitempty"` // results are COPC
	Shared   shared            `json:"exact"`
}

const planVersion = 3

// layout is the point format, scale, offset and extra dimensions of all LAS files of a survey.
type layout struct {
	Format int           `json:"dataformat_id"`
	Scale  [3]float64    `json:"scale"`
	Offset [3]float64    `json:"offset"`
	Extra  []child.Field `json:"extra,omitempty"` // extra dimensions of the sources
}

// source is a point cloud of the survey.
type source struct {
	Path    string     `json:"path"`
	Content string     `json:"content"` // sources.Identity
	Points  int64      `json:"points"`
	Bounds  [4]float64 `json:"bounds"`           // west, south, east, north, from its header
	Direct  bool       `json:"direct,omitempty"` // COPC and EPT: read by area, not split before
	Lacks   []string   `json:"lacks,omitempty"`  // dimensions of tiles that it does not have
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

// parsePlan parses a plan. It checks every field, because the plan may have been edited or
// copied, and files that it names are written.
func parsePlan(text []byte) (*plan, error) {
	var head struct{ Version int }
	if err := json.Unmarshal(text, &head); err != nil { // also fails for trailing data
		return nil, err
	}
	if head.Version != planVersion {
		return nil, fmt.Errorf("version %d, this program reads %d", head.Version, planVersion)
	}
	p := new(plan)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		return nil, err
	}
	for _, check := range []func() error{p.checkNumbers, p.checkFields, p.checkSources, p.checkTiles, p.checkResults} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	_, err := filter.OptionsOf(p.Options)
	return p, err
}

// positive reports whether all values are above 0 and at most math.MaxFloat32.
func positive(values ...float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return !(v > 0 && v <= math.MaxFloat32) })
}

// finite reports whether all values are at most math.MaxFloat32 in magnitude.
func finite(values ...float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return !(math.Abs(v) <= math.MaxFloat32) })
}

func (p *plan) checkNumbers() error {
	if err := p.Grid.Check(); err != nil {
		return err
	}
	if !positive(p.Unit) {
		return fmt.Errorf("unit %v is out of range", p.Unit)
	}
	if err := p.Shared.check(); err != nil {
		return err
	}
	l := &p.Layout
	if l.Format < 0 || l.Format > 10 {
		return fmt.Errorf("layout: dataformat_id %d is not 0 to 10", l.Format)
	}
	if !positive(l.Scale[:]...) || !finite(l.Offset[:]...) {
		return fmt.Errorf("layout: scale %v or offset %v is out of range", l.Scale, l.Offset)
	}
	return nil
}

// checkFields checks dimensions. pdal separates them by commas and equals signs in options.
func (p *plan) checkFields() error {
	seen := map[string]bool{}
	for _, f := range slices.Concat(p.Layout.Extra, p.Outputs) {
		if f.Name == "" || len(f.Name) > 255 || strings.ContainsAny(f.Name, "=,;") ||
			strings.ContainsFunc(f.Name, isControl) {
			return fmt.Errorf("%q is not a name of a dimension", f.Name)
		}
		if seen[f.Name] {
			return fmt.Errorf("dimension %s is listed twice", f.Name)
		}
		seen[f.Name] = true
	}
	types := []string{"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float", "double"}
	for _, f := range p.Layout.Extra {
		if !slices.Contains(types, f.Type) {
			return fmt.Errorf("dimension %s: unknown type %q", f.Name, f.Type)
		}
	}
	for _, f := range p.Outputs {
		if fieldWriter(f.Type, 0) == nil {
			return fmt.Errorf("dimension %s: type %q cannot be written", f.Name, f.Type)
		}
	}
	if len(p.Outputs) == 0 || !slices.Contains([]string{"uint32", "uint64", "int64", "double"}, p.Outputs[0].Type) {
		return errors.New("outputs: the first is not the ids, of a type that holds them")
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

func (p *plan) checkSources() error {
	points := int64(0)
	for k, s := range p.Sources {
		b := s.Bounds
		extent := b[2] - b[0] + b[3] - b[1]
		switch {
		case s.Path == "" || strings.ContainsFunc(s.Path, func(r rune) bool { return r == 0 }):
			return fmt.Errorf("source %d has no path", k)
		case s.Points < 1 || s.Points > math.MaxInt64-points:
			return fmt.Errorf("source %d, %s: %d points", k, s.Path, s.Points)
		case !p.adds(s.Lacks):
			return fmt.Errorf("source %d, %s: of %q not all are dimensions of tiles", k, s.Path, s.Lacks)
		case !(b[0] <= b[2] && b[1] <= b[3]) || math.IsInf(extent, 0) || math.IsNaN(extent):
			return fmt.Errorf("source %d, %s: bounds %v", k, s.Path, b)
		}
		points += s.Points
	}
	if points == 0 || points != p.Points {
		return fmt.Errorf("%d points, the sources have %d", p.Points, points)
	}
	return nil
}

func (p *plan) checkTiles() error {
	if len(p.Tiles) == 0 {
		return errors.New("there are no tiles")
	}
	at := map[[2]int]int{}
	for n, t := range p.Tiles {
		other, taken := at[[2]int{t.Column, t.Row}]
		switch {
		case t.Index != n:
			return fmt.Errorf("tile %d has index %d", n, t.Index)
		case t.Column < 0 || t.Column >= p.Grid.Columns || t.Row < 0 || t.Row >= p.Grid.Rows:
			return fmt.Errorf("tile %d: column %d, row %d is not in the grid of %d by %d", n, t.Column, t.Row, p.Grid.Columns,
				p.Grid.Rows)
		case taken:
			return fmt.Errorf("tiles %d and %d are the same square", other, n)
		case len(t.Sources) == 0:
			return fmt.Errorf("tile %d has no source", n)
		}
		for i, k := range t.Sources {
			if k < 0 || k >= len(p.Sources) || i > 0 && k <= t.Sources[i-1] {
				return fmt.Errorf("tile %d has sources %v; they must be ascending numbers from 0 to %d", n, t.Sources,
					len(p.Sources)-1)
			}
		}
		at[[2]int{t.Column, t.Row}] = n
	}
	return nil
}

// shared has the values that all tiles must share for their superpoints to equal those of the
// full cloud: the spacing of points, λ, the smallest size and the origin of positions depend on
// all points. The spacing also sets the cells of neighbor's keys, which order points. All else
// in a tile's result depends only on points near by, not on the tile's border: see README.md of
// package local for the steps, and Tile there.
type shared struct {
	Origin         [3]float64 `json:"origin"`         // metres
	Spacing        float64    `json:"spacing"`        // between points, metres
	Regularization float64    `json:"regularization"` // λ̃
	Lambda         float64    `json:"lambda"`
	MinSize        int        `json:"min_size"`               // smallest superpoint, in points
	Sphere         int        `json:"sphere,omitempty"`       // columns on the unit sphere
	Reach          float64    `json:"reach"`                  // metres in X and Y; longer edges are listed for all tiles
	AcrossLines    bool       `json:"across_lines,omitempty"` // the cloud has scan lines
	Vertical       float64    `json:"vertical"`               // metres per unit of Z
	Halo           float64    `json:"halo"`                   // to coarsen and refine, in units of the coordinates
	Ground         *ground    `json:"ground,omitempty"`       // nil: the model reads no heights above ground
	Context        float64    `json:"context,omitempty"`      // spacings along each axis that an embedding reads
}

// measured returns the values for the filter.
func (e *shared) measured() method.Measured {
	return method.Measured{Spacing: e.Spacing, Regularization: e.Regularization, Lambda: e.Lambda, MinSize: e.MinSize,
		AcrossLines: e.AcrossLines}
}

// width returns the distance in metres within which the ground around a point is read.
func (e *shared) width() float64 { return e.Ground.width() }

// cells returns the cells of the keys that order points.
func (p *plan) cells() neighbor.Cells { return neighbor.NewCells(p.Shared.Spacing, neighbor.Unit) }

func (e *shared) check() error {
	if !finite(e.Origin[:]...) {
		return fmt.Errorf("exact: origin %v is out of range", e.Origin)
	}
	if !positive(e.Lambda, e.Reach, e.Halo, e.Vertical, e.Spacing) || !finite(e.Context) || e.Context < 0 ||
		e.MinSize < 1 || e.Sphere < 0 {
		return fmt.Errorf("exact: spacing %v, λ %v, smallest size %d, sphere %d, reach %v or halo %v is out of range",
			e.Spacing, e.Lambda, e.MinSize, e.Sphere, e.Reach, e.Halo)
	}
	return e.Ground.check()
}

// ground has the size of the cells in which an embedding looks for the ground and for
// outliers. Every tile reads these cells beyond its halo, so that the halo may be narrow.
type ground struct {
	Side   int64 `json:"side"`   // of a cell in X and Y, in neighbor.Unit
	Height int64 `json:"height"` // of a cell, in neighbor.Unit
	Reach  int64 `json:"reach"`  // distance of the farthest cell that is read, in cells
}

// width returns the distance from a point within which cells are read, in metres.
func (g *ground) width() float64 {
	if g == nil {
		return 0
	}
	return float64((g.Reach+2)*g.Side) * neighbor.Unit
}

func (g *ground) check() error {
	if g != nil && !(g.Side > 0 && g.Side < 1<<40 && g.Height > 0 && g.Height < 1<<40 && g.Reach > 0 && g.Reach < 1<<20) {
		return errors.New("exact: the cells of the ground are out of range")
	}
	return nil
}
