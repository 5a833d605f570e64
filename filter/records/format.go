package records

import "slices"

// Fields returns the dimensions that LAS holds in fields of its own, in some
// point format.
func Fields() []string {
	return []string{
		"X", "Y", "Z", "Intensity", "ReturnNumber", "NumberOfReturns", "ScanDirectionFlag", "EdgeOfFlightLine",
		"Classification", "ScanAngleRank", "UserData", "PointSourceId", "GpsTime", "Red", "Green", "Blue", "Infrared",
		"ScanChannel", "ClassFlags", "Synthetic", "KeyPoint", "Withheld", "Overlap",
	}
}

// Holds tells whether records of a point format hold a dimension.
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

// MaxClass returns the greatest class that records of a point format hold: formats below
// 6 have five bits for it.
func MaxClass(format int) int {
	if format < legacyFormats {
		return 31
	}
	return 255
}

// FormatFor returns a point format of LAS 1.4 that holds the dimensions: 6, with
// colours 7, with infrared 8.
func FormatFor(dimensions []string) int {
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
