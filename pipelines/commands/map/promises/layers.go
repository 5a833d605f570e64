// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/layers"
)

// features are the rows of the layers of objects.gpkg.
type features struct {
	buildings []object
	trees     []object
	crowns    []object
	water     []object
}

// readLayers reads the layers of objects.gpkg in a folder. GDAL takes longer to open a GeoPackage than to
// read it, so it writes tables of all layers at once.
func readLayers(host command.Host, folder string, withWater bool) (*features, error) {
	all := &features{}
	targets := map[string]*[]object{layers.Buildings: &all.buildings, layers.Trees: &all.trees,
		layers.Crowns: &all.crowns}
	if withWater {
		targets[layers.Water] = &all.water
	}
	names := slices.Sorted(maps.Keys(targets))
	tables := filepath.Join(folder, ".tables")
	defer os.RemoveAll(tables)
	arguments := append([]string{"-f", "CSV", "-lco", "GEOMETRY=AS_WKT"}, names...)
	if err := host.Convert(filepath.Join(folder, contents.Objects), tables, arguments...); err != nil {
		return nil, broken(contents.Objects, "%w", err)
	}
	for _, name := range names {
		rows, err := readTable(filepath.Join(tables, name+".csv"))
		if err != nil {
			return nil, broken(contents.Objects, "layer %s: %w", name, err)
		}
		*targets[name] = rows
	}
	return all, nil
}

// readTable reads the table of a layer, whose first column has the geometries. A polygon that is not valid is
// an error.
func readTable(path string) (all []object, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	for k, row := range rows {
		if k == 0 {
			continue
		}
		o, err := newObject(rows[0], row)
		if err != nil {
			return nil, fmt.Errorf("feature %d: %w", k, err)
		}
		all = append(all, o)
	}
	return all, nil
}
