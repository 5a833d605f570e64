package child

import (
	"path/filepath"
	"strings"
)

// CannotPack is what to tell where RefusedToPack.
const CannotPack = "this PDAL cannot write the file's classes to LAZ"

// RefusedToPack tells whether a pipeline failed because of classes. The LASzip
// that PDAL 2.2 has refuses points whose class is above 31 unless it is a multiple
// of 32: such clouds can be had as LAS only.
func RefusedToPack(err error) bool {
	return err != nil && strings.Contains(err.Error(), "legacy classification")
}

// UnpackedName is the name of a result that LAZ cannot hold.
func UnpackedName(name string) string {
	stem := name[:len(name)-len(filepath.Ext(name))]
	return strings.TrimSuffix(stem, ".copc") + ".las"
}
