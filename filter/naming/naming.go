// SPDX-License-Identifier: BSD-3-Clause

// Package naming checks names of dimensions, returns their types, and suggests the correct spelling of words.
package naming

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// CheckDimension fails unless PDAL accepts the name: letters, digits and underscores, a letter
// first.
func CheckDimension(option, name string) error {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		behind := i > 0 && (r == '_' || r >= '0' && r <= '9')
		if !letter && !behind {
			return fmt.Errorf(
				"option %s: %q is not a dimension name; use letters, digits and _, a letter first",
				option, name)
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
	return fmt.Errorf("dimension %q is missing (%s)%s; the view has %s", name, why,
		DidYouMean(name, available), has)
}

// Embedding returns the dimensions of an embedding.
func Embedding(dim int) (names []string) {
	for k := range dim {
		names = append(names, fmt.Sprint("Embedding", k))
	}
	return names
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

// DidYouMean returns " (did you mean X?)" for the most similar known word, else "". Words
// are similar if they differ in at most two letters, or a third of the letters if these are
// more, and in at most half of them.
func DidYouMean(word string, known []string) string {
	best, at := 1+min(max(2, len(word)/3), len(word)/2), ""
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k)); d < best {
			best, at = d, k
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", at)
}
