// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"superpoint/pipelines/files/atomicfile"
)

// results is the name of the generated page.
const results = "RESULTS.md"

// template of the page: its words; the tables are methods of page.
//
//go:embed RESULTS.md.in
var words string

// page is what the tables are made of.
type page struct {
	folder string
	sets   []set             // that are measured
	cells  map[string][]cell // by the names of the sets
	peers  []cell            // of rivals by their authors' programs on validation, and of ssp on the same clouds
}

func openPage(folder string) (*page, error) {
	p := &page{folder: folder, cells: map[string][]cell{}}
	var err error
	for _, s := range sets() {
		if p.cells[s.name], err = load(folder, s.name); err != nil {
			return nil, err
		}
		if len(p.cells[s.name]) > 0 {
			p.sets = append(p.sets, s)
		}
	}
	others, err := load(folder, "peers")
	clouds := distinct(others, cloudOf)
	p.peers = append(with(p.cells["val"], func(c *cell) bool { return isOurs(c) && slices.Contains(clouds, c.Set) }),
		others...)
	return p, err
}

// render returns the page.
func render(folder string) (string, error) {
	p, err := openPage(folder)
	if err != nil {
		return "", err
	}
	t, err := template.New(results).Parse(words)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, p)
	return b.String(), err
}

// writePages writes RESULTS.md, its figure, and the blocks of README.md.
func writePages(folder string) error {
	text, err := render(folder)
	if err != nil {
		return err
	}
	figure, err := drawCurves(folder)
	if err != nil {
		return err
	}
	return errors.Join(write(filepath.Join(folder, curves), string(figure)),
		write(filepath.Join(folder, results), text), writeReadme(folder))
}

func write(path, text string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// table writes a table in Markdown.
type table struct{ strings.Builder }

// newTable returns a table with its head.
func newTable(cells ...string) *table {
	t := new(table)
	t.row(cells...)
	fmt.Fprintf(t, "|%s\n", strings.Repeat("---|", len(cells)))
	return t
}

func (t *table) row(cells ...string) { fmt.Fprintf(t, "| %s |\n", strings.Join(cells, " | ")) }

// text returns the table without its last line end.
func (t *table) text() string { return strings.TrimSuffix(t.String(), "\n") }

// peersTitle is the row of validation with rivals by their own programs.
const peersTitle = "validation, rivals by their own programs"

// Readings are the numbers of measurements of every set and the date of the last; readings.csv has their builds.
func (p *page) Readings() (string, error) {
	readings, err := readReadings(p.folder)
	t := newTable("set", "clouds", "readings", "last", "role")
	for _, s := range p.sets {
		of := slices.DeleteFunc(slices.Clone(readings), func(r reading) bool { return r.set != s.name })
		last := "–"
		if len(of) > 0 {
			last = of[len(of)-1].date
		}
		count := fmt.Sprint(s.earlier + len(of))
		if s.name == "val" {
			count = "not counted"
		}
		t.row(s.title, fmt.Sprint(len(distinct(p.cells[s.name], cloudOf))), count, last, s.role)
	}
	return t.text(), err
}

// Won are the comparisons won in every set.
func (p *page) Won() *table {
	t := wonTable()
	for _, s := range p.sets {
		t.won(s.title, p.cells[s.name])
	}
	return t
}

// WonWithPeers also has validation with the rivals' own programs.
func (p *page) WonWithPeers() string {
	t := p.Won()
	t.won(peersTitle, p.peers)
	return t.text()
}

// Kinds compares methods by kinds of clouds, all sets together.
func (p *page) Kinds() string {
	var all []cell
	for _, s := range p.sets {
		all = append(all, p.cells[s.name]...)
	}
	return methods(all, ours, geomGraph, vccs, lin)
}

// Peers compares with rivals by their authors' programs, whose recorded rows are cells/peers.csv.
func (p *page) Peers() string {
	return methods(append(with(p.cells["val"], isRival), p.peers...), ours, vccs, "pcl", lin, "yblin", "pdal", "cp", "ez")
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

// Speed has the speed of all systems on tiles of a million points.
func (p *page) Speed() (string, error) {
	return speedTable(p.folder, func(s *speed) bool { return s.points > 0.9e6 && s.points < 1.1e6 })
}

// speedTable is the table of those of the rows that are wanted.
func speedTable(folder string, wanted func(s *speed) bool) (string, error) {
	last, err := speeds(folder)
	t, machines := newTable("points", "filter", "threads", "seconds", "points/s", "bytes a point beside PDAL's", "date"),
		[]string{}
	for _, s := range last {
		if !wanted(&s) {
			continue
		}
		if !slices.Contains(machines, s.machine) {
			machines = append(machines, s.machine)
		}
		bytes := "–"
		if s.bytes > 0 {
			bytes = fmt.Sprintf("%.0f", s.bytes)
		}
		t.row(fmt.Sprintf("%g million", s.points/1e6), s.what, s.threads, fmt.Sprintf("%.2f", s.seconds),
			fmt.Sprintf("%.0f,000", s.rate/1000), bytes, s.date)
	}
	return "On " + strings.Join(machines, " and ") + ".\n\n" + t.text(), err
}

// blocks are the generated parts of README.md, from the top of the checkout.
func blocks(folder string) (map[string]string, error) {
	p, err := openPage(folder)
	if err != nil {
		return nil, err
	}
	tools, err := p.tools()
	if err != nil {
		return nil, err
	}
	times, err := speedTable(folder, func(s *speed) bool { return s.what == "superpoint" && s.points >= 1e6 })
	return map[string]string{"tools": tools, "results": p.Won().text(), "speed": times}, err
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

// writeReadme updates the blocks of the README two folders above the page.
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
	return write(path, text)
}
