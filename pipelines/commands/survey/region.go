// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/filter/host"
	"superpoint/partition/base/tile"
	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
)

// haloGrowth is the factor by which a halo that is too narrow is widened.
const haloGrowth = 1.5

// slack is the largest error of lengths in metres from the rounding of positions.
const slack = 1e-3

// region is the area of which a tile has all points: a box, and discs around some places.
type region struct {
	core   tile.Box
	halo   float64
	box    tile.Box
	rims   tile.Box // the box without the sides beyond which there are no points: they are infinite
	unit   float64  // metres per unit of X and Y
	bounds tile.Box // of all sources
	places []local.Ball
}

// newRegion returns the region of a tile with a halo.
func newRegion(v *folder.Survey, t *plan.Tile, halo float64) *region {
	g := &v.Plan.Grid
	s := &region{core: g.Core(t.Column, t.Row), unit: v.Plan.Unit, bounds: v.Plan.Sources[0].Box()}
	for i := range v.Plan.Sources {
		s.bounds = s.bounds.Union(v.Plan.Sources[i].Box())
	}
	s.bounds = s.bounds.Grow(g.Size / 1000) // bounds in headers may be rounded
	s.widen(halo)
	return s
}

// widen sets the halo.
func (s *region) widen(halo float64) {
	s.halo, s.box = halo, s.core.Grow(halo)
	s.rims = s.box
	if s.box.West <= s.bounds.West {
		s.rims.West = math.Inf(-1)
	}
	if s.box.East >= s.bounds.East {
		s.rims.East = math.Inf(1)
	}
	if s.box.South <= s.bounds.South {
		s.rims.South = math.Inf(-1)
	}
	if s.box.North >= s.bounds.North {
		s.rims.North = math.Inf(1)
	}
}

// add adds the places that are not yet covered, those with large radii first, each with its
// radius enlarged by pad, which covers places near by. It reports whether there were any.
func (s *region) add(more []local.Ball, pad float64) (added bool) {
	slices.SortFunc(more, func(a, b local.Ball) int {
		return cmp.Or(cmp.Compare(b.Radius, a.Radius), a.At.Cmp(b.At))
	})
	for _, place := range more {
		if s.Clear(place.At.X/s.unit, place.At.Y/s.unit) <= place.Radius {
			place.Radius += pad
			s.places, added = append(s.places, place), true
		}
	}
	return added
}

// Clear returns the radius of the largest disc around a position in the box or in a disc, in metres.
func (s *region) Clear(x, y float64) float64 {
	far := math.Inf(-1)
	if s.box.Contains(x, y) {
		far = s.rim(x, y)
	}
	if !math.IsInf(far, 1) {
		far = max(far, s.depth(x, y))
	}
	return far - slack
}

// depth returns how deep a position lies in the discs, in metres; −∞ without any.
func (s *region) depth(x, y float64) float64 {
	deepest := math.Inf(-1)
	for i := range s.places {
		p := &s.places[i]
		deepest = max(deepest, p.Radius-math.Hypot(x*s.unit-p.At.X, y*s.unit-p.At.Y))
	}
	return deepest
}

// Square reports whether the region has all points within reach metres of a position along x and y.
func (s *region) Square(x, y, reach float64) bool {
	return s.box.Contains(x, y) && s.rim(x, y) > reach+slack || s.depth(x, y) > math.Sqrt2*reach+slack
}

// touchesAny reports whether the region may touch a box.
func (s *region) touchesAny(b tile.Box) bool {
	if b.Touches(s.box) {
		return true
	}
	for i := range s.places {
		x := s.places[i].At.X / s.unit
		y := s.places[i].At.Y / s.unit
		r := s.places[i].Radius / s.unit
		if b.Touches(tile.Box{West: x - r, South: y - r, East: x + r, North: y + r}) {
			return true
		}
	}
	return false
}

// rim returns the distance in metres from a position to the nearest of the rims; infinite without any.
func (s *region) rim(x, y float64) float64 {
	r := &s.rims
	return min(x-r.West, r.East-x, y-r.South, r.North-y) * s.unit
}

