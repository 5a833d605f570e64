package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/atomicfile"
	"superpoint/pipelines/commands/compare"
)

// page is the name of the generated page.
const page = "RESULTS.md"

// table is Markdown in the making.
type table struct{ strings.Builder }

func (t *table) row(cells ...string) { fmt.Fprintf(t, "| %s |\n", strings.Join(cells, " | ")) }

func (t *table) head(cells ...string) {
	t.row(cells...)
	fmt.Fprintf(t, "|%s\n", strings.Repeat("---|", len(cells)))
}

func (t *table) line(format string, values ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, values...), "\n") {
		fmt.Fprintln(t, wrapped(line))
	}
}

// wrapped breaks a line of prose at 118 columns, and indents what continues an item of a list; lines of tables stay.
func wrapped(line string) string {
	if strings.HasPrefix(line, "|") {
		return line
	}
	const most = 118
	item := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "  ")
	var b strings.Builder
	width := 0
	for k, word := range strings.Split(line, " ") {
		n := len([]rune(word))
		switch {
		case k > 0 && width+1+n > most && item:
			b.WriteString("\n  ")
			width = 2
		case k > 0 && width+1+n > most:
			b.WriteString("\n")
			width = 0
		case k > 0:
			b.WriteString(" ")
			width++
		}
		b.WriteString(word)
		width += n
	}
	return b.String()
}

// writePage writes RESULTS.md and its figure from the cells of a folder.
func writePage(folder string) error {
	text, err := render(folder)
	if err != nil {
		return err
	}
	if err := writeCurves(folder); err != nil {
		return err
	}
	return writeText(filepath.Join(folder, page), text)
}

