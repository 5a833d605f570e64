package compare

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"superpoint/partition/metrics"
	"superpoint/pipelines/files/atomicfile"
)

// write makes summary.md and figure.svg from all results.
func (c *Config) write(out map[string]*atomicfile.Output, results []Result) error {
	sets, systems := c.names()
	all := complete(results, sets, systems)
	if err := out["summary.md"].Write(func(w io.Writer) error { return c.summary(w, all, sets) }); err != nil {
		return err
	}
	return out["figure.svg"].Write(func(w io.Writer) error { return WriteFigure(w, all, sets, systems, panels()) })
}

// names lists data sets and systems in the order they were given.
func (c *Config) names() (sets, systems []string) {
	for _, in := range c.Inputs {
		if !slices.Contains(sets, in.Set) {
			sets = append(sets, in.Set)
		}
	}
	for _, s := range c.Systems {
		systems = append(systems, s.Name)
	}
	return sets, systems
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

// summary writes the results as Markdown: every result at equal numbers of components and of given segments, the
// number of comparisons that each learned system wins against the best of all others, and each comparison, the worst
// first.
func (c *Config) summary(out io.Writer, all []Result, sets []string) error {
	p := &printer{out: out}
	p.line("| data set | N/ | system | segments | connected components | %s | seconds |",
		strings.Join(metrics.Labels(), " | "))
	p.line("|---|---|---|---|---|%s---|", strings.Repeat("---|", len(metrics.Labels())))
	for _, set := range sets {
		for _, target := range append(slices.Clone(c.Targets), 0) {
			for _, r := range Select(all, func(r *Result) bool { return r.Set == set && r.Value == target }) {
				size, seconds := strconv.FormatFloat(target, 'g', -1, 64), strconv.FormatFloat(r.Seconds, 'f', 2, 64)
				if r.Option == given {
					size, seconds = "as given", "–"
				} else if r.Option != ByPieces {
					continue
				}
				p.line("| %s | %s | %s | %d | %d | %s | %s |", set, size, r.System, r.Segments, r.Pieces,
					strings.Join(r.Scores().Cells(metrics.Ratio.Percent), " | "), seconds)
			}
		}
	}
	if learned, rivals := c.sides(); len(learned) > 0 && len(rivals) > 0 {
		c.comparisons(p, all, sets, learned, rivals)
	}
	return p.err
}
