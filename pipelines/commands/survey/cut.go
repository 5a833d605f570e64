// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
)

// allTiles is the number of a tile that stands for all.
const allTiles = -1

// identity returns the identity of source k. It reads the file only if its stamp has changed since it was
// planned.
func (v *Survey) identity(k int) string {
	s := &v.plan.Sources[k]
	now, err := s.Now(s.Path)
	if err != nil {
		return err.Error()
	}
	return now
}

// content returns the identity of source k, which it reads.
func (v *Survey) content(k int) string {
	now, err := job.Content(v.plan.Sources[k].Path)
	if err != nil {
		return err.Error()
	}
	return now
}

// unchanged fails if sources have not the identity that they had when they were planned.
func (v *Survey) unchanged(which []int, identity func(k int) string) error {
	changed := make([]bool, len(which))
	err := v.parallel().ForEach(len(which), 1, func(n int) {
		changed[n] = identity(which[n]) != v.plan.Sources[which[n]].Content
	})
	var paths []string
	for n, k := range which {
		if changed[n] {
			paths = append(paths, v.plan.Sources[k].Path)
		}
	}
	switch count := len(paths); {
	case err != nil || count == 0:
		return err
	case count == 1:
		return fmt.Errorf("%s: the file has %w", paths[0], errChanged)
	case count > mostNamed:
		paths = append(paths[:mostNamed], fmt.Sprintf("and %d more", count-mostNamed))
		fallthrough
	default:
		return fmt.Errorf("%d of %d files %w: %s", count, len(v.plan.Sources), errChanged,
			strings.Join(paths, ", "))
	}
}

const mostNamed = 3 // files or errors in a message about many

var errChanged = errors.New("changed since the survey was planned; put it back, or plan in another folder")

// inputsOfCut returns the identity of a source.
func (v *Survey) inputsOfCut(k int) (string, error) { return v.identity(k), nil }

// cut returns what makes the slices of sources, for all tiles or for one.
func cut(only int) batch {
	return func(v *Survey, which []int, inputs []job.Pinned, work string) (made []prepared, err error) {
		all, err := v.plan.open(v.host.Context(), pdalprocess.Process{Folder: work}, which, inputs)
		if err != nil {
			return nil, err
		}
		for i, k := range which {
			s, err := v.distribute(all[i], k, only, work)
			if err != nil {
				return nil, err
			}
			made = append(made, s)
		}
		return made, nil
	}
}

// cutFor writes the slices of a tile that are missing, and returns the checksums of all, by source.
func (v *Survey) cutFor(t *plannedTile) (sums map[int]uint32, err error) {
	s, err := step("cut")
	if err != nil {
		return nil, err
	}
	tasks, err := v.run(s, t.Sources)
	if err = cmp.Or(append([]error{err}, failures(tasks)...)...); err != nil {
		return nil, err // names the source
	}
	sums = map[int]uint32{}
	for _, task := range tasks {
		sums[task.n] = task.mark.Parts[strconv.Itoa(t.Index)]
		if v.slicePresent(task.mark, t.Index, task.n) {
			continue
		}
		if err := v.cutAgain(t, task.n); err != nil {
			return nil, fmt.Errorf("%s: %w", v.describe(s, task.n), err)
		}
	}
	return sums, nil
}

// cutAgain writes the slice of source k in a tile.
func (v *Survey) cutAgain(t *plannedTile, k int) error {
	work, done, err := atomicfile.Workspace(v.Path("cut"))
	if err != nil {
		return err
	}
	defer done()
	made, err := v.prepare(cut(t.Index), []int{k}, work)
	if err != nil {
		return err
	}
	return made[0].place(v, k, &Mark{})
}

// slicePresent reports whether the slice of source k for tile n is complete.
func (v *Survey) slicePresent(m *Mark, n, k int) bool {
	want := m.Cores[strconv.Itoa(n)]
	if want == 0 {
		return true
	}
	l, err := las.Read(v.slice(n, k))
	return err == nil && l.Count == want
}

// open returns sources as LAS files that PDAL can read. One process unpacks all that are packed.
func (p *plan) open(ctx context.Context, in pdalprocess.Process, which []int,
	inputs []job.Pinned) ([]*las.File, error) {
	var from []string
	for i, k := range which {
		name, err := in.PlainName(inputs[i].Read, strconv.Itoa(k))
		if err != nil {
			return nil, err
		}
		from = append(from, name)
	}
	all, err := in.Unpack(ctx, from...)
	for n, k := range which {
		if err == nil && int64(all[n].Count) != p.Sources[k].Points {
			err = fmt.Errorf("%d of %d points can be read: the file is damaged, or the disk is full",
				all[n].Count, p.Sources[k].Points)
		}
	}
	return all, err
}

// batches divides sources into batches that one process unpacks or packs: to start one takes as long as to
// decode a hundred thousand points.
func (p *plan) batches(which []int) (all [][]int) {
	const mostPoints, mostFiles = 1 << 19, 64
	points := int64(0)
	for _, k := range which {
		n := len(all) - 1
		if points += p.Sources[k].Points; n < 0 || points > mostPoints || len(all[n]) == mostFiles {
			all = append(all, nil)
			points = p.Sources[k].Points
			n++
		}
		all[n] = append(all[n], k)
	}
	return all
}

// tilesOf returns the numbers of the tiles of source k by column and row.
func (v *Survey) tilesOf(k int) map[[2]int]int {
	index := map[[2]int]int{}
	for _, t := range v.plan.Tiles {
		if slices.Contains(t.Sources, k) {
			index[[2]int{t.Column, t.Row}] = t.Index
		}
	}
	return index
}

