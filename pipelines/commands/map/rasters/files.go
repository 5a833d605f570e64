// SPDX-License-Identifier: BSD-3-Clause

package rasters

import (
	"fmt"
	"path/filepath"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/land/raster"
	"superpoint/pipelines/layers"
)

// Files writes rasters into a folder.
type Files struct {
	Host   command.Host
	Folder string
	At     Place
	Grid   raster.Grid
}

// Write writes the heights of a raster.
func (f *Files) Write(r Raster, heights []float32) error {
	g := f.Grid
	head := command.Raster{Columns: g.Area.Dx(), Rows: g.Area.Dy(), West: g.West(), North: g.North(),
		Width:  g.Side,
		Height: g.Side, NoData: contents.NoData, Unit: HeightUnit(f.At.Metres[2]), Description: r.Shows}
	if reference := layers.GDALReference(f.At.Reference); reference != layers.NoReference {
		head.Reference = reference
	}
	for _, area := range g.InFile() {
		head.Held = append(head.Held, command.Cells(area))
	}
	path := filepath.Join(f.Folder, r.Name)
	if err := f.Host.WriteRaster(path, head, heights); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