func writeText(path, text string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// loadSets reads the cells of all sets, and lists the sets that have some.
func loadSets(folder string) (all map[string][]cell, measured []set, err error) {
	all = map[string][]cell{}
	for _, s := range sets() {
		if all[s.name], err = load(folder, s.name); err != nil {
			return nil, nil, err
		}
		if len(all[s.name]) > 0 {
			measured = append(measured, s)
		}
	}
	return all, measured, nil
}

// render returns the page, without sections whose cells are missing.
func render(folder string) (string, error) {
	all, measured, err := loadSets(folder)
	if err != nil {
		return "", err
	}
	readings, err := readReadings(folder)
	if err != nil {
		return "", err
	}
	t := &table{}
	t.line("# Results\n\nMade by `go run ./pipelines/evidence` from `cells`; do not edit. [README.md](README.md) " +
		"says how it is\nmeasured, and what OOA, F and the two ways to compare are. `ssp` has its defaults alone; its " +
		"rival is the best of all\nsettings of all rivals, by the labels, in every comparison. † touches tiles of " +
		"training. (6): mean of 6 clouds.\n")
	peers, err := versus(folder)
	if err != nil {
		return "", err
	}
	t.limitations(all, measured, peers)
	t.readings(readings, all, measured)
	t.line("## Comparisons won\n")
	t.won(all, measured)
	for _, s := range measured {
		t.fewer(all[s.name], &s)
	}
	for _, s := range measured {
		t.methods(s.title, all[s.name], ours, geomGraph, vccs, lin)
	}
	t.settings("Settings of the built-in rivals, on validation", all["val"])
	for _, section := range []func(folder string) error{t.peers, t.paper, t.leftOut, t.classes} {
		if err := section(folder); err != nil {
			return "", err
		}
	}
	t.line("## Speed\n\nThe filter alone, without reading and writing; the last run of `make bench` for each row.\n")
	if err := t.speed(folder, true); err != nil {
		return "", err
	}
	t.line("")
	for _, s := range measured {
		t.behind(all[s.name], &s)
	}
	return strings.TrimRight(t.String(), "\n") + "\n", nil
}

// limitations returns the comparisons that are behind, the worst first, and general limitations.
func (t *table) limitations(all map[string][]cell, measured []set, peers []cell) {
	t.line("## Limitations\n")
	for _, s := range measured {
		t.lost(s.title, all[s.name])
	}
	if len(peers) > 0 {
		t.lost("validation, rivals by their own programs", peers)
	}
	t.line("- `lidarhd_suburb`, a fifth cloud of the test set, is the training tile `lidarhd_77050_627755`: points, " +
		"class counts and the segments of `lin` are equal. It is left out of all tables.")
	t.line("- Validation chose the settings of both sides: its figures are optimistic for both.\n" +
		"- The paper's systems are trained for 480 steps of 20,000 points (two also for 1,920), on other data than the\n" +
		"  paper's.\n" +
		"- Figures are of one training of the default model: how much another seed would change is not known.\n")
}

// lost has an item for each way: the comparisons that are behind, by kinds.
func (t *table) lost(title string, all []cell) {
	for _, w := range compare.Ways() {
		met, unmet := duels(all, w)
		var parts []string
		for _, k := range kinds() {
			some := slices.DeleteFunc(slices.Clone(met), func(c compare.Comparison) bool {
				return !matches(k.match, c.Set) || c.Lead() >= 0
			})
			if len(some) > 0 {
				d := &some[0]
				parts = append(parts, fmt.Sprintf("%s %d (%s %+.3f, %s at N/%g)", k.name, len(some), d.Measure, d.Lead(),
					marked(d.Set), d.Size))
			}
		}
		if len(met) > 0 {
			t.line("- %s, equal %s: %d of %d comparisons are behind. %s.", title, compare.Title(w), behind(met), len(met),
				strings.Join(parts, "; "))
		}
		if len(unmet) > 0 {
			t.line("  Left out, since `ssp` or every rival misses the number by a tenth: %s.", strings.Join(unmet, ", "))
		}
	}
}

func behind(all []compare.Comparison) (n int) {
	for i := range all {
		if all[i].Lead() < 0 {
			n++
		}
	}
	return n
}

// readings returns the dates, builds and number of measurements of every set.
func (t *table) readings(readings []reading, all map[string][]cell, measured []set) {
	t.line("## Sets\n")
	t.head("set", "clouds", "readings", "last", "commit", "model", "seconds", "role")
	for _, s := range measured {
		of := slices.DeleteFunc(slices.Clone(readings), func(r reading) bool { return r.set != s.name })
		last := reading{date: "–", commit: "–", model: "–", seconds: "–"}
		if len(of) > 0 {
			last = of[len(of)-1]
		}
		count := fmt.Sprint(s.earlier + len(of))
		if s.name == "val" {
			count = "not counted"
		}
		t.row(s.title, fmt.Sprint(len(distinct(all[s.name], cloudOf))), count, last.date, last.commit, last.model,
			cmp.Or(last.seconds, "–"), s.role)
	}
	t.line("")
}

// won counts comparisons, both ways side by side.
func (t *table) won(all map[string][]cell, measured []set) {
	t.head(append([]string{"set"}, wonHead()...)...)
	for _, s := range measured {
		t.row(append([]string{s.title}, standings(all[s.name])...)...)
	}
	t.line("")
}

// wonHead names the columns of standings.
func wonHead() (head []string) {
	for _, w := range compare.Ways() {
		for _, m := range compared() {
			head = append(head, fmt.Sprintf("%s, equal %s", m.Name, compare.Title(w)), "mean lead", "worst")
		}
	}
	return head
}

// standings are the tallies of ssp's comparisons, by ways and figures.
func standings(all []cell) (row []string) {
	for _, w := range compare.Ways() {
		met, _ := duels(all, w)
		for _, m := range compared() {
			row = append(row, standing(met, m.Name)...)
		}
	}
	return row
}

// fewer is the paper's headline, by clouds.
func (t *table) fewer(all []cell, s *set) {
	list, clouds := map[string]compare.Advantage{}, distinct(all, cloudOf)
	for _, cloud := range clouds {
		if a, ok := headline(all, cloud, 50); ok {
			list[cloud] = a
		}
	}
	if len(list) == 0 {
		return
	}
	t.line("## %s: times fewer superpoints for the OOA of the best rival at N/50\n", s.title)
	t.head("clouds", "median", "cloud: times, rival")
	for _, k := range kinds() {
		of := slices.DeleteFunc(slices.Clone(clouds), func(cloud string) bool {
			_, known := list[cloud]
			return !known || !matches(k.match, cloud)
		})
		if len(of) == 0 {
			continue
		}
		slices.SortStableFunc(of, func(a, b string) int { return cmp.Compare(list[a].Times, list[b].Times) })
		var parts []string
		for _, cloud := range of {
			a := list[cloud]
			parts = append(parts, fmt.Sprintf("%s: %s, %s", marked(cloud), a, a.Rival))
		}
		t.row(fmt.Sprintf("%s, %d", k.title(of), len(of)), list[of[(len(of)-1)/2]].String(), strings.Join(parts, "; "))
	}
	t.line("")
}

// behind returns the comparisons that are not won, in both ways.
func (t *table) behind(all []cell, s *set) {
	for _, w := range compare.Ways() {
		met, _ := duels(all, w)
		if behind(met) == 0 {
			continue
		}
		t.line("## %s: not won at equal %s\n", s.title, compare.Title(w))
		t.head("lead", "cloud", "N/", "figure", "`ssp`", "best rival")
		for i := range met {
			if d := &met[i]; d.Lead() < 0 {
				t.row(fmt.Sprintf("%+.3f", d.Lead()), marked(d.Set), fmt.Sprint(d.Size), d.Measure, fmt.Sprintf("%.3f", d.Own),
					fmt.Sprintf("%.3f %s", d.Best, d.Rival))
			}
		}
		t.line("")
	}
}

// bench is what `make bench` writes, from the folder of the page.
const bench = "../bench/speed.csv"

// speed is a row of it: one system on one tile.
type speed struct {
	date, machine, tile, what, threads string
	points, seconds, rate, bytes       float64
}

// speeds are its rows, by points.
func speeds(folder string) (all []speed, err error) {
	rows, err := readTable(filepath.Join(folder, bench))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	for i, row := range rows[1:] {
		s := speed{date: row[0], machine: row[2], tile: row[3], what: row[5], threads: row[6]}
		for k, to := range map[int]*float64{4: &s.points, 7: &s.seconds, 8: &s.rate, 9: &s.bytes} {
			if *to, err = strconv.ParseFloat(row[k], 64); err != nil && row[k] != "" {
				return nil, fmt.Errorf("%s, line %d: %w", bench, i+2, err)
			}
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b speed) int { return cmp.Compare(a.points, b.points) })
	return all, nil
}

// speed is the table of these rows; all of them, or superpoint's alone.
func (t *table) speed(folder string, all bool) error {
	last, err := speeds(folder)
	if err != nil || len(last) == 0 {
		return err
	}
	t.head("points", "filter", "threads", "seconds", "points/s", "bytes a point beside PDAL's", "machine", "date")
	for _, s := range last {
		if !all && s.what != "superpoint" {
			continue
		}
		bytes := "–"
		if s.bytes > 0 {
			bytes = fmt.Sprintf("%.0f", s.bytes)
		}
		t.row(fmt.Sprintf("%g million", s.points/1e6), s.what, s.threads, fmt.Sprintf("%.2f", s.seconds),
			fmt.Sprintf("%.0f,000", s.rate/1000), bytes, s.machine, s.date)
	}
	return nil
}

// blocks are the generated parts of README.md, from the top of the checkout.
func blocks(folder string) (map[string]string, error) {
	all, measured, err := loadSets(folder)
	if err != nil {
		return nil, err
	}
	var results, speed table
	results.won(all, measured)
	err = speed.speed(folder, false)
	return map[string]string{"results": results.String(), "speed": speed.String()}, err
}

// fill inserts the blocks into a page, between <!-- NAME: … --> and <!-- end of NAME -->.
func fill(text string, blocks map[string]string) (string, error) {
	for name, block := range blocks {
		before, rest, found := strings.Cut(text, "<!-- "+name+": ")
		mark, rest, closed := strings.Cut(rest, "-->\n")
		_, after, ended := strings.Cut(rest, "<!-- end of "+name+" -->")
		if !found || !closed || !ended {
			return "", fmt.Errorf("no <!-- %s: … --> with <!-- end of %s --> behind it", name, name)
		}
		text = before + "<!-- " + name + ": " + mark + "-->\n\n" + strings.Trim(block, "\n") + "\n\n<!-- end of " + name +
			" -->" + after
	}
	return text, nil
}

// writeReadme updates the blocks of the README two folders above the page, if it exists.
func writeReadme(folder string) error {
	path := filepath.Join(folder, "..", "..", "README.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	parts, err := blocks(folder)
	if err != nil {
		return err
	}
	text, err := fill(string(old), parts)
	if err != nil || text == string(old) {
		return err
	}
	return writeText(path, text)
}
