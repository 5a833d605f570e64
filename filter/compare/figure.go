package compare

import (
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"superpoint/partition/metrics"
)

// panel is one column of the figure.
type panel struct {
	title string
	value func(metrics.Scores) metrics.Ratio
}

func panels() []panel {
	return []panel{
		{"OOA (%)", func(s metrics.Scores) metrics.Ratio { return s.OOA }},
		{"BR, as coded (%)", func(s metrics.Scores) metrics.Ratio { return s.BRAsCoded }},
		{"BP (%)", func(s metrics.Scores) metrics.Ratio { return s.BP }},
	}
}

const (
	panelWidth  = 8.5 * vg.Centimeter
	panelHeight = 6.5 * vg.Centimeter
	pngDPI      = 150
)

// seriesColor returns the colour of a system: Okabe and Ito's palette, which
// colour-blind readers can tell apart.
func seriesColor(i int) color.Color {
	palette := []color.RGBA{{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255}, {150, 150, 60, 255}}
	return palette[i%len(palette)]
}

// figure is the paper's: one row of panels a data set, one line a system, the
// number of segments on a logarithmic axis.
type figure struct{ rows [][]*plot.Plot }

func newFigure(all []curve, sets, systems []string) (*figure, error) {
	f := &figure{}
	for _, set := range sets {
		var row []*plot.Plot
		for k, p := range panels() {
			drawn, err := onePanel(all, set, systems, p, k == 0)
			if err != nil {
				return nil, err
			}
			row = append(row, drawn)
		}
		f.rows = append(f.rows, row)
	}
	return f, nil
}

func onePanel(all []curve, set string, systems []string, what panel, legend bool) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = set
	p.X.Label.Text = "number of segments"
	p.Y.Label.Text = what.title
	p.Add(plotter.NewGrid())
	p.Legend.Top = false
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range all {
		c := &all[i]
		if c.set != set {
			continue
		}
		var xy plotter.XYs
		for _, at := range c.points {
			y := 100 * float64(what.value(at.scores))
			if math.IsNaN(y) || at.segments < 1 {
				continue
			}
			lo, hi = math.Min(lo, at.segments), math.Max(hi, at.segments)
			xy = append(xy, plotter.XY{X: at.segments, Y: y})
		}
		if len(xy) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(xy)
		if err != nil {
			return nil, err
		}
		line.Color = seriesColor(slices.Index(systems, c.system))
		line.Width = vg.Points(1.5)
		marks.Color, marks.Shape, marks.Radius = line.Color, draw.CircleGlyph{}, vg.Points(2)
		p.Add(line, marks)
		if legend {
			p.Legend.Add(c.system, line, marks)
		}
	}
	if hi > lo { // an empty or single-valued logarithmic axis cannot be drawn
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = plot.LogTicks{Prec: -1}
	}
	p.Legend.Left, p.Legend.XOffs = false, -vg.Points(4)
	return p, nil
}

func (f *figure) draw(c draw.Canvas) {
	tiles := draw.Tiles{Rows: len(f.rows), Cols: len(panels()), PadX: vg.Points(8), PadY: vg.Points(8),
		PadTop: vg.Points(6), PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(6)}
	canvases := plot.Align(f.rows, tiles, c)
	for r := range f.rows {
		for k := range f.rows[r] {
			f.rows[r][k].Draw(canvases[r][k])
		}
	}
}

func (f *figure) size() (width, height vg.Length) {
	return panelWidth * vg.Length(len(panels())), panelHeight * vg.Length(len(f.rows))
}

func (f *figure) png(w io.Writer) error {
	width, height := f.size()
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(pngDPI))
	f.draw(draw.New(c))
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

func (f *figure) svg(w io.Writer) error {
	c := vgsvg.New(f.size())
	f.draw(draw.New(c))
	_, err := c.WriteTo(w)
	return err
}
