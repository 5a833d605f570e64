package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"superpoint/partition/metrics"
)

// Measure is a metric by which methods are ranked.
type Measure struct {
	Name string
	Of   func(s metrics.Scores) float64
}

// Ranked returns OOA and F, the harmonic mean of boundary recall (as the authors'
// code computes it) and precision: recall alone rewards many borders.
func Ranked() []Measure {
	return []Measure{
		{"OOA", func(s metrics.Scores) float64 { return float64(s.OOA) }},
		{"F", func(s metrics.Scores) float64 { return float64(s.F()) }},
	}
}

// Ways returns the options of the two ways to compare methods: at equal numbers of
// connected components on the graph that all are measured on, because superpoints that
// fall apart there have more borders than their number says, and at equal numbers of superpoints.
func Ways() []string { return []string{ByPieces, BySize} }

// Title returns what is equal in a way to compare.
func Title(way string) string {
	return map[string]string{ByPieces: "connected components", BySize: "superpoints"}[way]
}

// unreached is the logarithm of the largest ratio of a number to the wanted one. Some wanted numbers
// cannot be reached: there are at least as many components as parts of the 5-nn graph.
const unreached = 0.1

// Reached reports whether a result has about the wanted number of superpoints or of their connected
// components.
func (r *Result) Reached(way string) bool {
	n := r.Segments
	if way == ByPieces {
		n = r.Pieces
	}
	return math.Abs(math.Log(float64(n)*r.Value/float64(r.Points))) <= unreached
}

// At returns the results of a data set and size that are comparable in a way: of every system that
// reaches the wanted number the result that was asked for it, else the one asked for the other number.
func At(all []Result, set string, size float64, way string) (some []Result) {
	for i := range all {
		r := &all[i]
		if r.Set != set || r.Value != size || !r.Reached(way) {
			continue
		}
		switch at := slices.IndexFunc(some, func(o Result) bool { return o.System == r.System }); {
		case at < 0:
			some = append(some, *r)
		case r.Option == way:
			some[at] = *r
		}
	}
	return some
}

// Comparison is one comparison: a data set, a mean size, a measure.
type Comparison struct {
	Set     string
	Size    float64
	Measure string
	Own     float64
	Best    float64 // of the rivals
	Rival   string
}

// Lead returns the difference to the best rival.
func (c *Comparison) Lead() float64 { return c.Own - c.Best }

// Comparisons compares a system with the best of its rivals in a way, the worst first. skipped are the data
// sets and sizes at which the system, or every rival, misses the number.
func Comparisons(all []Result, sets []string, sizes []float64, way string, measures []Measure,
	own, rival func(r *Result) bool) (list []Comparison, skipped []string) {
	for _, set := range sets {
		for _, size := range sizes {
			here := At(all, set, size, way)
			mine, others := Select(here, own), Select(here, rival)
			if len(mine) == 0 || len(others) == 0 {
				skipped = append(skipped, fmt.Sprintf("%s N/%g", set, size))
				continue
			}
			for _, m := range measures {
				c := Comparison{Set: set, Size: size, Measure: m.Name, Own: m.Of(mine[0].Scores())}
				if best := m.Best(others); best != nil && !math.IsNaN(c.Own) {
					c.Rival, c.Best = best.System, m.Of(best.Scores())
					list = append(list, c)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Comparison) int { return cmp.Compare(a.Lead(), b.Lead()) })
	return list, skipped
}

// Select returns the results for which test is true.
func Select(all []Result, test func(r *Result) bool) (some []Result) {
	for i := range all {
		if test(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// Best returns the result with the highest value; nil if none has a value.
func (m *Measure) Best(some []Result) (best *Result) {
	most := math.Inf(-1)
	for i := range some {
		if v := m.Of(some[i].Scores()); v > most {
			best, most = &some[i], v
		}
	}
	return best
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

// Tally is the summary of the comparisons of one measure.
type Tally struct {
	Won, Of     int
	Mean, Worst float64 // leads
}

// NewTally returns the summary of the comparisons of a measure in a list.
func NewTally(list []Comparison, measure string) (t Tally) {
	for i := range list {
		if c := &list[i]; c.Measure == measure {
			lead := c.Lead()
			t.Of, t.Mean, t.Worst = t.Of+1, t.Mean+lead, min(t.Worst, lead)
			if lead >= 0 {
				t.Won++
			}
		}
	}
	t.Mean /= float64(max(t.Of, 1))
	return t
}

// Advantage is the paper's headline: the ratio of the numbers of superpoints that the best rival and a
// system need for the OOA of the rival.
type Advantage struct {
	Times float64
	Bound string // atLeast: the fewest superpoints of the system have the OOA; lessThan: not even its most have it
	Rival string
	OOA   float64 // of the rival
}

// The bounds of an advantage.
const (
	atLeast  = "≥ "
	lessThan = "< "
)

// NewAdvantage compares results of a system, of several sizes, with those of its rivals at one size. It reports
// false if there are no results of either. Between two sizes it interpolates by the logarithm of the numbers.
func NewAdvantage(own, rivals []Result) (a Advantage, ok bool) {
	ooa := Ranked()[0]
	best := ooa.Best(rivals)
	if best == nil || len(own) == 0 {
		return a, false
	}
	a.Rival, a.OOA = best.System, float64(best.Scores().OOA)
	own = slices.SortedStableFunc(slices.Values(own), func(a, b Result) int { return cmp.Compare(a.Segments, b.Segments) })
	number := func(i int) float64 { return float64(own[i].Segments) }
	at := slices.IndexFunc(own, func(r Result) bool { return float64(r.Scores().OOA) >= a.OOA })
	n := number(max(at, 0))
	switch {
	case at < 0:
		a.Bound, n = lessThan, number(len(own)-1)
	case at == 0:
		a.Bound = atLeast
	default:
		was, is := float64(own[at-1].Scores().OOA), float64(own[at].Scores().OOA)
		share := (a.OOA - was) / (is - was)
		n = math.Exp(math.Log(number(at-1))*(1-share) + math.Log(n)*share)
	}
	a.Times = float64(best.Segments) / n
	return a, true
}

// String returns the ratio with its bound.
func (a Advantage) String() string { return a.Bound + strconv.FormatFloat(a.Times, 'f', 1, 64) }

// TableCell returns a name for a cell of a table. Names of files and data sets are untrusted, and spreadsheets take
// text that begins with one of =+-@, a tab or a carriage return for a formula: such a name has ./ before it, and is
// else as it is.
func TableCell(name string) string {
	if name != "" && strings.ContainsRune("=+-@\t\r", rune(name[0])) {
		return "./" + name
	}
	return name
}
