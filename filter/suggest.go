package filter

import (
	"fmt"
	"strings"
)

// unknownOption names the nearest option to a name that is none.
func unknownOption(specs []Spec, name string) error {
	names := make([]string, len(specs))
	for i := range specs {
		names[i] = specs[i].Name
	}
	return fmt.Errorf("unknown option %q%s; the options are %s", name, didYouMean(name, names), strings.Join(names, ", "))
}

// didYouMean returns a suggestion when a known word is near, else "".
func didYouMean(word string, known []string) string {
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
