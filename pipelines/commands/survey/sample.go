// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
)

// measure measures spacing and λ on the same sample as the filter would for all points. Of a
// large survey it reads only cells that may be in the sample.
func (p *plan) measure(h host.Host, f *filter.Filter, where []extent, work string) (*method.Measured, error) {
	wanted := f.Sample()
	s := &sampler{plan: p, host: h, work: work}
	run := filter.Run{Context: h.Context()}
	if p.Points <= int64(wanted.Whole) {
		if err := s.read(nil, nil); err != nil {
			return nil, err
		}
		return f.Measure(run, s.all.View(), nil)
	}
	cells, err := p.sampleCells(where)
	if err != nil {
		return nil, err
	}
	var squares []tile.Square
	enough := false
	for batch := firstCells; len(cells) > 0 && !enough; batch *= 2 {
		n := min(batch, len(cells))
		if err := s.read(cells[:n], where); err != nil {
			return nil, err
		}
		cells = cells[n:]
		squares, enough, err = wanted.Squares(parallel.Run{Context: h.Context()}, s.all.X, s.all.Y, p.Unit)
		if err != nil {
			return nil, err
		}
	}
	return f.Measure(run, s.all.View(), squares)
}

const (
	firstCells = 16      // of the first batch; batches double
	maxCells   = 1 << 26 // of a survey
)

// sampleCells returns the cells of the sample's lattice where sources may have points, in
// the order in which the sample takes them.
func (p *plan) sampleCells(where []extent) ([][2]int64, error) {
	seen := map[[2]int64]bool{}
	for k := range where {
		for _, b := range where[k].boxes {
			low, high := p.cellAt(b.West, b.South), p.cellAt(b.East, b.North)
			if n := float64(high[0]-low[0]+3) * float64(high[1]-low[1]+3); n+float64(len(seen)) > maxCells {
				return nil, fmt.Errorf("%s: its bounds %v are too wide; if a point is an outlier, filters.outlier removes it",
					p.Sources[k].Path, p.Sources[k].Bounds)
			}
			for column := low[0] - 1; column <= high[0]+1; column++ { // bounds in headers may be rounded
				for row := low[1] - 1; row <= high[1]+1; row++ {
					seen[[2]int64{column, row}] = true
				}
			}
		}
	}
	cells := make([][2]int64, 0, len(seen))
	for cell := range seen {
		cells = append(cells, cell)
	}
	slices.SortFunc(cells, tile.CompareCells)
	return cells, nil
}

// cellAt returns the cell of the sample's lattice at a position.
func (p *plan) cellAt(x, y float64) [2]int64 {
	return tile.Cell(tile.Unit(x*p.Unit), tile.Unit(y*p.Unit))
}

// cellBox returns the bounds of a cell in units of the coordinates, enlarged by a millimetre.
func (p *plan) cellBox(cell [2]int64) tile.Box {
	b := tile.CellBox(cell)
	return tile.Box{West: b.West / p.Unit, South: b.South / p.Unit, East: b.East / p.Unit, North: b.North / p.Unit}.
		Grow(1e-3 / p.Unit)
}

// sampler reads points of the sources.
type sampler struct {
	*plan
	host host.Host
	work string
	all  host.Columns // so far
}

// read adds the points of the sources in cells, or all points if cells is nil, in the order of the sources.
func (s *sampler) read(cells [][2]int64, where []extent) error {
	points, failed := make([]*host.Columns, len(s.Sources)), make([]error, len(s.Sources))
	run := parallel.Run{Context: s.host.Context(), Report: func(f float64) { s.host.Progress("sample", f) }}
	err := run.ForEach(len(s.Sources), 1, func(k int) {
		var here map[[2]int64]bool
		if cells != nil {
			if here = s.touching(cells, where[k].boxes); len(here) == 0 {
				return
			}
		}
		points[k], failed[k] = s.readSource(k, here)
	})
	for _, more := range points {
		if more != nil {
			addColumns(&s.all, more)
		}
	}
	return cmp.Or(append(failed, err)...)
}

