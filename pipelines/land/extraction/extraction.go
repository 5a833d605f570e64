// SPDX-License-Identifier: BSD-3-Clause

// Package extraction finds buildings and trees from classified superpoints.
//
// A building is a connected component, in X and Y, of superpoints of that class. A tree is a
// crown: a basin of the watershed transform of the canopy height model (Vincent and Soille 1991,
// doi:10.1109/34.87344, as in Chen et al. 2006, doi:10.14358/PERS.72.8.923), in which two crowns are
// merged if their tops are closer than the crown radius for the height of the lower one (Popescu and
// Wynne 2004, doi:10.14358/PERS.70.5.589), or if the lower top is less than a tenth of its height
// above the saddle. A superpoint with most of its points in one crown belongs to that crown;
// others are divided among crowns.
//
// Lengths are in metres. Results do not depend on the order of the points, and trees do not depend
// on the raster of outlines.
package extraction

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/land/roof"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
)

// Found holds the objects of a cloud.
type Found struct {
	Buildings, Trees []Object    // sorted by the positions of their tops, from the south-west
	Origin           image.Point // origin of outlines, the south-western corner, in lattice steps
}

// Find returns the buildings and the trees of a cloud. It fails if a raster of the cloud would have more
// than 2²⁶ cells near points.
func Find(run parallel.Run, p *Points, s Settings) (*Found, error) {
	ground, err := p.ground()
	if err != nil {
		return nil, err
	}
	g, err := p.grid(p.Cell, gap)
	if err != nil {
		return nil, err
	}
	f := new(Found)
	if f.Buildings, err = p.buildings(run, &g, ground, s); err != nil {
		return nil, err
	}
	if err := p.roofs(run.Quiet(), f.Buildings); err != nil {
		return nil, err
	}
	f.Origin = image.Pt(g.Area.Min.X*p.Cell.X, g.Area.Min.Y*p.Cell.Y)
	// The points of crowns above a roof are of no tree, so that no top is on a roof.
	roofs := newFootprints(p, f.Origin, f.Buildings)
	green := func(i int) bool { return p.of(i) == Vegetation && !roofs.inside(p.At[i]) }
	c, err := p.canopy(ground, s, green)
	if err != nil {
		return nil, err
	}
	f.Trees = p.trees(c, ground, s, green)
	return f, p.crowns(run, c, f.Trees, roofs)
}

// measure sets Top, Ground, Height and Superpoints of an object from its points.
func (p *Points) measure(o *Object, ground *terrain) {
	seen := map[int32]bool{}
	sum := int64(0)
	o.Top = o.Points[0]
	for _, i := range o.Points {
		seen[p.Owner[i]] = true
		sum += ground.z[ground.index(p.At[i])]
		if p.before(i, o.Top) {
			o.Top = i
		}
	}
	o.Superpoints, o.Ground = len(seen), float64(sum)/fine/float64(len(o.Points))
	o.Height = p.Z[o.Top] - o.Ground
}

// Points holds a cloud with positions on a lattice, whose steps are those of the file's coordinates.
type Points struct {
	At      []image.Point // of each point, in lattice steps
	Z       []float64     // metres
	Owner   []int32       // superpoint of each point, −1 for none
	Kind    []Kind        // of each superpoint
	Step    [2]float64    // metres in a lattice step along x and y
	Cell    image.Point   // lattice steps in a cell of the raster of outlines, even numbers
	Spacing float64       // point spacing, metres
	// Tiles are the extents of the tiles, at whose common border buildings are cut off; none if it is
	// unknown.
	Tiles []image.Rectangle
}

// Kind is the kind of object of a superpoint.
type Kind uint8

// Settings are the limits below which objects are left out.
type Settings struct {
	MinHeight float64 // of a building or a tree above the ground, metres
	MinArea   float64 // of a building, square metres
	MinPoints int     // of a building, where points are dense
	MinHole   float64 // of a building, square metres
	MinEdge   float64 // length of a wall, metres
	MinCrown  float64 // diameter of a crown, metres
}

