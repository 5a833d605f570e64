// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"superpoint/partition/metrics"
	"superpoint/pipelines/files/atomicfile"
)

// panels returns the columns of the figure.
func panels() []Measure {
	return []Measure{
		{"OOA (%)", func(s metrics.Scores) metrics.Ratio { return s.OOA }},
		{"BR, as coded (%)", func(s metrics.Scores) metrics.Ratio { return s.BRAsCoded }},
		{"BP (%)", func(s metrics.Scores) metrics.Ratio { return s.BP }},
	}
}

// drawn returns the results of a line in the figure: the results at the wanted numbers of components.
func drawn(all []Result, set, system string) []Result {
	return Select(all, func(r *Result) bool {
		return r.Set == set && r.System == system && (r.Option == ByPieces || r.Option == given)
	})
}

const (
	panelWidth   = 8.5 * vg.Centimeter
	panelHeight  = 6.5 * vg.Centimeter
	legendHeight = 0.9 * vg.Centimeter
)

// seriesColor returns the colour of a system: Okabe and Ito's palette, which
// colour-blind readers can distinguish.
func seriesColor(i int) color.Color {
	palette := []color.RGBA{
		{0, 114, 178, 255},
		{213, 94, 0, 255},
		{0, 158, 115, 255},
		{204, 121, 167, 255},
		{230, 159, 0, 255},
		{86, 180, 233, 255},
		{0, 0, 0, 255},
		{150, 150, 60, 255},
	}
	return palette[i%len(palette)]
}

// WriteFigure writes the paper's figure as SVG: a row of panels a data set, a panel a measure, a line a
// system; the number of connected pieces is on a logarithmic axis: segments that fall apart are no fewer.
func WriteFigure(w io.Writer, all []Result, sets, systems []string, measures []Measure) error {
	rows, err := panelsOf(all, sets, systems, measures)
	if err != nil {
		return err
	}
	width := panelWidth * vg.Length(len(measures))
	height := panelHeight*vg.Length(len(sets)) + legendHeight
	svg := vgsvg.New(width, height)
	page := draw.New(svg)
	page.SetColor(color.White) // the legend cannot be read on a dark page
	page.Fill(page.Rectangle.Path())
	drawLegend(page, systems)
	drawPanels(draw.Crop(page, 0, 0, 0, -legendHeight), rows, len(measures))
	_, err = svg.WriteTo(w)
	return err
}

// panelsOf returns a row of panels for each set, with a panel for each measure.
func panelsOf(all []Result, sets, systems []string, measures []Measure) ([][]*plot.Plot, error) {
	rows := make([][]*plot.Plot, len(sets))
	for k, set := range sets {
		for _, m := range measures {
			panel, err := onePanel(all, set, systems, m)
			if err != nil {
				return nil, err
			}
			rows[k] = append(rows[k], panel)
		}
	}
	return rows, nil
}

// drawPanels draws rows of panels with aligned axes.
func drawPanels(c draw.Canvas, rows [][]*plot.Plot, columns int) {
	tiles := draw.Tiles{
		Rows:      len(rows),
		Cols:      columns,
		PadX:      vg.Points(8),
		PadY:      vg.Points(8),
		PadTop:    vg.Points(6),
		PadBottom: vg.Points(6),
		PadLeft:   vg.Points(6),
		PadRight:  vg.Points(6),
	}
	canvases := plot.Align(rows, tiles, c)
	for r, panels := range rows {
		for k, panel := range panels {
			panel.Draw(canvases[r][k])
		}
	}
}

func onePanel(all []Result, set string, systems []string, what Measure) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = set
	p.X.Label.Text = "number of connected pieces"
	p.Y.Label.Text = what.Name
	p.Add(plotter.NewGrid())
	p.Title.TextStyle.Font.Size = 10
	p.X.Label.TextStyle.Font.Size = 9
	p.Y.Label.TextStyle.Font.Size = 9
	p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 8, 8
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, system := range systems {
		var xy plotter.XYs
		for _, at := range drawn(all, set, system) {
			x, y := float64(at.Pieces), 100*float64(what.Of(at.Scores()))
			if math.IsNaN(y) || x < 1 {
				continue
			}
			lo, hi = math.Min(lo, x), math.Max(hi, x)
			xy = append(xy, plotter.XY{X: x, Y: y})
		}
		if len(xy) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(xy)
		if err != nil {
			return nil, err
		}
		line.Color = seriesColor(slices.Index(systems, system))
		line.Width = vg.Points(1.5)
		marks.Color = line.Color
		marks.Shape = draw.CircleGlyph{}
		marks.Radius = vg.Points(2)
		p.Add(line, marks)
	}
	if hi > lo { // an empty or single-valued logarithmic axis cannot be drawn
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = plot.TickerFunc(countTicks)
	}
	return p, nil
}

// countTicks labels 1, 2 and 5 times the powers of ten, and marks the rest.
func countTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for decade := math.Pow(10, math.Floor(math.Log10(low))); decade <= high; decade *= 10 {
		for k := 1.0; k < 10; k++ {
			v := k * decade
			if v < low || v > high {
				continue
			}
			label := ""
			if k == 1 || k == 2 || k == 5 {
				label = strconv.FormatFloat(v, 'f', -1, 64)
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return ticks
}

// drawLegend writes the systems in one line across the top.
func drawLegend(c draw.Canvas, systems []string) {
	style := plot.New().Legend.TextStyle
	style.Font.Size, style.YAlign = 10, draw.YCenter
	x, y := c.Min.X+vg.Points(12), c.Max.Y-legendHeight/2
	for i, name := range systems {
		line := draw.LineStyle{Color: seriesColor(i), Width: vg.Points(2)}
		c.StrokeLine2(line, x, y, x+vg.Points(18), y)
		c.FillText(style, vg.Point{X: x + vg.Points(23), Y: y}, name)
		x += vg.Points(40) + style.Width(name)
	}
}

// write makes summary.md and figure.svg from all results. They appear together.
func (c *comparison) write(out map[string]*atomicfile.Output, results []Result) error {
	summary, figure := out["summary.md"], out["figure.svg"]
	set, err := atomicfile.NewSet(c.Output, summary, figure)
	if err != nil {
		return err
	}
	defer set.Close()
	sets, systems := c.names()
	all := complete(results, sets, systems)
	err = atomicfile.Write(set.Path(summary),
		func(w io.Writer) error { return Summary(w, all, sets, c.Targets) })
	if err != nil {
		return err
	}
	err = atomicfile.Write(set.Path(figure), func(w io.Writer) error {
		return WriteFigure(w, all, sets, systems, panels())
	})
	if err != nil {
		return err
	}
	return set.Commit()
}

// names lists data sets and systems in the order they were given.
func (c *comparison) names() (sets, systems []string) {
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
				size, seconds := strconv.FormatFloat(target, 'g', -1, 64),
					strconv.FormatFloat(r.Seconds, 'f', 2, 64)
				if r.Option == given {
					size, seconds = "as given", "–"
				} else if r.Option != ByPieces {
					continue
				}
				fmt.Fprintf(out, "| %s | %s | %s | %d | %d | %s | %s |\n", set, size, r.System,
					r.Segments, r.Pieces,
					strings.Join(r.Scores().Cells(metrics.Ratio.Percent), " | "), seconds)
			}
		}
	}
	return out.Flush()
}
