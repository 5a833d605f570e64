// Package naming checks names of dimensions and returns their types.
package naming

import (
	"fmt"
	"strings"

	"superpoint/embed/cli"
)

// CheckDimension fails unless PDAL accepts the name: letters, digits and underscores, a letter
// first.
func CheckDimension(option, name string) error {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		behind := i > 0 && (r == '_' || r >= '0' && r <= '9')
		if !letter && !behind {
			return fmt.Errorf("option %s: %q is not a dimension name; use letters, digits and _, a letter first", option, name)
		}
	}
	return nil
}

// Missing returns the error for a dimension that the view does not have.
func Missing(name, why string, available []string) error {
	has := "no other"
	if len(available) > 0 {
		has = strings.Join(available, ", ")
	}
	return fmt.Errorf("dimension %q is missing (%s)%s; the view has %s", name, why, cli.DidYouMean(name, available), has)
}

// TypeOf returns PDAL's type of the usual dimensions of labels.
func TypeOf(name string) string {
	switch name {
	case "Classification", "UserData", "ReturnNumber", "NumberOfReturns":
		return "uint8"
	case "PointSourceId", "Intensity", "Red", "Green", "Blue":
		return "uint16"
	case "OriginId", "PointId", "SuperpointID":
		return "uint32"
	}
	return "int32"
}
