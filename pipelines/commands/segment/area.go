// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
	"superpoint/pipelines/layers"
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
	extent     geom.Envelope
}

// where describes where the polygons are, for the case that no point is inside.
func (p *polygons) where(path string) string {
	low, high, ok := p.extent.MinMaxXYs()
	if !ok {
		return ""
	}
	return fmt.Sprintf(
		"; the polygons of %s are between %s and %s: check their spatial reference and the order of "+
			"their coordinates (X or longitude first)", path, place(low), place(high))
}

// stagesOfArea returns the stages that set areaDimension to 1 for points in the polygons, and to 0 for
// others. Versions of PDAL transform polygons to the spatial reference of the points, or do not, so they get
// a copy that is in it.
func (w *work) stagesOfArea(r georef.Reference) ([]pdalprocess.Stage, error) {
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
	err := w.host.Convert(w.area.path, filepath.Join(w.Folder, areaFile), "-f", "GPKG", "-nln", "area",
		"-dim", "XY", "-nlt",
		"CONVERT_TO_LINEAR", "-dialect", "OGRSQL", "-sql", query, option, layers.GDALReference(r))
	if err == nil && option == "-t_srs" {
		err = w.checkTransformed()
	}
	if err != nil {
		err = fmt.Errorf("option area: %s: %w", w.Area, err)
	}
	return []pdalprocess.Stage{{"type": "filters.ferry", "dimensions": "=>" + areaDimension},
			{"type": "filters.overlay", "dimension": areaDimension, "datasource": areaFile,
				"column": "inside"}},
		err
}

// checkTransformed fails if polygons are invalid in the spatial reference of the points, far outside of its
// domain.
func (w *work) checkTransformed() error {
	table := filepath.Join(w.Folder, "area.csv")
	if err := w.host.Convert(filepath.Join(w.Folder, areaFile), table, "-f", "CSV", "-lco",
		"GEOMETRY=AS_WKT"); err != nil {
		return err
	}
	if _, err := readPolygons(table); err != nil {
		return fmt.Errorf(
			"in the spatial reference of the points %w (the polygons may be outside of its domain)", err)
	}
	return nil
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
	if strings.ContainsFunc(filepath.Base(file.Path), unicode.IsControl) { // GDAL names the layer after it
		return nil, errors.New(
			"its name has a control character; rename the file, or link it under another name")
	}
	folder, done, err := atomicfile.Temporary()
	if err != nil {
		return nil, err
	}
	defer done()
	// Tables of all layers, with their types and spatial references in files of their own.
	tables := filepath.Join(folder, "tables")
	if err := h.Convert(file.Read, tables, "-f", "CSV", "-lco", "GEOMETRY=AS_WKT", "-lco",
		"CREATE_CSVT=YES", "-nlt",
		"CONVERT_TO_LINEAR"); err != nil {
		return nil, err
	}
	p = &polygons{path: file.Read}
	if p.layer, err = onlyLayer(tables); err != nil {
		return nil, err
	}
	if p.extent, err = readPolygons(filepath.Join(tables, p.layer+".csv")); err != nil {
		return nil, err
	}
	reference, err := os.ReadFile(filepath.Join(tables, p.layer+".prj"))
	if p.referenced = err == nil; !p.referenced {
		h.Log(message.Warning,
			file.Path+": it has no spatial reference; its coordinates are taken as those of the points")
		return p, nil
	}
	if isGeographic(string(reference)) && !areDegrees(p.extent) {
		return p, p.withoutDegrees(h, file.Path)
	}
	return p, nil
}

// withoutDegrees handles a file in degrees whose coordinates are none. GeoJSON without the member crs is in
// degrees by its standard (RFC 7946), but many programs write projected coordinates.
func (p *polygons) withoutDegrees(h host.Host, path string) error {
	low, _, _ := p.extent.MinMaxXYs()
	const remedy = "write their spatial reference into a copy: ogr2ogr -a_srs EPSG:CODE copy.gpkg "
	if !lacksReference(p.path) {
		return fmt.Errorf(
			"its spatial reference is in degrees, and its coordinates, such as %s, are none; %s%s",
			place(low),
			remedy, path)
	}
	p.referenced = false
	h.Log(message.Warning,
		fmt.Sprintf("%s: GeoJSON without crs is in degrees, and its coordinates, such as %s, are "+
			"none; they are taken as those of the points (or %s%s)", path, place(low), remedy, path))
	return nil
}

// lacksReference reports whether a file is GeoJSON without the member crs.
func lacksReference(path string) bool {
	text, err := os.ReadFile(path)
	var collection struct {
		Type string
		CRS  json.RawMessage
	}
	return err == nil && json.Unmarshal(text, &collection) == nil && collection.Type != "" &&
		collection.CRS == nil
}

// isGeographic reports whether the well-known text of a reference is one in degrees.
func isGeographic(wkt string) bool { return strings.HasPrefix(wkt, "GEOG") }

// areDegrees reports whether coordinates may be longitudes and latitudes, in any order.
func areDegrees(e geom.Envelope) bool {
	const circle = 360
	low, high, ok := e.MinMaxXYs()
	return !ok || low.X >= -circle && high.X <= circle && low.Y >= -circle && high.Y <= circle
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
		err = fmt.Errorf("it has %s of geometries (%s); %s", message.Count(len(names), "layer"),
			strings.Join(names, ", "),
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
