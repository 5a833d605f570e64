// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
)

// allTiles is the number of a tile that stands for all.
const allTiles = -1

// inputsOfCut returns the identity of a source.
func (v *Survey) inputsOfCut(k int) (string, error) { return v.identity(k), nil }

// cut returns what makes the slices of sources, for all tiles or for one.
func cut(only int) batch {
	return func(v *Survey, which []int, inputs []job.Pinned, work string) (made []prepared, err error) {
		all, err := openSources(v.host.Context(), v.plan, pdalprocess.Process{Folder: work}, which, inputs)
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
	// Tiles read a source only if its bounds touch theirs, so points beyond them would be missing there.
	bounds := v.plan.Sources[k].Box().Grow(plan.RoundedBounds(&v.plan.Grid))
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
		case !ok, !bounds.Contains(x, y):
			return fmt.Errorf(
				"%s: point %d at %.10g, %.10g lies outside the bounds %.10g in the file's header; %s, "+
					"and plan again in another folder",
				v.plan.Sources[k].Path, i, x, y, v.plan.Sources[k].Bounds, rewrite)
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