// DefaultSettings returns the default limits.
func DefaultSettings() Settings {
	return Settings{MinHeight: 2, MinArea: 10, MinPoints: 10, MinHole: 25, MinEdge: 1, MinCrown: 1.5}
}

// Object is a building or a tree.
type Object struct {
	Points      []uint32        // ascending
	Superpoints int             // number of superpoints with any of the points
	Ground      float64         // height of the ground below it, metres
	Height      float64         // above that, metres
	Top         uint32          // highest point, the south-westernmost if several are equal
	Area        float64         // in X and Y, square metres
	Outline     []patch.Polygon // of a building, in lattice steps from Found.Origin
	Roof        roof.Roof       // of a building
	usual       float64         // height of most of its roof
	Crown       []patch.Polygon // of a tree, in the same way; nil if it is hidden below others
	CrownArea   float64         // of these polygons, square metres
}

// Bounds returns the extent of a building's outline, whose origin is given.
func (o *Object) Bounds(origin image.Point) image.Rectangle {
	var corners []image.Point
	for _, polygon := range o.Outline {
		for _, c := range polygon[0] {
			corners = append(corners, image.Pt(int(c.X), int(c.Y)).Add(origin))
		}
	}
	return planar.Bounds(corners...)
}

// of returns the kind of a point.
func (p *Points) of(i int) Kind {
	if p.Owner[i] < 0 {
		return Other
	}
	return p.Kind[p.Owner[i]]
}

// grid is a raster of square cells over the lattice.
type grid struct {
	*planar.View
	steps image.Point // lattice steps in a cell
}

// grid returns the raster of cells of the given lattice steps around all points with a superpoint, with a
// margin of cells.
func (p *Points) grid(steps image.Point, margin int) (grid, error) {
	occupied := new(planar.Occupied)
	for i, at := range p.At {
		if p.Owner[i] >= 0 {
			occupied.Add(planar.CellOf(at, steps))
		}
	}
	if occupied.Area().Empty() {
		occupied.Add(image.Point{})
	}
	view, err := planar.NewView(occupied, margin)
	if err != nil {
		return grid{}, fmt.Errorf("%w; divide the file into tiles, with pdal tile, correct its unit of "+
			"length, or take larger cells (objects --cell)", err)
	}
	return grid{view, steps}, nil
}

// stepsOf returns the lattice steps of a cell with a side of about side metres.
func (p *Points) stepsOf(side float64) image.Point {
	return image.Pt(max(1, int(side/p.Step[0]+0.5)), max(1, int(side/p.Step[1]+0.5)))
}

// index returns the index of the cell of a lattice position.
func (g *grid) index(at image.Point) int { return g.Index(planar.CellOf(at, g.steps)) }

// area returns the area of a cell in square metres.
func (g *grid) area(p *Points) float64 {
	return float64(g.steps.X) * p.Step[0] * float64(g.steps.Y) * p.Step[1]
}

// before orders points by height, the highest first, then from south to north, then from west to east, so
// that results do not depend on the order of points in a file.
func (p *Points) before(i, j uint32) bool {
	return cmp.Or(cmp.Compare(p.Z[j], p.Z[i]), cmp.Compare(p.At[i].Y, p.At[j].Y),
		cmp.Compare(p.At[i].X, p.At[j].X)) < 0
}

// sorted sorts objects by the positions of their tops, from the south-west.
func (p *Points) sorted(all []Object) []Object {
	slices.SortFunc(all, func(a, b Object) int {
		i, j := p.At[a.Top], p.At[b.Top]
		return cmp.Or(cmp.Compare(i.Y, j.Y), cmp.Compare(i.X, j.X), cmp.Compare(p.Z[a.Top], p.Z[b.Top]),
			cmp.Compare(len(a.Points), len(b.Points)))
	})
	return all
}

// Kinds.
const (
	Other Kind = iota
	Ground
	Building
	Vegetation
)

const (
	groundCell = 2.0  // metres, side of the ground's cells: a density of a few points/m² fills most of them
	crownless  = 16.0 // metres, side of cells larger than any crown
	fine       = 1e4  // height steps per metre: sums of integers do not depend on the order of points
)

