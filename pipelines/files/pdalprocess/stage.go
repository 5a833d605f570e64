// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"path/filepath"
	"strconv"
	"strings"

	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
)

// Stage has the options of a stage of a pipeline by name. All are text, because PDAL 2.2 cuts floating point
// numbers in JSON to six digits.
type Stage map[string]string

// Number formats a number for an option of a stage.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Writer returns the stage that writes a file as its name says: LAS, LAZ or COPC, with a point format and
// extra dimensions in the form of ExtraDims.
func Writer(path string, format int, extra string) Stage {
	w := Stage{"type": "writers.las", "filename": path, "forward": "all"}
	if extra != "" {
		w["extra_dims"] = extra
	}
	if sources.IsCOPC(path) {
		w["type"] = "writers.copc"
		return w
	}
	w["minor_version"], w["dataformat_id"] = "4", strconv.Itoa(format)
	if strings.HasSuffix(path, ".laz") {
		w["compression"] = "laszip"
	}
	return w
}

// ExtraDims formats fields for the option extra_dims.
func ExtraDims(fields []Field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name+"="+f.Type)
	}
	return strings.Join(all, ",")
}

// CannotPack is the message for RefusedToPack.
const CannotPack = "this PDAL cannot write the file's classes or scan angles to LAZ"

// RefusedToPack reports whether a pipeline failed because LAZ cannot hold its points.
// PDAL 2.2 passes LASzip the fields of point formats 0 to 5 also for formats 6 to 10: it
// refuses a class above 31 unless that is a multiple of 32, and a scan angle beyond the
// range of int8. Such clouds can be written as LAS only.
func RefusedToPack(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "legacy classification") ||
		strings.Contains(err.Error(), "ScanAngleRank:float(") && strings.Contains(err.Error(),
			"-> signed char"))
}

// ResultNames returns the names that a result may have: a LAZ file becomes a LAS file if PDAL
// cannot compress it without loss.
func ResultNames(name string) []string {
	if other := UnpackedName(name); !strings.EqualFold(other, name) && !sources.IsCOPC(name) {
		return []string{name, other}
	}
	return []string{name}
}

// UnpackedName returns the name of a result that cannot be compressed.
func UnpackedName(name string) string {
	stem := name[:len(name)-len(filepath.Ext(name))]
	return strings.TrimSuffix(stem, ".copc") + ".las"
}

// Field is a dimension and its PDAL type.
type Field = las.Column
