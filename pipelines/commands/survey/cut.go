// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
)

// allTiles is the number of a tile that stands for all.
const allTiles = -1

// inputsOfCut returns the identity of a source.
func inputsOfCut(v *folder.Survey, k int) (string, error) { return identity(v, k), nil }

// cut returns what makes the slices of sources, for all tiles or for one.
func cut(only int) folder.Batch {
	return func(v *folder.Survey, which []int, inputs []job.Pinned, work string) (
		made []folder.Prepared, err error) {
		all, err := openSources(v.Host.Context(), v.Plan, pdalprocess.Process{Folder: work}, which, inputs)
		if err != nil {
			return nil, err
		}
		for i, k := range which {
			s, err := distribute(v, all[i], k, only, work)
			if err != nil {
				return nil, err
			}
			made = append(made, s)
		}
		return made, nil
	}
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
func distribute(v *folder.Survey, l *las.File, k, only int, work string) (*cutSource, error) {
	made := &cutSource{
		points: int64(l.Count),
		paths:  map[int]string{},
		counts: map[int]int{},
		sums:   map[int]uint32{},
		only:   only,
	}
	index := v.Plan.TilesOf(k)
	// Tiles read a source only if its bounds touch theirs, so points beyond them would be missing there.
	bounds := v.Plan.Sources[k].Box().Grow(plan.RoundedBounds(&v.Plan.Grid))
	writers := map[int]*las.Edited{}
	defer func() {
		for _, w := range writers {
			w.Discard()
		}
	}()
	err := l.Each(func(i int, record []byte) (err error) {
		made.records = las.Sum(made.records, record)
		x, y := l.Position(las.XYZ(record))
		column, row := v.Plan.Grid.At(x, y)
		n, ok := index[[2]int{column, row}]
		switch {
		case !ok, !bounds.Contains(x, y):
			return fmt.Errorf(
				"%s: point %d at %.10g, %.10g lies outside the bounds %.10g in the file's header; %s, "+
					"and plan again in another folder",
				v.Plan.Sources[k].Path, i, x, y, v.Plan.Sources[k].Bounds, rewrite)
		case only != allTiles && n != only:
			return nil
		case writers[n] == nil:
			made.paths[n] = filepath.Join(work, fmt.Sprintf("slice-%d-%d.las", n, k))
			if writers[n], err = startSlice(v, made.paths[n], l); err != nil {
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

func startSlice(v *folder.Survey, path string, l *las.File) (*las.Edited, error) {
	return las.Edit{WKT: v.Plan.SRS, Force: v.Plan.SRS != ""}.Start(path, l)
}

// Place implements folder.Prepared. It removes slices in tiles where the source has no points.
func (c *cutSource) Place(v *folder.Survey, k int, m *folder.Mark) error {
	m.Points = c.points
	m.Records = c.records
	m.Cores = map[string]int{}
	m.Parts = map[string]uint32{}
	for n, path := range c.paths {
		m.Cores[strconv.Itoa(n)] = c.counts[n]
		m.Parts[strconv.Itoa(n)] = c.sums[n]
		to := v.Slice(n, k)
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
	for _, n := range v.Plan.TilesOf(k) {
		if c.counts[n] > 0 {
			continue
		}
		if err := os.Remove(v.Slice(n, k)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
