// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"cmp"
	"slices"
	"strings"

	"superpoint/partition/metrics"
)

// Measure is a metric in the figure.
type Measure struct {
	Name string
	Of   func(s metrics.Scores) metrics.Ratio
}

// Select returns the results for which test is true.
func Select[T any](all []T, test func(r *T) bool) (some []T) {
	for i := range all {
		if test(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// Together adds the counts of the files of every data set.
func Together(all []Result) (sets []Result) {
	at := map[string]int{}
	for _, r := range all {
		r.File = ""
		i, known := at[r.key()]
		if !known {
			at[r.key()] = len(sets)
			sets = append(sets, r)
			continue
		}
		s := &sets[i]
		s.Counts.Add(r.Counts)
		s.Seconds += r.Seconds
	}
	return sets
}

// complete adds the files of every data set up, without settings that failed on one of them, in the order of
// the data sets, the systems and the numbers of superpoints.
func complete(results []Result, sets, systems []string) []Result {
	files, good := map[[2]string]bool{}, map[string]int{}
	setting := func(r Result) string { r.File = ""; return r.key() }
	count := map[string]int{}
	for _, r := range results {
		if one := [2]string{r.Set, r.File}; !files[one] {
			files[one] = true
			count[r.Set]++
		}
		if r.Error == "" {
			good[setting(r)]++
		}
	}
	all := Together(Select(results, func(r *Result) bool { return r.Error == "" && good[setting(*r)] == count[r.Set] }))
	all = slices.DeleteFunc(all, func(r Result) bool {
		return !slices.Contains(sets, r.Set) || !slices.Contains(systems, r.System)
	})
	slices.SortStableFunc(all, func(a, b Result) int {
		return cmp.Or(cmp.Compare(slices.Index(sets, a.Set), slices.Index(sets, b.Set)),
			cmp.Compare(slices.Index(systems, a.System), slices.Index(systems, b.System)), cmp.Compare(a.Segments, b.Segments))
	})
	return all
}

// TableCell returns a name for a cell of a table. Names of files and data sets are untrusted, and spreadsheets take
// text that begins with one of =+-@, a tab or a carriage return for a formula: such a name has ./ before it, and is
// else as it is.
func TableCell(name string) string {
	if name != "" && strings.ContainsRune("=+-@\t\r", rune(name[0])) {
		return "./" + name
	}
	return name
}
