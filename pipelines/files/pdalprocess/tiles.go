// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
)

// joinTiles writes the points of an EPT as LAS. PDAL reads its tiles in any order, another each time, and
// takes the values of one extra dimension for those of another.
func joinTiles(ctx context.Context, path, to string, points bool) error {
	files, wkt, code, err := sources.Tiles(path)
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return err
	}
	var all []*las.File
	for _, name := range files {
		l, err := las.Read(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if all = append(all, l); !l.Alike(all[0]) {
			return fmt.Errorf("its files %s and %s have other dimensions, scales or offsets; make it again", files[0], name)
		}
	}
	c := Process{Folder: filepath.Dir(to)}
	if wkt == "" && code != "" {
		if wkt, err = c.wktOf(ctx, code); err != nil {
			return err
		}
	}
	e := las.Edit{WKT: wkt, Force: wkt != ""}
	if !points {
		err = e.Outline(to, all[0], all...)
	} else {
		err = c.unpackTiles(ctx, e, folder, files, all[0], to)
	}
	if err != nil {
		return err
	}
	return las.RenameInPlace(to)
}

// unpackTiles writes the points of files of a folder with the header of the first.
func (c Process) unpackTiles(ctx context.Context, e las.Edit, folder string, files []string, first *las.File,
	to string) error {
	const plain, raw = "tiles", "tiles.las" // pdal expands some characters of names as patterns
	if err := atomicfile.Alias(folder, c.path(plain)); err != nil {
		return err
	}
	var stages []Stage
	for _, name := range files {
		stages = append(stages, RawReader(filepath.Join(plain, name), first))
	}
	w, err := RawWriter(first, raw)
	if err != nil {
		return err
	}
	if err := c.Pipeline(ctx, append(stages, w)); err != nil {
		return err
	}
	records, err := las.Read(c.path(raw))
	if err != nil {
		return err
	}
	defer os.Remove(records.Path)
	_, _, err = e.Copy(to, nil, las.Part{File: first, Records: records})
	return err
}

// wktOf returns the well-known text of the code of a reference.
func (c Process) wktOf(ctx context.Context, code string) (string, error) {
	const file = "point.las"
	if err := c.Pipeline(ctx, []Stage{
		{"type": "readers.faux", "mode": "ramp", "count": "1", "bounds": "([0,1],[0,1],[0,1])",
			"override_srs": code},
		{"type": "writers.las", "filename": file, "minor_version": "4"}}); err != nil {
		return "", err
	}
	l, err := las.Read(c.path(file))
	if err != nil {
		return "", err
	}
	return l.WKT(), nil
}

// Header reads the header of a LAS or LAZ file, or of the first tile of an EPT.
func Header(path string) (*las.File, error) {
	if sources.IsEPT(path) {
		files, _, _, err := sources.Tiles(path)
		if err != nil {
			return nil, err
		}
		path = filepath.Join(filepath.Dir(path), files[0])
	}
	return las.Read(path)
}
