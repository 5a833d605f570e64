package cli

import (
	"fmt"
	"strings"
)

// DidYouMean returns a suggestion when a known word is near, else "". Near are words
// that differ in at most two letters, or a third of all letters, and in less than
// half of them.
func DidYouMean(word string, known []string) string {
	best, at := 1+min(max(2, len(word)/3), len(word)/2), ""
	for _, k := range known {
		if d := editDistance(strings.ToLower(word), strings.ToLower(k)); d < best {
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
