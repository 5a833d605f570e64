// SPDX-License-Identifier: BSD-3-Clause

// Package lasformat is the table of point formats of LAS (LAS 1.4 R15, ASPRS): which dimensions are standard
// fields.
package lasformat

import "slices"

// Fields returns the dimensions that are standard fields of some point format of LAS.
func Fields() []string {
	return []string{
		"X", "Y", "Z", "Intensity", "ReturnNumber", "NumberOfReturns", "ScanDirectionFlag",
		"EdgeOfFlightLine",
		"Classification", "ScanAngleRank", "UserData", "PointSourceId", "GpsTime", "Red", "Green",
		"Blue", "Infrared",
		"ScanChannel", "ClassFlags", "Synthetic", "KeyPoint", "Withheld", "Overlap",
	}
}

// Holds reports whether a point format has a standard field for a dimension.
func Holds(format int, name string) bool {
	switch name {
	case "GpsTime":
		return format == 1 || format >= 3
	case "Red", "Green", "Blue":
		return slices.Contains([]int{2, 3, 5, 7, 8, 10}, format)
	case "Infrared":
		return format == 8 || format == 10
	case "ScanChannel":
		return format >= 6
	}
	return slices.Contains(Fields(), name)
}

// MaxClass returns the greatest class of a point format: formats below 6 have five bits.
func MaxClass(format int) int {
	if format < 6 {
		return 31
	}
	return 255
}

// For returns a point format of LAS 1.4 for the dimensions: 6, with colours 7, with
// infrared 8.
func For(dimensions []string) int {
	format := 6
	for _, name := range dimensions {
		switch name {
		case "Red", "Green", "Blue":
			format = max(format, 7)
		case "Infrared":
			format = 8
		}
	}
	return format
}
