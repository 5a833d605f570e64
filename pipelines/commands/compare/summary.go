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
func summary(out io.Writer, c *Config, all []Result, sets, systems []string) error {
	p := &printer{out: out}
	if len(systems) > 1 {
		size := c.usualSize()
		p.line("| data set | %s: OOA at N/%g | best rival: OOA at N/%g | fewer segments for the rival's OOA | best BP, by "+
			"| %s: BP |", systems[0], size, size, systems[0])
		p.line("|---|---|---|---|---|---|")
		for _, set := range sets {
			p.headline(all, set, systems[0], size)
		}
		p.line("")
	}
	labels := metrics.Labels()
	p.line("| data set | N/ | system | segments | pieces | %s | seconds | bytes a point |", strings.Join(labels, " | "))
	p.line("|---|---|---|---|---|%s---|---|", strings.Repeat("---|", len(labels)))
	for _, set := range sets {
		for _, target := range c.Targets {
			for _, k := range sized(all, set, ByPieces, target) {
				r := newTableRow(&k)
				p.line("| %s | %s | %s | %s | %s | %s | %s | %s |",
					set, r.Size, r.System, r.Segments, r.Pieces, strings.Join(r.Scores, " | "), r.Seconds, r.Memory)
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

// headline writes one line of the first table.
func (p *printer) headline(all []Result, set, first string, size float64) {
	a, own, rivals := ratio(all, set, first, size)
	if a == nil || own == nil {
		return
	}
	bp := Measure{"BP", func(s metrics.Scores) float64 { return float64(s.BP) }}
	best, by := -1.0, ""
	if r := bp.Best(rivals); r != nil {
		best, by = bp.Of(r.Scores()), r.System
	}
	s := own.Scores()
	p.line("| %s | %.2f | %.2f (%s) | %s | %.1f (%s) | %.1f |", set, 100*s.OOA, 100*a.OOA, a.Rival, a.text(), 100*best, by,
		100*s.BP)
}

// ratio compares a system with its rivals at a mean size of size points; nil if one of them has no results.
func ratio(all []Result, set, system string, size float64) (a *Advantage, at *Result, rivals []Result) {
	own := Select(all, func(r *Result) bool { return r.Set == set && r.Option == BySize && r.System == system })
	for _, r := range sized(all, set, BySize, size) {
		if r.System == system {
			at = &r
		} else {
			rivals = append(rivals, r)
		}
	}
	found, ok := NewAdvantage(own, rivals)
	if !ok {
		return nil, at, rivals
	}
	return &found, at, rivals
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

// sized returns the results of a data set that were asked for a size.
func sized(all []Result, set, option string, size float64) []Result {
	return Select(all, func(r *Result) bool { return r.Set == set && r.Option == option && r.Value == size })
}

// text returns the ratio as "3.1 ×"; "–" where the system never reaches the rival.
func (a *Advantage) text() string {
	if a.Bound == lessThan {
		return "–"
	}
	return a.String() + " ×"
}

type tableRow struct {
	System, Size, Segments, Pieces string
	Scores                         []string
	Seconds, Memory                string
}

func newTableRow(r *Result) tableRow {
	row := tableRow{r.System, strconv.FormatFloat(r.Value, 'g', -1, 64), strconv.FormatInt(r.Segments, 10),
		strconv.FormatInt(r.Pieces, 10), r.Scores().Cells(metrics.Ratio.Percent), strconv.FormatFloat(r.Seconds, 'f', 2, 64),
		strconv.FormatFloat(r.BytesPerPoint, 'f', 0, 64)}
	if r.Option == given {
		row.Size, row.Seconds, row.Memory = "as given", "–", "–"
	}
	return row
}
