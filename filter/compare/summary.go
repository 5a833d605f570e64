package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"superpoint/partition/metrics"
)

// summary writes the results as Markdown: how the first system stands to its best
// rival on every data set at equal numbers of superpoints, then everything at equal
// numbers of components.
func summary(out io.Writer, c *Config, all []curve, sets, systems []string) error {
	p := &printer{out: out}
	if len(systems) > 1 {
		size := c.usualSize()
		p.line("| data set | %s: OOA at N/%g | best rival: OOA at N/%g | fewer segments for the rival's OOA | best BP, by "+
			"| %s: BP |", systems[0], size, size, systems[0])
		p.line("|---|---|---|---|---|---|")
		for _, set := range sets {
			p.standing(all, set, systems[0], size)
		}
		p.line("")
	}
	labels := metrics.Labels()
	p.line("| data set | N/ | system | segments | pieces | %s | seconds | bytes a point |", strings.Join(labels, " | "))
	p.line("|---|---|---|---|---|%s---|---|", strings.Repeat("---|", len(labels)))
	for _, set := range sets {
		for _, target := range c.Targets {
			for i := range all {
				if k := all[i].at(byPieces, target); k != nil && all[i].set == set {
					r := newTableRow(all[i].system, target, k)
					p.line("| %s | %s | %s | %s | %s | %s | %s | %s |",
						set, r.Size, r.System, r.Segments, r.Pieces, strings.Join(r.Scores, " | "), r.Seconds, r.Memory)
				}
			}
		}
	}
	return p.err
}

// printer keeps the first error of writing.
type printer struct {
	out io.Writer
	err error
}

func (p *printer) line(format string, values ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format+"\n", values...)
	}
}

// standing writes one line of the first table.
func (p *printer) standing(all []curve, set, first string, size float64) {
	var own *point
	best := -1.0
	by := ""
	for i := range all {
		k := all[i].at(bySize, size)
		switch {
		case all[i].set != set || k == nil:
		case all[i].system == first:
			own = k
		case float64(k.scores.BP) > best:
			best, by = float64(k.scores.BP), all[i].system
		}
	}
	a := ratio(all, set, first, size)
	if own == nil || a.rival == "" {
		return
	}
	p.line("| %s | %.2f | %.2f (%s) | %s | %.1f (%s) | %.1f |", set, 100*own.scores.OOA, 100*a.ooa, a.rival, a, 100*best,
		by, 100*own.scores.BP)
}

// usualSize is the wanted size next to 100 points.
func (c *Config) usualSize() float64 {
	return slices.MinFunc(c.Targets, func(a, b float64) int {
		if math.Abs(math.Log(a/100)) < math.Abs(math.Log(b/100)) {
			return -1
		}
		return 1
	})
}

// at returns the point of an option and a wanted size, or nil.
func (c *curve) at(option string, target float64) *point {
	for i := range c.points {
		if p := &c.points[i]; p.option == option && p.value == target {
			return p
		}
	}
	return nil
}

// String gives the ratio as "3.1 ×"; "–" where the curve never reaches the rival.
func (a advantage) String() string {
	switch {
	case math.IsNaN(a.times):
		return "–"
	case a.least:
		return "≥ " + strconv.FormatFloat(a.times, 'f', 1, 64) + " ×"
	}
	return strconv.FormatFloat(a.times, 'f', 1, 64) + " ×"
}

type tableRow struct {
	System, Size, Segments, Pieces string
	Scores                         []string
	Seconds, Memory                string
}

func newTableRow(system string, target float64, p *point) tableRow {
	share := func(r metrics.Ratio) string {
		if math.IsNaN(float64(r)) {
			return "–"
		}
		return strconv.FormatFloat(100*float64(r), 'f', 1, 64)
	}
	return tableRow{system, strconv.FormatFloat(target, 'g', -1, 64), strconv.FormatInt(p.counts.Segments, 10),
		strconv.FormatInt(p.counts.Pieces, 10),
		p.scores.Cells(share),
		strconv.FormatFloat(p.seconds, 'f', 2, 64), strconv.FormatFloat(p.memory, 'f', 0, 64)}
}
