// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/filter/host"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
)

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
