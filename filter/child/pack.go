package child

import (
	"path/filepath"
	"strings"
)

// CannotPack is what to report where RefusedToPack.
const CannotPack = "this PDAL cannot write the file's classes or scan angles to LAZ"

// RefusedToPack reports whether a pipeline failed because LAZ cannot hold its points.
// PDAL 2.2 passes LASzip the fields of point formats 0 to 5 also for formats 6 to 10: it
// refuses a class above 31 unless that is a multiple of 32, and a scan angle beyond the
// range of int8. Such clouds can be written as LAS only.
func RefusedToPack(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "legacy classification") ||
		strings.Contains(err.Error(), "ScanAngleRank:float(") && strings.Contains(err.Error(), "-> signed char"))
}

// UnpackedName is the name of a result that LAZ cannot hold.
func UnpackedName(name string) string {
	stem := name[:len(name)-len(filepath.Ext(name))]
	return strings.TrimSuffix(stem, ".copc") + ".las"
}
