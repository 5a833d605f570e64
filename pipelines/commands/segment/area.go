// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/layers"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
)

// AreaOption adds the option area.
func (r *Request) AreaOption(a *command.Arguments) {
	a.StringVar(&r.Area, "area", "", "vector `file` of polygons; points outside are copied unchanged")
	a.Reads = append(a.Reads, "area")
}

// Names of the option area in the working folder and in pipelines of pdal.
const (
	areaFile      = "area.gpkg"
	areaDimension = "InArea"
)

// polygons is a vector file of polygons.
type polygons struct {
	path       string // of a copy
	layer      string
	referenced bool // has a spatial reference
}

// inArea returns the stages that set areaDimension to 1 for points in the polygons, and to 0 for others. Versions of
// PDAL transform polygons to the spatial reference of the points, or do not, so they get a copy that is in it.
func (w *work) inArea(r georef.Reference) ([]pdalprocess.Stage, error) {
	if w.Area == "" {
		return nil, nil
	}
	option := "-t_srs"
	if !w.area.referenced || r.WKT == "" {
		option = "-a_srs"
	}
	// OGR SQL keeps the geometry; empty ones have no area.
	query := fmt.Sprintf(`SELECT 1 AS inside FROM "%s" WHERE OGR_GEOM_AREA > 0`,
		strings.ReplaceAll(w.area.layer, `"`, `\"`))
	err := w.host.Convert(w.area.path, filepath.Join(w.Folder, areaFile), "-f", "GPKG", "-nln", "area", "-dim", "XY", "-nlt",
		"CONVERT_TO_LINEAR", "-dialect", "OGRSQL", "-sql", query, option, layers.GDALReference(r))
	if err != nil {
		err = fmt.Errorf("option area: %s: %w", w.Area, err)
	}
	return []pdalprocess.Stage{{"type": "filters.ferry", "dimensions": "=>" + areaDimension},
		{"type": "filters.overlay", "dimension": areaDimension, "datasource": areaFile, "column": "inside"}}, err
}

const onePolygonLayer = "give a vector file with one layer of polygons; ogr2ogr copies a layer"

// openArea inspects a vector file. It fails unless it has one layer of geometries, all polygons.
func openArea(h host.Host, file job.Pinned) (p *polygons, err error) {
	defer func() {
		if err != nil {
			text := strings.ReplaceAll(err.Error(), file.Read, file.Path)
			err = fmt.Errorf("option area: %s: %s", file.Path, text)
		}
	}()
	folder, done, err := atomicfile.Temporary()
	if err != nil {
		return nil, err
	}
	defer done()
	// Tables of all layers, with their types and spatial references in files of their own.
	tables := filepath.Join(folder, "tables")
	if err := h.Convert(file.Read, tables, "-f", "CSV", "-lco", "GEOMETRY=AS_WKT", "-lco", "CREATE_CSVT=YES", "-nlt",
		"CONVERT_TO_LINEAR"); err != nil {
		return nil, err
	}
	p = &polygons{path: file.Read}
	if p.layer, err = onlyLayer(tables); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(tables, p.layer+".prj")); err == nil {
		p.referenced = true
	} else {
		h.Log(filter.LogWarning, file.Path+": it has no spatial reference; its coordinates are taken as those of the points")
	}
	text, err := os.Open(filepath.Join(tables, p.layer+".csv"))
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return p, checkPolygons(text)
}

// checkPolygons fails unless the first column of a table has polygons.
func checkPolygons(text io.Reader) error {
	table := csv.NewReader(text)
	table.FieldsPerRecord = -1 // a table of one column ends in a comma, but for its head
	all, err := table.ReadAll()
	if err != nil {
		return err
	}
	found := false
	for _, row := range all[1:] {
		switch kind, _, _ := strings.Cut(row[0], " "); {
		case kind == "" || strings.HasSuffix(row[0], "EMPTY"):
		case kind == "POLYGON" || kind == "MULTIPOLYGON":
			found = true
		default:
			return fmt.Errorf("it has a %s; %s", strings.ToLower(kind), onePolygonLayer)
		}
	}
	if !found {
		return errors.New("it has no polygons; " + onePolygonLayer)
	}
	return nil
}

// onlyLayer returns the name of the only layer with geometries among tables with types.
func onlyLayer(folder string) (string, error) {
	types, err := filepath.Glob(filepath.Join(folder, "*.csvt"))
	var names []string
	for _, path := range types {
		if text, err := os.ReadFile(path); err != nil {
			return "", err
		} else if strings.HasPrefix(string(text), "WKT") {
			names = append(names, strings.TrimSuffix(filepath.Base(path), ".csvt"))
		}
	}
	if err == nil && len(names) != 1 {
		err = fmt.Errorf("it has %s of geometries (%s); %s", message.Count(len(names), "layer"), strings.Join(names, ", "),
			onePolygonLayer)
	}
	return strings.Join(names, ""), err
}

// selects reports whether options select points.
func (r *Request) selects() bool { return r.Where != "" || r.Area != "" }

// selection returns the expression of the points that are selected; "" = all.
func (r *Request) selection() string {
	const inside = areaDimension + " == 1"
	switch {
	case r.Area == "":
		return r.Where
	case r.Where == "":
		return inside
	}
	return "(" + r.Where + ") && (" + inside + ")"
}
