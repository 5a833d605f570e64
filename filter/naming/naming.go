// Package naming checks the names of dimensions that users write: whether PDAL has
// such a name, which one is missing, and its type.
package naming

import (
	"fmt"
	"strings"

	"superpoint/embed/cli"
)

// CheckDimension accepts the dimension names PDAL accepts: letters, digits and
// underscores, a letter first.
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

// Missing is the error of a dimension that the view lacks.
func Missing(name, why string, available []string) error {
	has := "no other"
	if len(available) > 0 {
		has = strings.Join(available, ", ")
	}
	return fmt.Errorf("dimension %q is missing (%s)%s; the view has %s", name, why, cli.DidYouMean(name, available), has)
}

// TypeOf returns the type that PDAL gives the usual dimensions of labels.
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