// terrain is the height of the ground in coarse cells, in steps of fine.
type terrain struct {
	grid
	z []int64
}

// ground returns the mean height of ground points in cells of groundCell. Empty cells are filled
// from coarser levels (the "pull-push" of Gortler et al. 1996, doi:10.1145/237170.237200). Without
// ground points it is the lowest point of cells of size crownless.
func (p *Points) ground() (*terrain, error) {
	side, lowest := groundCell, !slices.Contains(p.Kind, Ground)
	if lowest {
		side = crownless
	}
	g, err := p.grid(p.stepsOf(side), 0)
	if err != nil {
		return nil, err
	}
	t := &terrain{g, make([]int64, len(g.Label))}
	sum, count := make([]int64, len(t.z)), make([]int64, len(t.z))
	for i, at := range p.At {
		if p.Owner[i] < 0 {
			continue
		}
		z := int64(math.Round(p.Z[i] * fine))
		switch k := t.index(at); {
		case p.of(i) == Ground:
			sum[k] += z
			count[k]++
		case lowest && (count[k] == 0 || z < sum[k]):
			sum[k], count[k] = z, 1
		}
	}
	mean := make([]float64, len(sum))
	for k, n := range count {
		mean[k] = float64(sum[k]) / float64(max(1, n))
	}
	filled, err := fill(mean, count, t.Blocks)
	if err != nil {
		return nil, err
	}
	for k, z := range filled {
		t.z[k] = int64(math.Round(z))
	}
	return t, nil
}

// at returns the ground's height at a lattice position, in metres.
func (t *terrain) at(place image.Point) float64 { return float64(t.z[t.index(place)]) / fine }

// fill returns the means, replaced where count is 0 by those of cells of twice the side, which are filled in
// the same way; of at most 2 × 2 cells by the mean of all. The larger cells are aligned to even cells of the
// plane, so they do not depend on the first cell of the raster.
func fill(mean []float64, count []int64, cells *planar.Blocks) ([]float64, error) {
	filled := slices.Clone(mean)
	if cells.Area.Dx() <= 2 && cells.Area.Dy() <= 2 {
		ofAll := meanOf(mean, count)
		for i, c := range count {
			if c == 0 {
				filled[i] = ofAll
			}
		}
		return filled, nil
	}
	larger, err := doubled(cells)
	if err != nil {
		return nil, err
	}
	above := indicesIn(larger, cells)
	coarse, many := make([]float64, larger.Len()), make([]int64, larger.Len())
	for i, c := range count {
		if c > 0 { // cells have equal weight, independent of their number of points
			coarse[above[i]] += mean[i]
			many[above[i]]++
		}
	}
	for k, n := range many {
		coarse[k] /= float64(max(1, n))
	}
	if coarse, err = fill(coarse, many, larger); err != nil {
		return nil, err
	}
	for i, c := range count {
		if c == 0 {
			filled[i] = coarse[above[i]]
		}
	}
	return filled, nil
}

// meanOf returns the mean of the means whose count is not 0; 0 without one.
func meanOf(mean []float64, count []int64) float64 {
	sum := 0.0
	many := 0
	for i, c := range count {
		if c > 0 {
			sum += mean[i]
			many++
		}
	}
	return sum / float64(max(1, many))
}

// doubled returns the cells of twice the side around cells.
func doubled(cells *planar.Blocks) (*planar.Blocks, error) {
	larger := new(planar.Occupied)
	for _, r := range cells.Rectangles() {
		last := r.Max.Sub(image.Pt(1, 1))
		larger.AddAll(image.Rect(r.Min.X>>1, r.Min.Y>>1, last.X>>1+1, last.Y>>1+1))
	}
	return larger.Blocks(0)
}

// indicesIn returns the index of the cell of twice the side around each cell.
func indicesIn(larger, cells *planar.Blocks) []int32 {
	above := make([]int32, cells.Len())
	for _, run := range cells.Runs() {
		for k := run.First; k < run.First+run.Len(); k++ {
			cell := run.Cell(k)
			above[k] = int32(larger.Index(image.Pt(cell.X>>1, cell.Y>>1)))
		}
	}
	return above
}
