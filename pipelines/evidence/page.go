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

	"superpoint/pipelines/files/atomicfile"
)

// page is the name of the generated page.
const page = "RESULTS.md"

// tableWriter writes Markdown in the making.
type tableWriter struct{ strings.Builder }

func (t *tableWriter) row(cells ...string) { fmt.Fprintf(t, "| %s |\n", strings.Join(cells, " | ")) }

func (t *tableWriter) head(cells ...string) {
	t.row(cells...)
	fmt.Fprintf(t, "|%s\n", strings.Repeat("---|", len(cells)))
}

func (t *tableWriter) line(format string, values ...any) {
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

// render returns the page.
func render(folder string) (string, error) {
	all, measured, err := loadSets(folder)
	if err != nil {
		return "", err
	}
	readings, err := readReadings(folder)
	if err != nil {
		return "", err
	}
	peers, err := versus(folder)
	if err != nil {
		return "", err
	}
	var everything []cell
	for _, s := range measured {
		everything = append(everything, all[s.name]...)
	}
	of := func(title string) []cell {
		for _, s := range measured {
			if s.title == title {
				return all[s.name]
			}
		}
		return nil
	}
	t := &tableWriter{}
	t.line("# Results\n\nMade by `go run ./pipelines/evidence` from `cells`; do not edit. [README.md](README.md) has " +
		"the terms. `ssp` has its defaults; its rival is, in every comparison, the best " +
		"of all settings of all rivals by the labels. " +
		"† touches tiles of training. (6): mean of 6 clouds.\n")
	t.limitations(measured, of, peers)
	t.readings(readings, all, measured)
	t.line("## Comparisons won\n")
	const foreign = "validation, rivals by their own programs"
	t.won("set", append(titles(measured), foreign), func(title string) []cell {
		if title == foreign {
			return peers
		}
		return of(title)
	})
	t.fewer(all, measured)
	t.line("## OOA/F by kind of clouds, N/%d\n\nAt equal connected components, all sets together.\n", usual)
	t.methods(everything, ours, geomGraph, vccs, lin)
	for _, section := range []func(folder string) error{t.peers, t.paper, t.leftOut, t.classes, t.systems} {
		if err := section(folder); err != nil {
			return "", err
		}
	}
	return strings.TrimRight(t.String(), "\n") + "\n", nil
}

func titles(all []set) (list []string) {
	for _, s := range all {
		list = append(list, s.title)
	}
	return list
}

// limitations has the comparisons that are behind, and general limitations.
func (t *tableWriter) limitations(measured []set, of func(title string) []cell, peers []cell) {
	t.line("## Limitations\n\n" +
		"- Single trees without ground: `geom-graph` is better. Simulated trees, spinning scanners and façades are " +
		"behind at large superpoints.\n" +
		"- Validation chose the settings of both sides, and the other sets have been read: no real cloud here is a test. " +
		"Figures on † are optimistic.\n" +
		"- `lidarhd_suburb` of the third set is the training tile `lidarhd_77050_627755` and counts in no table.\n" +
		"- The paper's systems are trained for 480 steps of 20,000 points (two also for 1,920), on other data than the " +
		"paper's.\n" +
		"- Figures are of one training of the default model: how much another seed would change is not known.\n")
	t.line("Comparisons behind, and skipped ones, in which `ssp` or every rival misses the number by a tenth:\n")
	t.head("set", "equal components", "worst", "skipped", "equal superpoints", "worst", "skipped")
	for _, title := range titles(measured) {
		t.behind(title, of(title))
	}
	if len(peers) > 0 {
		t.behind("validation, rivals by their own programs", peers)
	}
	t.line("")
}

// readings returns the dates, builds and number of measurements of every set.
func (t *tableWriter) readings(readings []reading, all map[string][]cell, measured []set) {
	t.line("## Sets\n")
	t.head("set", "clouds", "readings", "last", "commit", "model", "role")
	for _, s := range measured {
		of := slices.DeleteFunc(slices.Clone(readings), func(r reading) bool { return r.set != s.name })
		last := reading{date: "–", commit: "–", model: "–"}
		if len(of) > 0 {
			last = of[len(of)-1]
		}
		count := fmt.Sprint(s.earlier + len(of))
		if s.name == "val" {
			count = "not counted"
		}
		t.row(s.title, fmt.Sprint(len(distinct(all[s.name], cloudOf))), count, last.date, last.commit, last.model, s.role)
	}
	t.line("")
}

// versus returns the cells of rivals by their authors' programs on validation, and those of ssp on the same clouds.
func versus(folder string) ([]cell, error) {
	others, err := load(folder, "peers")
	if err != nil || len(others) == 0 {
		return nil, err
	}
	val, err := load(folder, "val")
	clouds := distinct(others, cloudOf)
	return append(with(val, func(c *cell) bool { return isOurs(c) && slices.Contains(clouds, c.Set) }), others...), err
}

// peers compares with rivals by their authors' programs, whose recorded rows are cells/peers.csv.
func (t *tableWriter) peers(folder string) error {
	all, err := versus(folder)
	if err != nil || len(all) == 0 {
		return err
	}
	val, err := load(folder, "val")
	if err != nil {
		return err
	}
	t.line("## Rivals by their own programs: OOA/F on validation, N/%d\n", usual)
	t.methods(append(with(val, isRival), all...), ours, vccs, "pcl", lin, "yblin", "pdal", "cp", "ez")
	return nil
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

// systems has the speed of all systems on tiles of a million points.
func (t *tableWriter) systems(folder string) error {
	t.line("## Speed\n\nThe filter alone on a million points, without reading and writing; the last run of `make bench` " +
		"for each row. README.md has the other sizes.\n")
	return t.speed(folder, func(s *speed) bool { return s.points > 0.9e6 && s.points < 1.1e6 })
}

// speed is the table of those of the rows that are wanted.
func (t *tableWriter) speed(folder string, wanted func(s *speed) bool) error {
	last, err := speeds(folder)
	if err != nil || len(last) == 0 {
		return err
	}
	t.head("points", "filter", "threads", "seconds", "points/s", "bytes a point beside PDAL's", "machine", "date")
	for _, s := range last {
		if !wanted(&s) {
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
	var results, times tableWriter
	byTitle := map[string][]cell{}
	for _, s := range measured {
		byTitle[s.title] = all[s.name]
	}
	results.won("set", titles(measured), func(title string) []cell { return byTitle[title] })
	err = times.speed(folder, func(s *speed) bool { return s.what == "superpoint" })
	return map[string]string{"results": results.String(), "speed": times.String()}, err
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