// touching returns those cells that touch the boxes of a source.
func (s *sampler) touching(cells [][2]int64, boxes []tile.Box) map[[2]int64]bool {
	here := map[[2]int64]bool{}
	for _, cell := range cells {
		b := s.cellBox(cell)
		if slices.ContainsFunc(boxes, func(of tile.Box) bool { return touches(of.Grow(b.East-b.West), b) }) {
			here[cell] = true
		}
	}
	return here
}

// readSource returns the points of a source in cells, or all points if cells is nil.
func (s *sampler) readSource(k int, cells map[[2]int64]bool) (*host.Columns, error) {
	work, done, err := atomicfile.Workspace(s.work)
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := s.open(s.host, k, pdalprocess.Process{Folder: work})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Sources[k].Path, err)
	}
	path, count := l.Path, int64(l.Count)
	if cells != nil {
		path = filepath.Join(work, "sample.las")
		last, is := [2]int64{math.MaxInt64}, false
		_, count, err = las.Edit{}.Copy(path, nil, las.Part{File: l, Keep: func(_ int, record []byte) (bool, error) {
			if cell := s.cellAt(l.Position(las.XYZ(record))); cell != last { // consecutive points are often in one cell
				last, is = cell, cells[cell]
			}
			return is, nil
		}})
	}
	if err != nil || count == 0 {
		return nil, err
	}
	return s.host.Read(path, s.Reads)
}

// extent is the area of a source: its bounds or, if these are far too large for its number
// of points, the cells that have points.
type extent struct {
	boxes []tile.Box
	area  float64 // of the boxes, in square units
}

// If the mean distance of points within their bounds exceeds sparse, in metres, one outlier
// point may have extended the bounds.
const (
	sparse   = 10.0
	cellEdge = 50.0 // metres
)

// extents returns the extents of the sources.
func (p *plan) extents(h host.Host, folder string) ([]extent, error) {
	all := make([]extent, len(p.Sources))
	for k := range p.Sources {
		s := &p.Sources[k]
		b := s.box()
		e := extent{[]tile.Box{b}, (b.East - b.West) * (b.North - b.South)}
		if e.area*p.Unit*p.Unit > sparse*sparse*float64(s.Points) {
			var err error
			if e, err = p.occupied(h, folder, k); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Path, err)
			}
			h.Log(filter.LogWarning, fmt.Sprintf("%s: %s within %.4g × %.4g m; tiles are planned only where there "+
				"are points. If some are outliers, filters.outlier removes them",
				s.Path, message.Count(s.Points, "point"), (b.East-b.West)*p.Unit, (b.North-b.South)*p.Unit))
		}
		all[k] = e
	}
	return all, nil
}

// occupied reads a source and returns its cells that have points.
func (p *plan) occupied(h host.Host, folder string, k int) (e extent, err error) {
	s := &p.Sources[k]
	work, done, err := atomicfile.Workspace(folder)
	if err != nil {
		return e, err
	}
	defer done()
	l, err := p.open(h, k, pdalprocess.Process{Folder: work})
	if err != nil {
		return e, err
	}
	edge := max(cellEdge/p.Unit, (s.Bounds[2]-s.Bounds[0])/(1<<30), (s.Bounds[3]-s.Bounds[1])/(1<<30))
	seen, order := map[[2]int64]bool{}, [][2]int64(nil)
	err = l.Each(func(_ int, record []byte) error {
		x, y := l.Position(las.XYZ(record))
		cell := [2]int64{int64(math.Floor((x - s.Bounds[0]) / edge)), int64(math.Floor((y - s.Bounds[1]) / edge))}
		if !seen[cell] {
			seen[cell], order = true, append(order, cell)
		}
		return nil
	})
	for _, cell := range order {
		b := tile.Box{West: s.Bounds[0] + float64(cell[0])*edge, South: s.Bounds[1] + float64(cell[1])*edge}
		b.East, b.North = b.West+edge, b.South+edge
		e.boxes = append(e.boxes, b)
		e.area += edge * edge
	}
	return e, err
}