// cutSource has the slices of a source in a work folder.
type cutSource struct {
	points  int64
	records uint32         // checksum of the records
	paths   map[int]string // of the slices, by tile
	counts  map[int]int    // of their points
	sums    map[int]uint32 // of their records and heads
	only    int            // the tile for which slices were made, or allTiles
}

// distribute writes the slices of a source into a work folder.
func (v *Survey) distribute(l *las.File, k, only int, work string) (*cutSource, error) {
	made := &cutSource{
		points: int64(l.Count),
		paths:  map[int]string{},
		counts: map[int]int{},
		sums:   map[int]uint32{},
		only:   only,
	}
	index := v.tilesOf(k)
	writers := map[int]*las.Edited{}
	defer func() {
		for _, w := range writers {
			w.Discard()
		}
	}()
	err := l.Each(func(i int, record []byte) (err error) {
		made.records = las.Sum(made.records, record)
		x, y := l.Position(las.XYZ(record))
		column, row := v.plan.Grid.At(x, y)
		n, ok := index[[2]int{column, row}]
		switch {
		case !ok:
			return fmt.Errorf(
				"point %d at %v, %v lies outside the bounds %v in the file's header; rewrite the file "+
					"with pdal translate", i, x, y, v.plan.Sources[k].Bounds)
		case only != allTiles && n != only:
			return nil
		case writers[n] == nil:
			made.paths[n] = filepath.Join(work, fmt.Sprintf("slice-%d-%d.las", n, k))
			if writers[n], err = v.startSlice(made.paths[n], l); err != nil {
				delete(writers, n)
				return err
			}
		}
		return writers[n].Write(record, nil)
	})
	if err != nil {
		return nil, err
	}
	for n, w := range writers {
		sum, count := w.Sum()
		if err := w.Close(); err != nil {
			return nil, err
		}
		slice, err := las.Read(made.paths[n])
		if err != nil {
			return nil, err
		}
		made.counts[n] = int(count)
		made.sums[n] = las.Sum(sum, slice.Head)
	}
	return made, nil
}

func (v *Survey) startSlice(path string, l *las.File) (*las.Edited, error) {
	return las.Edit{WKT: v.plan.SRS, Force: v.plan.SRS != ""}.Start(path, l)
}

// place implements prepared. It removes slices in tiles where the source has no points.
func (c *cutSource) place(v *Survey, k int, m *Mark) error {
	m.Points = c.points
	m.Records = c.records
	m.Cores = map[string]int{}
	m.Parts = map[string]uint32{}
	for n, path := range c.paths {
		m.Cores[strconv.Itoa(n)] = c.counts[n]
		m.Parts[strconv.Itoa(n)] = c.sums[n]
		to := v.slice(n, k)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := atomicfile.Move(path, to); err != nil {
			return err
		}
	}
	if c.only != allTiles {
		return nil
	}
	for _, n := range v.tilesOf(k) {
		if c.counts[n] > 0 {
			continue
		}
		if err := os.Remove(v.slice(n, k)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// checkSlice fails if a slice has not the checksum of its mark.
func checkSlice(path string, want uint32) error {
	l, err := las.Read(path)
	if err != nil {
		return err
	}
	sum := uint32(0)
	err = l.Each(func(_ int, record []byte) error {
		sum = las.Sum(sum, record)
		return nil
	})
	if err == nil && las.Sum(sum, l.Head) != want {
		err = damaged(path, errSum)
	}
	return err
}

// readRegion writes the points of a region to a folder, from the slices of all tiles that it touches, and
// returns files by source, and which of their points are in the core. The points of a tile keep their order.
func (v *Survey) readRegion(folder string, known *region) (all []*las.File, core []bool, err error) {
	writers, cores := map[int]*las.Edited{}, map[int][]bool{} // by source
	defer func() {
		for _, w := range writers {
			w.Discard()
		}
	}()
	if err := os.Mkdir(folder, 0o777); err != nil {
		return nil, nil, err
	}
	for n := range v.plan.Tiles {
		other := &v.plan.Tiles[n]
		// cores of tiles at the border of the grid have no end there
		if !known.touchesAny(within(v.plan.Grid.Core(other.Column, other.Row), known.bounds)) {
			continue
		}
		near := *other // only with the sources in the region, because others may be damaged
		near.Sources = nil
		for _, k := range other.Sources {
			if known.touchesAny(v.plan.Sources[k].box().Grow(v.plan.Grid.Size / 1000)) {
				near.Sources = append(near.Sources, k)
			}
		}
		sums, err := v.cutFor(&near)
		if err != nil {
			return nil, nil, err
		}
		if err := v.addSlices(&near, sums, known, folder, writers, cores); err != nil {
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
func (v *Survey) addSlices(t *plannedTile, sums map[int]uint32, known *region, folder string,
	writers map[int]*las.Edited, cores map[int][]bool) error {
	core := v.plan.Grid.Core(t.Column, t.Row)
	for _, k := range t.Sources {
		l, err := las.Read(v.slice(t.Index, k))
		if os.IsNotExist(err) {
			continue // cut writes no empty slices
		}
		if err != nil {
			return err
		}
		if writers[k] == nil {
			w, err := (las.Edit{}).Start(filepath.Join(folder, strconv.Itoa(k)+".las"), l)
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
			err = damaged(l.Path, errSum)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var errSum = errors.New("it has another checksum")
