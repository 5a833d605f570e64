package command

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"time"

	"superpoint/filter"
	"superpoint/filter/objects"
	"superpoint/filter/render"
	"superpoint/partition/arrays"
)

//go:embed map_report.html
var reportPage string

// page is what the report shows.
type page struct {
	Version, Date    string
	Files            []string
	Points           int
	Extent           string
	Classes          []classCount
	Confidence       float64 // mean of all points; NaN if unknown
	Buildings, Trees summary
	Checks, Rasters  []string
}

// summary are objects of one kind.
type summary struct {
	Count                    int
	Area, Median, Top, Edges float64 // square metres; metres; highest; number at the edge of the tiles
}

// unsure is the mean confidence below which a class is to be checked.
const unsure = 0.7

// report writes report.html.
func (m *mapping) report() error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"thousands": render.Thousands,
		"percent":   func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) },
		"known":     func(x float64) bool { return !math.IsNaN(x) },
	}).Parse(reportPage)
	if err != nil {
		return err
	}
	return m.to[mapReport].Write(func(w io.Writer) error { return t.Execute(w, m.page()) })
}

func (m *mapping) page() *page {
	p := &page{Version: filter.Version, Date: time.Now().Format(time.DateOnly), Points: len(m.columns.X),
		Classes: m.classes, Rasters: m.made, Buildings: m.summary(m.found.Buildings), Trees: m.summary(m.found.Trees)}
	for _, f := range m.files {
		p.Files = append(p.Files, filepath.Base(f))
	}
	b := boxOf(m.columns)
	scale := m.forms[0].Scale
	p.Extent = fmt.Sprintf("%.0f × %.0f m", (b.high[0]-b.low[0])*scale[0], (b.high[1]-b.low[1])*scale[1])
	for _, c := range m.classes {
		p.Confidence += c.Confidence * c.Share
		if c.Confidence < unsure {
			p.Checks = append(p.Checks, fmt.Sprintf("%s (class %d): mean confidence %.2f", c.Name, c.Code, c.Confidence))
		}
	}
	if !m.has(groundCode) {
		p.Checks = append(p.Checks, "no point is ground, so heights are above the lowest points")
	}
	if n := p.Buildings.Edges + p.Trees.Edges; n > 0 {
		p.Checks = append(p.Checks, fmt.Sprintf("%.0f objects reach the edge of the tiles (edge = 1) and may go on",
			n))
	}
	return p
}

func (m *mapping) summary(all []objects.Object) (s summary) {
	if len(all) == 0 {
		return s
	}
	var heights []float64
	for k := range all {
		s.Count++
		s.Area += all[k].Area
		s.Top = max(s.Top, all[k].Height)
		s.Edges += m.edge(&all[k])
		heights = append(heights, all[k].Height)
	}
	s.Median = arrays.Median(heights)
	return s
}
