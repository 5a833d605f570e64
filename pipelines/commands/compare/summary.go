// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"bufio"
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
	if err := out["summary.md"].Write(func(w io.Writer) error { return Summary(w, all, sets, c.Targets) }); err != nil {
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

// Summary writes results of data sets as Markdown: at wanted numbers of components, and of given segments.
func Summary(w io.Writer, all []Result, sets []string, targets []float64) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "| data set | N/ | system | segments | connected components | %s | seconds |\n"+
		"|---|---|---|---|---|%s---|\n",
		strings.Join(metrics.Labels(), " | "), strings.Repeat("---|", len(metrics.Labels())))
	for _, set := range sets {
		for _, target := range append(slices.Clone(targets), 0) {
			for _, r := range Select(all, func(r *Result) bool { return r.Set == set && r.Value == target }) {
				size, seconds := strconv.FormatFloat(target, 'g', -1, 64), strconv.FormatFloat(r.Seconds, 'f', 2, 64)
				if r.Option == given {
					size, seconds = "as given", "–"
				} else if r.Option != ByPieces {
					continue
				}
				fmt.Fprintf(out, "| %s | %s | %s | %d | %d | %s | %s |\n", set, size, r.System, r.Segments, r.Pieces,
					strings.Join(r.Scores().Cells(metrics.Ratio.Percent), " | "), seconds)
			}
		}
	}
	return out.Flush()
}
