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

// measured is one of the numbers that methods are ranked by.
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

// cell is one comparison: a data set, a mean size, a measure.
type cell struct {
	set     string
	size    float64
	measure string
	own     float64
	best    float64 // of the rivals
	rival   string
}

func (c *cell) lead() float64 { return c.own - c.best }

// unreached is the logarithm of the factor by which a number may miss the wanted one:
// a 5-nn graph that falls apart has no fewer components than parts.
const unreached = 0.1

// reached reports whether a point has the number of superpoints, or of their connected
// components, that its option asked for.
func (p *point) reached() bool {
	n := p.counts.Segments
	if p.option == byPieces {
		n = p.counts.Pieces
	}
	return math.Abs(math.Log(float64(n)*p.value/float64(p.counts.Points))) <= unreached
}

// cells compares a system with the best rival of every comparison at equal sizes or
// components, worst first. One that the system or all rivals lack, or cannot reach, is
// left out.
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

// sides separates the learned systems, which are compared, from the rivals they
// are compared with.
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

// level is a difference in OOA that is no loss: three points in a thousand.
const level = 0.003

// tally sums up the cells of one measure.
type tally struct {
	won, of     int
	mean, worst float64 // leads
}

// standing sums up OOA and F, and counts the cells in which OOA is behind by more
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

// standings writes cells.md: how many comparisons each learned system wins against
// the best of all others, then each comparison, those behind first.
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

// formula are the signs by which spreadsheets know a formula. Numbers may begin
// with them; names of files come from elsewhere.
const formula = "=+-@\t\r"

// FileCell is a file's name as tables have it: ./=A1.laz for =A1.laz, which is the
// same file, and no formula to a spreadsheet.
func FileCell(path string) string {
	name := filepath.Base(path)
	if strings.ContainsRune(formula, rune(name[0])) {
		return "./" + name
	}
	return name
}

// SetCell is the name of a data set without such signs before it.
func SetCell(name string) string {
	if plain := strings.TrimLeft(name, formula); plain != "" {
		return plain
	}
	return "data"
}
