// Package naming looks at names that users write: whether they can be a dimension's,
// what is missing, and which known name was meant.
package naming

import (
	"fmt"
	"strings"
)

// DidYouMean returns a suggestion when a known word is near, else "".
func DidYouMean(word string, known []string) string {
	best, at := 1+max(2, len(word)/3), ""
	for _, k := range known {
		if d := editDistance(strings.ToLower(word), k); d < best {
			best, at = d, k
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", at)
}

// editDistance is the number of letters to insert, remove or replace
// (Levenshtein) to turn a into b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

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
	return fmt.Errorf("dimension %q is missing (%s)%s; the view has %s", name, why, DidYouMean(name, available), has)
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
