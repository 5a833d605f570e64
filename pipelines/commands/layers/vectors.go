// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
)

const (
	geoPackage  = ".gpkg" // with several layers, styles and all references
	geoJSON     = ".geojson"
	bothFormats = "a GeoPackage (" + geoPackage + ") or GeoJSON (" + geoJSON + ", which needs no GDAL)"
)

// OpenVectors registers the inputs and returns a vector file to write.
func OpenVectors(a *command.Arguments, from []string, path string) (*Vectors, error) {
	if ending := strings.ToLower(filepath.Ext(path)); ending != geoPackage && ending != geoJSON && ending != ".json" {
		return nil, fmt.Errorf("%s: the output, the last name, is %s; ogr2ogr and QGIS write other formats of it", path,
			bothFormats)
	}
	to, err := a.Open(from, path)
	if err != nil {
		return nil, err
	}
	return NewVectors(a.Host, to)
}

// NewVectors returns a vector file to write. It fails early if it cannot be written.
func NewVectors(h command.Host, to *atomicfile.Output) (*Vectors, error) {
	v := &Vectors{h, to}
	if !v.isGeoPackage() {
		return v, nil
	}
	if err := h.Convert("", to.Path(), "-f", "GPKG"); err != nil {
		return nil, fmt.Errorf("%s: %w; write %s, which needs none", to.Path(), err, geoJSON)
	}
	return v, nil
}

func (v *Vectors) isGeoPackage() bool {
	return strings.EqualFold(filepath.Ext(v.to.Path()), geoPackage)
}

// Write writes the file.
func (v *Vectors) Write(layers ...Layer) error {
	if !v.isGeoPackage() {
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
	return v.to.File(func(temporary string) error {
		for i := range layers {
			if err := v.writeLayer(layers[i:i+1], i > 0, temporary); err != nil {
				return err
			}
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
	if err := v.host.Convert(geojson, to, Arguments(&l[0], further, f.reference)...); err != nil {
		return fmt.Errorf("%s: %w", v.to.Path(), err)
	}
	return nil
}

// Arguments returns the arguments of ogr2ogr for a layer. Ids are an attribute and not the feature id, because
// Superpoints of different files may have equal ids.
func Arguments(l *Layer, further bool, reference georef.Reference) []string {
	arguments := []string{"-f", "GPKG", "-unsetFid", "-nln", l.Name, "-nlt", l.Geometry, "-a_srs",
		GDALReference(reference), "-lco", "FID=fid"}
	if further {
		arguments = append(arguments, "-update")
	}
	return arguments
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
	host command.Host
	to   *atomicfile.Output
}

// Layer is a layer of a vector file. In GeoJSON the features of all layers are in one list.
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
