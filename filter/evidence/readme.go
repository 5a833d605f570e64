package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/whole"
)

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
	for i, row := range rows {
		if i == 0 {
			continue
		}
		s := speed{date: row[0], machine: row[2], tile: row[3], what: row[5], threads: row[6]}
		for k, to := range map[int]*float64{4: &s.points, 7: &s.seconds, 8: &s.rate, 9: &s.bytes} {
			if *to, err = strconv.ParseFloat(row[k], 64); err != nil && row[k] != "" {
				return nil, fmt.Errorf("%s, line %d: %w", bench, i+1, err)
			}
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b speed) int { return order(a.points, b.points) })
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
	all := map[string][]cell{}
	var measured []set
	for _, s := range sets() {
		cells, err := load(folder, s.name)
		if err != nil {
			return nil, err
		}
		if all[s.name] = cells; len(cells) > 0 {
			measured = append(measured, s)
		}
	}
	var results, speed table
	results.won(all, measured)
	err := speed.speed(folder, false)
	return map[string]string{"results": results.String(), "speed": speed.String()}, err
}

// fill puts the blocks into a page, between <!-- NAME: … --> and <!-- end of NAME -->.
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

// writeReadme renews the blocks of the README two folders above the page, if it is there.
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
	return whole.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
