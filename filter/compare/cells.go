package compare

import (
	"cmp"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/partition/metrics"
)

// measured is a metric by which methods are ranked.
type measured struct {
	name  string
	value func(metrics.Scores) float64
}

// ranked are OOA and F, the harmonic mean of boundary recall (as the authors'
// code computes it) and precision: recall alone rewards many borders.
func ranked() []measured {
	return []measured{
		{"OOA", func(s metrics.Scores) float64 { return float64(s.OOA) }},
		{"F", func(s metrics.Scores) float64 { return float64(s.F()) }},
	}
}

// cell is one comparison: a data set, a mean size, a metric.
type cell struct {
	set     string
	size    float64
	measure string
	own     float64
	best    float64 // of the rivals
	rival   string
}

func (c *cell) lead() float64 { return c.own - c.best }

// unreached is the logarithm of the largest ratio of a number to the wanted one. Some wanted numbers
// cannot be reached: there are at least as many components as parts of the 5-nn graph.
const unreached = 0.1

// reached reports whether a point has about the wanted number of superpoints or of their connected
// components.
func (p *point) reached() bool {
	n := p.counts.Segments
	if p.option == byPieces {
		n = p.counts.Pieces
	}
	return math.Abs(math.Log(float64(n)*p.value/float64(p.counts.Points))) <= unreached
}

// cells returns the comparisons of a system with the best rival at equal sizes or components, the worst
// first. Comparisons that the system or all rivals lack, or cannot reach, are left out.
func cells(all []curve, sets, rivals []string, system, option string, sizes []float64) []cell {
	var list []cell
	for _, set := range sets {
		for _, size := range sizes {
			for _, m := range ranked() {
				c := cell{set: set, size: size, measure: m.name, own: math.NaN(), best: math.Inf(-1)}
				for i := range all {
					p := all[i].at(option, size)
					if all[i].set != set || p == nil || !p.reached() {
						continue
					}
					v := m.value(p.scores)
					switch {
					case all[i].system == system:
						c.own = v
					case slices.Contains(rivals, all[i].system) && v > c.best:
						c.best, c.rival = v, all[i].system
					}
				}
				if !math.IsNaN(c.own) && c.rival != "" {
					list = append(list, c)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b cell) int { return cmp.Compare(a.lead(), b.lead()) })
	return list
}

// sides returns the learned systems and their rivals.
func (c *Config) sides() (learned, rivals []string) {
	for i := range c.Systems {
		s := &c.Systems[i]
		if s.IDs == "" && method.Named(s.Options.Method).Learns && s.Options.Model != models.Geometric &&
			s.Options.Features == "" {
			learned = append(learned, s.Name)
		} else {
			rivals = append(rivals, s.Name)
		}
	}
	return learned, rivals
}

// level is the largest lead of a rival in OOA that counts as equal: 0.3 %.
const level = 0.003

// tally is the summary of the comparisons of one metric.
type tally struct {
	won, of     int
	mean, worst float64 // leads
}

// standing returns the summaries of OOA and F, and the number of comparisons with OOA behind by more
// than level.
func standing(list []cell) (ooa, f tally, behind int) {
	for i := range list {
		t, lead := &ooa, list[i].lead()
		if list[i].measure == "F" {
			t = &f
		} else if lead < -level {
			behind++
		}
		if lead >= 0 {
			t.won++
		}
		t.of++
		t.mean += (lead - t.mean) / float64(t.of)
		t.worst = min(t.worst, lead)
	}
	return ooa, f, behind
}

// ways are the two ways to compare, as titles and options.
func ways() [][2]string {
	return [][2]string{{"connected components", byPieces}, {"superpoints", bySize}}
}

// standings writes cells.md: the number of comparisons that each learned system wins against the best of
// all others, then each comparison, the worst first.
func (c *Config) standings(out io.Writer, all []curve, sets []string) error {
	p := &printer{out: out}
	learned, rivals := c.sides()
	if len(learned) == 0 || len(rivals) == 0 {
		p.line("no learned system with a rival")
		return p.err
	}
	p.line("| system | at equal | won | OOA | F | mean lead OOA, F | worst lead OOA, F | OOA behind by more than %g |",
		level)
	p.line("|---|---|---|---|---|---|---|---|")
	for _, system := range learned {
		for _, way := range ways() {
			o, f, behind := standing(cells(all, sets, rivals, system, way[1], c.Targets))
			p.line("| %s | %s | %d of %d | %d of %d | %d of %d | %+.3f, %+.3f | %+.3f, %+.3f | %d |", system, way[0],
				o.won+f.won, o.of+f.of, o.won, o.of, f.won, f.of, o.mean, f.mean, o.worst, f.worst, behind)
		}
	}
	for _, system := range learned {
		for _, way := range ways() {
			p.line("\n## %s at equal %s, the worst first\n", system, way[0])
			p.line("| lead | data set | N/ | measure | %s | best rival |", system)
			p.line("|---|---|---|---|---|---|")
			for _, k := range cells(all, sets, rivals, system, way[1], c.Targets) {
				p.line("| %+.3f | %s | %g | %s | %.3f | %.3f %s |", k.lead(), k.set, k.size, k.measure, k.own, k.best,
					k.rival)
			}
		}
	}
	return p.err
}

// formula has the characters with which formulas start in spreadsheets. File names are untrusted.
const formula = "=+-@\t\r"

// FileCell returns a file's name for tables: ./=A1.laz for =A1.laz, which is not a formula.
func FileCell(path string) string {
	name := filepath.Base(path)
	if strings.ContainsRune(formula, rune(name[0])) {
		return "./" + name
	}
	return name
}

// SetCell returns the name of a data set without such characters at its start.
func SetCell(name string) string {
	if plain := strings.TrimLeft(name, formula); plain != "" {
		return plain
	}
	return "data"
}