// readRegion writes the points of a region to a folder, from the slices of all tiles that it touches, and
// returns files by source, and which of their points are in the core. The points of a tile keep their order.
func readRegion(v *folder.Survey, to string, known *region) (all []*las.File, core []bool, err error) {
	writers, cores := map[int]*las.Edited{}, map[int][]bool{} // by source
	defer func() {
		for _, w := range writers {
			w.Discard()
		}
	}()
	if err := os.Mkdir(to, 0o777); err != nil {
		return nil, nil, err
	}
	for n := range v.Plan.Tiles {
		other := &v.Plan.Tiles[n]
		// cores of tiles at the border of the grid have no end there
		if !known.touchesAny(v.Plan.Grid.Core(other.Column, other.Row).Intersect(known.bounds)) {
			continue
		}
		near := *other // only with the sources in the region, because others may be damaged
		near.Sources = nil
		for _, k := range other.Sources {
			if known.touchesAny(v.Plan.Sources[k].Box().Grow(v.Plan.Grid.Size / 1000)) {
				near.Sources = append(near.Sources, k)
			}
		}
		sums, err := cutFor(v, &near)
		if err != nil {
			return nil, nil, err
		}
		if err := addSlices(v, &near, sums, known, to, writers, cores); err != nil {
			return nil, nil, err
		}
	}
	for _, k := range slices.Sorted(maps.Keys(writers)) {
		if err := writers[k].Close(); err != nil {
			return nil, nil, err
		}
		l, err := las.Read(writers[k].Layout.Path)
		if err != nil {
			return nil, nil, err
		}
		all, core = append(all, l), append(core, cores[k]...)
	}
	return all, core, nil
}

// addSlices appends the points of a tile's core that lie in the region. It fails if the records of a slice do
// not have their checksum.
func addSlices(v *folder.Survey, t *plan.Tile, sums map[int]uint32, known *region, to string,
	writers map[int]*las.Edited, cores map[int][]bool) error {
	core := v.Plan.Grid.Core(t.Column, t.Row)
	for _, k := range t.Sources {
		l, err := las.Read(v.Slice(t.Index, k))
		if os.IsNotExist(err) {
			continue // cut writes no empty slices
		}
		if err != nil {
			return err
		}
		if writers[k] == nil {
			w, err := (las.Edit{}).Start(filepath.Join(to, strconv.Itoa(k)+".las"), l)
			if err != nil {
				return err
			}
			writers[k] = w
		}
		sum := uint32(0)
		err = l.Each(func(_ int, record []byte) error {
			sum = las.Sum(sum, record)
			x, y := l.Position(las.XYZ(record))
			if !core.Contains(x, y) || !known.box.Contains(x, y) && known.depth(x, y) <= 0 {
				return nil
			}
			cores[k] = append(cores[k], known.core.Contains(x, y))
			return writers[k].Write(record, nil)
		})
		if err == nil && las.Sum(sum, l.Head) != sums[k] {
			err = blocks.Damaged(l.Path, blocks.ErrSum)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readColumns reads files, which have a number of points.
func readColumns(v *folder.Survey, all []*las.File, points int) (*host.Columns, error) {
	columns := new(host.Columns)
	for _, l := range all {
		more, err := v.Host.Read(l.Path, v.Plan.Reads)
		if err != nil {
			return nil, err
		}
		addColumns(columns, more)
	}
	if len(columns.X) != points {
		return nil, fmt.Errorf("%d of %d points were read", len(columns.X), points)
	}
	return columns, nil
}

// cutFor writes the slices of a tile that are missing, and returns the checksums of all, by source.
func cutFor(v *folder.Survey, t *plan.Tile) (sums map[int]uint32, err error) {
	s, err := v.Step("cut")
	if err != nil {
		return nil, err
	}
	tasks, err := runTasks(v, s, t.Sources)
	if err = cmp.Or(append([]error{err}, failures(tasks)...)...); err != nil {
		return nil, err // names the source
	}
	sums = map[int]uint32{}
	for _, task := range tasks {
		sums[task.Number] = task.Mark.Parts[strconv.Itoa(t.Index)]
		if slicePresent(v, task.Mark, t.Index, task.Number) {
			continue
		}
		if err := cutAgain(v, t, task.Number); err != nil {
			return nil, fmt.Errorf("%s: %w", v.Describe(s, task.Number), err)
		}
	}
	return sums, nil
}

// cutAgain writes the slice of source k in a tile.
func cutAgain(v *folder.Survey, t *plan.Tile, k int) error {
	work, done, err := atomicfile.Workspace(v.Path("cut"))
	if err != nil {
		return err
	}
	defer done()
	made, err := prepare(v, cut(t.Index), []int{k}, work)
	if err != nil {
		return err
	}
	return made[0].Place(v, k, &folder.Mark{})
}

// slicePresent reports whether the slice of source k for tile n is complete.
func slicePresent(v *folder.Survey, m *folder.Mark, n, k int) bool {
	want := m.Cores[strconv.Itoa(n)]
	if want == 0 {
		return true
	}
	l, err := las.Read(v.Slice(n, k))
	return err == nil && l.Count == want
}
