// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"fmt"
	"image/color"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// ofAFile ends the names of commands in what `make bench` writes: their time has reading and writing. Other
// rows are of filters alone.
const ofAFile = " of a file"

// Speed are the lines of what `make bench` writes of filters, on tiles of some number of points, the smallest
// first, also by machine.
func (p *page) Speed(filter string, least, most float64) (any, error) {
	lines, err := p.bench(least, most, func(what string) bool {
		return matches(filter, what) && !strings.HasSuffix(what, ofAFile)
	})
	return speedTable(lines), err
}

// Commands are those lines of commands, from a file to their results; nil if none was measured.
func (p *page) Commands(command string, least, most float64) (any, error) {
	lines, err := p.bench(least, most, func(what string) bool { return matches(command+ofAFile, what) })
	if len(lines) == 0 {
		return nil, err
	}
	return speedTable(lines), err
}

// benchLine is a line of speed.csv.
type benchLine = map[string]any

// bench returns the lines of a number of points and a name, the smallest tiles first.
func (p *page) bench(least, most float64, wanted func(what string) bool) ([]benchLine, error) {
	lines, err := readTable(filepath.Join(p.folder, "..", "bench", "speed.csv"))
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(line benchLine) bool {
		points, _ := line["points"].(float64)
		return points < least || points > most || !wanted(line["what"].(string))
	})
	slices.SortStableFunc(lines, func(a, b benchLine) int {
		return cmp.Compare(a["points"].(float64), b["points"].(float64))
	})
	return lines, nil
}

// machineLines are the lines that were measured on one machine. Times of two machines cannot be compared.
type machineLines struct {
	Machine string
	Lines   []benchLine
}

// speedTable returns lines, and the same by machine.
func speedTable(lines []benchLine) map[string]any {
	of := func(line *benchLine) string { return (*line)["machine"].(string) }
	var tables []machineLines
	for _, machine := range distinct(lines, of) {
		others := func(line benchLine) bool { return of(&line) != machine }
		tables = append(tables, machineLines{machine, slices.DeleteFunc(slices.Clone(lines), others)})
	}
	return map[string]any{"Lines": lines, "Tables": tables}
}

// steps are the steps of a view, in columns of speed.csv. The output has the classes.
var steps = []string{"neighbors", "graph", "embedding", "partition", "output"}

// bar is a row of the figure of steps: microseconds a point of each step, then what remains of the total.
type bar struct {
	title string
	parts []float64
}

// withinCommands are the filters that run in the commands of the figure, with the same options.
var withinCommands = map[string]string{"segment" + ofAFile: "superpoint", "map" +
	ofAFile: "superpoint with classes"}

// stepBars returns the bars of the filter and of commands. The steps of a command are the steps of the filter
// that it runs, on the same tile and with as many threads; what remains is reading, writing and all else.
func (p *page) stepBars() ([]bar, error) {
	lines, err := p.bench(0, 1e9, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	var bars []bar
	for _, line := range lines {
		what := line["what"].(string)
		within, isCommand := withinCommands[what]
		if what != "superpoint" && !isCommand {
			continue
		}
		of := line
		if isCommand {
			of = find(lines, within, line["tile"], line["threads"])
		}
		if of == nil {
			continue
		}
		title := fmt.Sprintf("%s, %g M, %g threads", what, line["points"].(float64)/1e6, line["threads"])
		bars = append(bars, bar{strings.Replace(title, " 1 threads", " 1 thread", 1), partsOf(line, of)})
	}
	return bars, nil
}

func find(lines []benchLine, what string, tile, threads any) benchLine {
	at := slices.IndexFunc(lines, func(l benchLine) bool {
		return l["what"] == what && l["tile"] == tile && l["threads"] == threads
	})
	if at < 0 {
		return nil
	}
	return lines[at]
}

// partsOf returns the microseconds a point of the steps of one line, and what remains of the total of
// another.
func partsOf(total, line benchLine) []float64 {
	micro := 1e6 / total["points"].(float64)
	rest := total["seconds"].(float64) * micro
	var parts []float64
	for _, step := range steps {
		part := line[step].(float64) * micro
		parts = append(parts, part)
		rest -= part
	}
	return append(parts, max(rest, 0))
}

const (
	barWidth    = vg.Length(11)
	barDistance = vg.Length(18)
	figureWidth = 16 * vg.Centimeter
	axisHeight  = 3 * vg.Centimeter // axis, label and legend
)

// drawSteps returns the figure of stepBars as SVG: a stacked bar a row, the first at the top.
func drawSteps(bars []bar) (string, error) {
	p := plot.New()
	p.X.Label.Text = "microseconds a point"
	p.X.Min = 0
	// at the bottom, where bars are short
	p.Legend.XOffs, p.Legend.YOffs = -vg.Points(4), vg.Points(4)
	slices.Reverse(bars) // rows are drawn from below
	var titles []string
	for _, b := range bars {
		titles = append(titles, b.title)
	}
	var under *plotter.BarChart
	for k, name := range append(slices.Clone(steps), "reading, writing, other") {
		var values plotter.Values
		for _, b := range bars {
			values = append(values, b.parts[k])
		}
		part, err := plotter.NewBarChart(values, barWidth)
		if err != nil {
			return "", err
		}
		part.Horizontal = true
		part.Color = plotutil.Color(k)
		part.LineStyle.Width = 0
		if under != nil {
			part.StackOn(under)
		}
		p.Add(part)
		p.Legend.Add(name, part)
		under = part
	}
	p.NominalY(titles...)
	p.Y.Min -= 0.5 // half a bar
	p.Y.Max += 0.5
	svg := vgsvg.New(figureWidth, axisHeight+barDistance*vg.Length(len(bars)))
	c := draw.New(svg)
	c.SetColor(color.White) // for pages with a dark background
	c.Fill(c.Rectangle.Path())
	p.Draw(c)
	var text strings.Builder
	_, err := svg.WriteTo(&text)
	return text.String(), err
}
