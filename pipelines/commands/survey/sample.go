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
	"superpoint/filter/steps"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
)

// measure measures spacing and λ on the same sample as the filter would for all points. Of a
// large survey it reads only cells that may be in the sample.
func measure(p *plan.Plan, h host.Host, f *filter.Filter, work string) (*method.Measured, error) {
	wanted := f.Sample()
	s := &sampler{Plan: p, host: h, work: work}
	run := steps.Run{Context: h.Context()}
	if p.Points <= int64(wanted.Whole) {
		if err := s.read(nil); err != nil {
			return nil, err
		}
		p.Positions = &s.all
		return f.Measure(run, p.View(&s.all), nil)
	}
	cells, err := sampleCells(p)
	if err != nil {
		return nil, err
	}
	var squares []tile.Square
	enough := false
	for read, n := 0, firstCells; read < len(cells) && !enough; {
		next := cells[read:min(read+n, len(cells))]
		if err := s.read(next); err != nil {
			return nil, err
		}
		read += len(next)
		squares, enough, err = wanted.Squares(parallel.Run{Context: h.Context()}, s.all.X, s.all.Y, p.Unit,
			cornerOf(p))
		if err != nil {
			return nil, err
		}
		points := 1
		for k := range squares {
			points += len(squares[k].Points)
		}
		if n = read; points < wanted.Points { // files are read whole, so not more than needed
			n = min(read, 1+read*(wanted.Points-points)/points)
		}
	}
	return f.Measure(run, p.View(&s.all), squares)
}

const (
	firstCells = 16      // of the first batch; batches double at most
	maxCells   = 1 << 26 // of a survey
)

// sampleCells returns the cells of the sample's lattice where sources may have points, in
// the order in which the sample takes them.
func sampleCells(p *plan.Plan) ([][2]int64, error) {
	seen := map[[2]int64]bool{}
	for k := range p.Sources {
		b := p.Sources[k].Box()
		low, high := cellAt(p, b.West, b.South), cellAt(p, b.East, b.North)
		if n := float64(high[0]-low[0]+3) * float64(high[1]-low[1]+3); n+float64(len(seen)) > maxCells {
			return nil, &plan.WideError{Reason: "the survey is too wide to measure the spacing of its points"}
		}
		for column := low[0] - 1; column <= high[0]+1; column++ { // bounds in headers may be rounded
			for row := low[1] - 1; row <= high[1]+1; row++ {
				seen[[2]int64{column, row}] = true
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

// cornerOf returns where the sample's lattice begins.
func cornerOf(p *plan.Plan) tile.Corner { return tile.CornerOf(p.Shared.Corner[0], p.Shared.Corner[1]) }

// cellAt returns the cell of the sample's lattice at a position.
func cellAt(p *plan.Plan, x, y float64) [2]int64 {
	return cornerOf(p).Cell(tile.Unit(x*p.Unit), tile.Unit(y*p.Unit))
}

// cellBox returns the bounds of a cell in units of the coordinates, enlarged by a millimetre.
func cellBox(p *plan.Plan, cell [2]int64) tile.Box {
	b := cornerOf(p).CellBox(cell)
	return tile.Box{West: b.West / p.Unit, South: b.South / p.Unit, East: b.East / p.Unit,
		North: b.North / p.Unit}.
		Grow(1e-3 / p.Unit)
}

// sampler reads points of the sources.
type sampler struct {
	*plan.Plan
	host host.Host
	work string
	all  host.Columns // so far
}

// read adds the points of the sources in cells, or all points if cells is nil, in the order of the sources.
func (s *sampler) read(cells [][2]int64) error {
	points, here := make([]*host.Columns, len(s.Sources)), make([]map[[2]int64]bool, len(s.Sources))
	var which []int
	for k := range s.Sources {
		if here[k] = s.touching(cells, s.Sources[k].Box()); cells == nil || len(here[k]) > 0 {
			which = append(which, k)
		}
	}
	all := batches(s.Plan, which)
	failed := make([]error, len(all))
	run := parallel.Run{Context: s.host.Context(), Report: func(f float64) { s.host.Progress("sample", f) }}
	err := run.ForEach(len(all), 1, func(n int) { failed[n] = s.readSources(all[n], here, points) })
	for _, more := range points {
		if more != nil {
			addColumns(&s.all, more)
		}
	}
	return cmp.Or(append(failed, err)...)
}

// cellOf returns the cell of the sample's lattice at a position.
func (s *sampler) cellOf(x, y float64) [2]int64 { return cellAt(s.Plan, x, y) }

// touching returns those cells that touch the bounds of a source.
func (s *sampler) touching(cells [][2]int64, bounds tile.Box) map[[2]int64]bool {
	here := map[[2]int64]bool{}
	for _, cell := range cells {
		if bounds.Grow(1 / s.Unit).Touches(cellBox(s.Plan, cell)) { // bounds in headers may be rounded
			here[cell] = true
		}
	}
	return here
}

// readSources reads the points of sources in cells, or all points if there are none, to the places of the
// sources.
func (s *sampler) readSources(which []int, cells []map[[2]int64]bool, to []*host.Columns) error {
	work, done, err := atomicfile.Workspace(s.work)
	if err != nil {
		return err
	}
	defer done()
	var paths []string
	for _, k := range which {
		paths = append(paths, s.Sources[k].Path)
	}
	err = job.Pin(work, paths, func(inputs []job.Pinned) error {
		return s.readPinned(which, inputs, cells, work, to)
	})
	if err == nil || len(which) == 1 {
		return err
	}
	done()
	for _, k := range which { // one of them cannot be read, or the disk has no room for all
		if err := s.readSources([]int{k}, cells, to); err != nil {
			return err
		}
	}
	return nil
}

// readPinned reads points of sources that have the content of the plan.
func (s *sampler) readPinned(which []int, inputs []job.Pinned, cells []map[[2]int64]bool, parent string,
	to []*host.Columns) error {
	for i, k := range which {
		if inputs[i].Content != s.Sources[k].Content {
			return fmt.Errorf("%s: %w", s.Sources[k].Path, job.ErrChanged)
		}
	}
	work, err := atomicfile.Within(parent, "try-")
	if err != nil {
		return err
	}
	all, err := openSources(s.host.Context(), s.Plan, pdalprocess.Process{Folder: work}, which, inputs)
	if err != nil {
		return message.File(s.Sources[which[0]].Path, err)
	}
	for n, k := range which {
		if to[k], err = s.pointsIn(all[n], cells[k], filepath.Join(work, "sample.las")); err != nil {
			return message.File(s.Sources[k].Path, err)
		}
	}
	return nil
}

// pointsIn returns the points of a file in cells, by a temporary file, or all points if there are no cells.
func (s *sampler) pointsIn(l *las.File, cells map[[2]int64]bool, temporary string) (*host.Columns, error) {
	path := l.Path
	count := int64(l.Count)
	var err error
	if len(cells) > 0 {
		path = temporary
		last, is := [2]int64{math.MaxInt64}, false
		_, count, err = las.Edit{}.Copy(path, l, l, func(record []byte) ([]byte, bool, error) {
			// consecutive points are often in one cell
			if cell := s.cellOf(l.Position(las.XYZ(record))); cell != last {
				last, is = cell, cells[cell]
			}
			return nil, is, nil
		})
	}
	if err != nil || count == 0 {
		return nil, err
	}
	return s.host.Read(path, s.Reads)
}
