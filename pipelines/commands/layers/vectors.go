// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/sources"
)

// drivers returns GDAL's drivers by suffix, where several drivers, or none, have the
// suffix. For other suffixes GDAL chooses.
func drivers() map[string]string {
	return map[string]string{
		geoPackage: "GPKG", ".shp": "ESRI Shapefile", ".fgb": "FlatGeobuf", ".kml": "KML",
		".parquet": "Parquet", ".gml": "GML", ".sqlite": "SQLite",
	}
}

// geoPackage is the suffix of the only format with layers, styles and all references.
const geoPackage = ".gpkg"

// WriteLayers writes layers to one file or, if its format has one layer only, to one file
// per layer: objects_buildings.shp and objects_trees.shp for objects.shp. find, which is
// called after the outputs are checked, returns the layers of those names.
func WriteLayers(a *command.Arguments, from []string, path string, names []string, find func() ([]Layer, error)) error {
	ending := strings.ToLower(filepath.Ext(path))
	paths := []string{path}
	if !slices.Contains([]string{geoPackage, ".geojson", ".json", ""}, ending) {
		paths = nil
		for _, name := range names {
			paths = append(paths, strings.TrimSuffix(path, filepath.Ext(path))+"_"+name+filepath.Ext(path))
		}
	}
	var files []*Vectors
	for _, path := range paths {
		v, err := OpenVectors(a, from, path)
		if err != nil {
			return err
		}
		files = append(files, v)
	}
	layers, err := find()
	if err != nil {
		return err
	}
	if len(files) == 1 {
		return files[0].Write(layers...)
	}
	for k, v := range files {
		if err := v.Write(layers[k]); err != nil {
			return err
		}
	}
	return nil
}

// OpenVectors registers the inputs and returns a vector file to write.
func OpenVectors(a *command.Arguments, from []string, path string) (*Vectors, error) {
	if sources.IsLAS(path) || sources.IsCOPC(path) {
		return nil, fmt.Errorf("%s is a point cloud, and the last name is the output; name the clouds first, then for "+
			"example objects.gpkg", path)
	}
	to, err := a.Open(from, path)
	if err != nil {
		return nil, err
	}
	return NewVectors(a.Host, to)
}

// NewVectors returns a vector file to write. It fails early if it cannot be written.
func NewVectors(h command.Host, to *atomicfile.Output) (*Vectors, error) {
	path := to.Path()
	v := &Vectors{h, to, strings.ToLower(filepath.Ext(path))}
	if v.plain() {
		return v, nil
	}
	if v.Ending == "" {
		return nil, fmt.Errorf("%s: its name has no suffix of a format; use .gpkg or .geojson", path)
	}
	err := h.Convert("", path, v.driver()...)
	switch {
	case errors.Is(err, host.ErrNoGDAL) || err != nil && v.Ending == geoPackage:
		return nil, fmt.Errorf("%s: %w; write .geojson, which needs none", path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w; write %s, or .geojson, which needs no GDAL", path, err, geoPackage)
	}
	return v, nil
}

// plain reports whether the file is GeoJSON, which needs no GDAL.
func (v *Vectors) plain() bool { return v.Ending == ".geojson" || v.Ending == ".json" }

func (v *Vectors) driver() []string {
	if name := drivers()[v.Ending]; name != "" {
		return []string{"-f", name}
	}
	return nil
}

// Write writes the file.
func (v *Vectors) Write(layers ...Layer) error {
	if v.plain() {
		f := &Features{host: v.host, name: layers[0].Name}
		err := v.to.Write(f.writer(layers))
		switch authority, _ := f.reference.Code(); {
		case err != nil || authority == epsg:
		case f.reference.WKT == "":
			v.host.Log(filter.LogWarning, f.first+": it has no spatial reference, and neither has the GeoJSON; set it with "+
				"--default_srs")
		default:
			v.host.Log(filter.LogWarning, f.first+": no EPSG code in the spatial reference; GeoJSON is written without one; "+
				"use .gpkg to keep it")
		}
		return err
	}
	return v.to.Set(func(temporary string) error {
		for i := range layers {
			if err := v.writeLayer(layers[i:i+1], i > 0, temporary); err != nil {
				return err
			}
		}
		if v.Ending != geoPackage {
			return nil
		}
		return v.addStyles(temporary, layers)
	})
}

// writeLayer writes one layer, by way of a temporary GeoJSON file. It is kept until all is written, so that the disk is
// still full if GDAL filled it.
func (v *Vectors) writeLayer(l []Layer, further bool, to string) error {
	geojson := filepath.Join(filepath.Dir(to), "."+l[0].Name+".json")
	f := &Features{host: v.host, name: l[0].Name}
	if err := atomicfile.Write(geojson, f.writer(l)); err != nil {
		return err
	}
	v.host.Log(filter.LogDebug, "writing "+v.to.Path())
	arguments, err := v.Arguments(&l[0], further, f.reference)
	if err == nil {
		err = v.host.Convert(geojson, to, arguments...)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", v.to.Path(), err)
	}
	return nil
}

// Arguments returns the arguments of ogr2ogr for a layer. Ids are an attribute and not the feature id, because
// Superpoints of different files may have equal ids.
func (v *Vectors) Arguments(l *Layer, further bool, reference georef.Reference) ([]string, error) {
	arguments := append(v.driver(), "-unsetFid", "-nln", l.Name, "-nlt", l.Geometry)
	if further {
		arguments = append(arguments, "-update")
	}
	name := GDALReference(reference)
	switch {
	case v.Ending == ".kml" && name == "NULL":
		return nil, errors.New("KML needs degrees, and the point cloud has no spatial reference to convert from; set " +
			"it with --default_srs, or write .gpkg")
	case v.Ending == ".kml":
		arguments = append(arguments, "-s_srs", name, "-t_srs", "EPSG:4326")
	default:
		arguments = append(arguments, "-a_srs", name)
	}
	if v.Ending == geoPackage {
		arguments = append(arguments, "-lco", "FID=fid")
	}
	return arguments, nil
}

// GDALReference returns a spatial reference for GDAL, on one line.
func GDALReference(r georef.Reference) string {
	if authority, code := r.Code(); authority == epsg {
		return "EPSG:" + code
	}
	if strings.TrimSpace(r.WKT) == "" {
		return "NULL"
	}
	return strings.Join(slices.Collect(strings.FieldsSeq(r.WKT)), " ")
}

// Style is a style of QGIS (QML) for a layer, and its description.
type Style struct{ Qml, Shows string }

// Vectors is a vector file to write.
type Vectors struct {
	host   command.Host
	to     *atomicfile.Output
	Ending string // suffix of its name, in lower case
}

// Layer is a layer of a vector file. A GeoPackage may have several; in GeoJSON the
// Features of all layers are in one list.
type Layer struct {
	Name     string
	Geometry string // GDAL's name of its type
	Style    Style  // in a GeoPackage
	Body     func(f *Features) error
}

// BytesOf returns the function that writes a file.
func BytesOf(file []byte) func(w io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(file); return err }
}
