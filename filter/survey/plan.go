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

// plan is the JSON that every unit of work reads.
type plan struct {
	Version  int               `json:"version"`
	Software string            `json:"software"`          // version of the filter
	Options  map[string]string `json:"options"`           // of the stage
	Content  map[string]string `json:"content,omitempty"` // SHA-256 of the files that options name
	Grid     tile.Grid         `json:"grid"`              // in units of the coordinates
	Unit     float64           `json:"unit"`              // metres per unit
	SRS      string            `json:"srs,omitempty"`     // WKT
	Layout   layout            `json:"layout"`
	Outputs  []child.Field     `json:"outputs"` // what the stage adds
	Reads    []string          `json:"reads"`   // dimensions the stage needs
	Points   int64             `json:"points"`
	Sources  []source          `json:"sources"`
	Tiles    []planned         `json:"tiles"`
	Of       Over              `json:"results_of"` // sources, or tiles
	Results  []string          `json:"results"`    // their names in out
	COPC     bool              `json:"copc,omitempty"`
	Exact    exact             `json:"exact"`
}

const planVersion = 3

// layout is the form of all LAS files between the steps and of the result.
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
	Bounds  [4]float64 `json:"bounds"`           // west, south, east, north, as its header says
	Direct  bool       `json:"direct,omitempty"` // COPC and EPT: read by area, not split before
	Lacks   []string   `json:"lacks,omitempty"`  // dimensions of the layout and of the stage that are not in it
}

// planned is one tile: a unit of work.
type planned struct {
	Index   int   `json:"index"`
	Column  int   `json:"column"`
	Row     int   `json:"row"`
	Sources []int `json:"sources"` // whose bounds it sees, with its halo
}

func (t *planned) String() string {
	return fmt.Sprintf("tile %d (column %d, row %d)", t.Index, t.Column, t.Row)
}

// parsePlan reads a plan. Every part of it is checked, because it may have been
// edited, or come from elsewhere: what it names is written and run.
func parsePlan(text []byte) (*plan, error) {
	var head struct{ Version int }
	if err := json.Unmarshal(text, &head); err != nil { // also if something follows it
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

// finite reports whether a number is in a range.
func finite(v, least float64) bool { return v >= least && v <= math.MaxFloat32 }

func (p *plan) checkNumbers() error {
	if err := p.Grid.Check(); err != nil {
		return err
	}
	if !(finite(p.Unit, 0) && p.Unit > 0) {
		return fmt.Errorf("unit %v is out of range", p.Unit)
	}
	if err := p.Exact.check(); err != nil {
		return err
	}
	l := &p.Layout
	if l.Format < 0 || l.Format > 10 {
		return fmt.Errorf("layout: dataformat_id %d is not 0 to 10", l.Format)
	}
	for k := range l.Scale {
		if !(finite(l.Scale[k], 0) && l.Scale[k] > 0 && finite(math.Abs(l.Offset[k]), 0)) {
			return fmt.Errorf("layout: scale %v or offset %v is out of range", l.Scale, l.Offset)
		}
	}
	return nil
}

// checkFields checks dimensions: pdal takes them in options, with commas and
// equals signs between.
func (p *plan) checkFields() error {
	seen := map[string]bool{}
	for _, f := range slices.Concat(p.Layout.Extra, p.Outputs) {
		if f.Name == "" || len(f.Name) > 255 || strings.ContainsAny(f.Name, "=,;") ||
			strings.ContainsFunc(f.Name, isControl) {
			return fmt.Errorf("%q is no name of a dimension", f.Name)
		}
		if seen[f.Name] {
			return fmt.Errorf("dimension %s is there twice", f.Name)
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
		if putter(f.Type, 0) == nil {
			return fmt.Errorf("dimension %s: no way to write type %q", f.Name, f.Type)
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
			return fmt.Errorf("tile %d sees no source", n)
		}
		for i, k := range t.Sources {
			if k < 0 || k >= len(p.Sources) || i > 0 && k <= t.Sources[i-1] {
				return fmt.Errorf("tile %d sees sources %v; these are numbers from 0 to %d, in order", n, t.Sources,
					len(p.Sources)-1)
			}
		}
		at[[2]int{t.Column, t.Row}] = n
	}
	return nil
}

// exact is what all tiles share, so that they give together the superpoints of the full
// cloud: nothing in a tile's result may depend on where it ends. See README.md of package
// local for the steps, and Tile there for what a tile makes.
//
// Not local, and fixed here or in the plan's options: the spacing of points, λ, the
// origin that positions count from, the smallest size. The order of points is that of
// neighbor's keys, whose cells the spacing fixes.
type exact struct {
	Origin         [3]float64 `json:"origin"`         // metres
	Spacing        float64    `json:"spacing"`        // between points, metres
	Regularization float64    `json:"regularization"` // λ̃
	Lambda         float64    `json:"lambda"`
	MinSize        int        `json:"min_size"`          // smallest superpoint, in points
	Sphere         int        `json:"sphere,omitempty"`  // columns on the unit sphere
	Reach          float64    `json:"reach"`             // metres; longer edges, along the ground, are sent one by one
	Vertical       float64    `json:"vertical"`          // metres per unit of Z
	Halo           float64    `json:"halo"`              // what a tile sees to merge points, in units of the coordinates
	Ground         *ground    `json:"ground,omitempty"`  // nil: the model measures no heights
	Context        float64    `json:"context,omitempty"` // spacings along each axis that an embedding looks at
}

// fixed is what the filter takes of it.
func (e *exact) measured() method.Measured {
	return method.Measured{Spacing: e.Spacing, Regularization: e.Regularization, Lambda: e.Lambda, MinSize: e.MinSize}
}

// width returns how far the ground of a tile's points is looked for, in metres.
func (e *exact) width() float64 { return e.Ground.width() }

// cells returns the cells of the order of points.
func (p *plan) cells() neighbor.Cells { return neighbor.NewCells(p.Exact.Spacing, neighbor.Unit) }

func (e *exact) check() error {
	for _, v := range e.Origin {
		if !finite(math.Abs(v), 0) {
			return fmt.Errorf("exact: origin %v is out of range", e.Origin)
		}
	}
	if !(finite(e.Lambda, 0) && finite(e.Reach, 0) && e.Lambda > 0 && e.Reach > 0 && finite(e.Halo, 0) && e.Halo > 0 &&
		finite(e.Vertical, 0) && e.Vertical > 0 && finite(e.Context, 0) && e.Context >= 0 && finite(e.Spacing, 0) &&
		e.Spacing > 0) || e.MinSize < 1 || e.Sphere < 0 {
		return fmt.Errorf("exact: spacing %v, λ %v, smallest size %d, sphere %d, reach %v or halo %v is out of range",
			e.Spacing, e.Lambda, e.MinSize, e.Sphere, e.Reach, e.Halo)
	}
	return e.Ground.check()
}

// ground says how far an embedding looks for the ground and for outliers: in boxes of
// cells, which every tile is given of all sources, so that its halo may be narrow.
type ground struct {
	Side   int64 `json:"side"`   // edge of a cell in neighbor.Unit
	Height int64 `json:"height"` // of a box in it
	Reach  int64 `json:"reach"`  // cells
}

// width returns how far from a point cells are read, in metres.
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
