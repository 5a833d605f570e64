package train

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// writeCurve writes the loss curve of a run as a picture and as CSV.
func (o *Options) writeCurve(history []epoch) error {
	var csv strings.Builder
	csv.WriteString("epoch,loss,score,rate,components\n")
	for i, e := range history {
		score := ""
		if !math.IsNaN(e.Score) {
			score = fmt.Sprintf("%.5f", e.Score)
		}
		fmt.Fprintf(&csv, "%d,%.6f,%s,%.3g,%.1f\n", i+1, e.Loss, score, e.Rate, e.Components)
	}
	if err := o.Table(func(w io.Writer) error {
		_, err := io.WriteString(w, csv.String())
		return err
	}); err != nil {
		return err
	}
	p, err := curve(history)
	if err != nil {
		return err
	}
	w, err := p.WriterTo(16*vg.Centimeter, 10*vg.Centimeter, "png")
	if err != nil {
		return err
	}
	return o.Curve(func(to io.Writer) error {
		_, err := w.WriteTo(to)
		return err
	})
}

func curve(history []epoch) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "Graph-structured contrastive loss and validation score"
	p.X.Label.Text = "epoch"
	p.Y.Min, p.Y.Max = 0, 1
	var loss, score plotter.XYs
	for i, e := range history {
		loss = append(loss, plotter.XY{X: float64(i + 1), Y: e.Loss})
		if !math.IsNaN(e.Score) {
			score = append(score, plotter.XY{X: float64(i + 1), Y: e.Score})
		}
	}
	for _, l := range []struct {
		name   string
		points plotter.XYs
		color  color.Color
	}{{"loss", loss, color.RGBA{0, 90, 170, 255}}, {"score", score, color.RGBA{200, 80, 0, 255}}} {
		if len(l.points) == 0 {
			continue
		}
		line, err := plotter.NewLine(l.points)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = l.color, vg.Points(1.5)
		p.Add(line)
		p.Legend.Add(l.name, line)
	}
	p.Legend.Top = true
	return p, nil
}
