package compare

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"superpoint/embed/atomicfile"
	"superpoint/filter"
	"superpoint/partition/metrics"
)

// write makes summary.md, figure.svg, figure.png and report.html from all results.
func (c *Config) write(out map[string]*atomicfile.Output, results []Result, shown []picture) error {
	sets, systems := c.names()
	all := complete(results, sets, systems)
	f, err := newFigure(all, sets, systems, panels())
	if err != nil {
		return err
	}
	var svg bytes.Buffer
	if err := f.svg(&svg); err != nil {
		return err
	}
	text := func(w io.Writer) error { return summary(w, c, all, sets, systems) }
	if err := out["summary.md"].Write(text); err != nil {
		return err
	}
	if err := out["cells.md"].Write(func(w io.Writer) error { return c.comparisons(w, all, sets) }); err != nil {
		return err
	}
	if err := out["figure.svg"].Write(func(w io.Writer) error { _, err := w.Write(svg.Bytes()); return err }); err != nil {
		return err
	}
	if err := out["figure.png"].Write(f.png); err != nil {
		return err
	}
	page := report{Version: filter.Version, Labels: metrics.Labels(), Figure: inline(svg.Bytes()),
		Sets: sections(c, all, sets, shown), Failures: failures(results)}
	return out["report.html"].Write(func(w io.Writer) error { return pageTemplate().Execute(w, page) })
}

// names lists data sets and systems in the order they were given.
func (c *Config) names() (sets, systems []string) {
	seen := map[string]bool{}
	for _, in := range c.Inputs {
		if !seen[in.Set] {
			seen[in.Set] = true
			sets = append(sets, in.Set)
		}
	}
	for _, s := range c.Systems {
		systems = append(systems, s.Name)
	}
	return sets, systems
}

// inline drops what stands before the svg element, which HTML does not take.
func inline(svg []byte) template.HTML {
	if at := bytes.Index(svg, []byte("<svg")); at > 0 {
		svg = svg[at:]
	}
	return template.HTML(svg)
}

type report struct {
	Version  string
	Labels   []string // of the metrics
	Figure   template.HTML
	Sets     []section
	Failures []string
}

// section is one data set.
type section struct {
	Name, Headline string
	Rows           []tableRow
	Pictures       []shownPicture
}

type shownPicture struct {
	Title string
	Data  template.URL
}

func sections(c *Config, all []Result, sets []string, shown []picture) []section {
	var list []section
	for _, set := range sets {
		s := section{Name: set}
		for _, target := range c.Targets {
			for _, r := range sized(all, set, ByPieces, target) {
				s.Rows = append(s.Rows, newTableRow(&r))
			}
		}
		for _, r := range sized(all, set, given, 0) {
			s.Rows = append(s.Rows, newTableRow(&r))
		}
		s.Headline = headline(c, all, set)
		for _, p := range shown {
			if p.set == set {
				s.Pictures = append(s.Pictures,
					shownPicture{p.title, template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(p.png))})
			}
		}
		list = append(list, s)
	}
	return list
}

// headline says at how many times fewer segments the first system reaches the
// best rival's OOA.
func headline(c *Config, all []Result, set string) string {
	if len(c.Systems) < 2 || len(c.Targets) == 0 {
		return ""
	}
	size := c.usualSize()
	a, _, _ := ratio(all, set, c.Systems[0].Name, size)
	if a == nil || a.Bound == lessThan {
		return ""
	}
	return fmt.Sprintf("%s reaches the OOA that %s, its best rival, has at %g points a segment with fewer segments: %s.",
		c.Systems[0].Name, a.Rival, size, a.text())
}

func failures(results []Result) []string {
	var list []string
	for i := range results {
		if r := &results[i]; r.Error != "" {
			list = append(list, fmt.Sprintf("%s, %s, %s=%g: %s", r.File, r.System, r.Option, r.Value, r.Error))
		}
	}
	return list
}

func pageTemplate() *template.Template {
	return template.Must(template.New("report").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Superpoint comparison</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left}figure{margin:1rem 0}figure img{width:100%}
figcaption{text-align:center}svg{max-width:100%;height:auto}
</style></head><body>
<h1>Superpoint comparison</h1>
<p>Oracle overall accuracy (OOA), boundary recall (BR, as the authors' code computes it and as the paper
prints it), boundary precision (BP)
and undersegmentation error (UE), in percent, all on one adjacency graph; pieces are the connected parts of
all segments on it.
Seconds are of a whole run, memory is the growth of the heap in bytes a point. superpoint {{.Version}}.</p>
{{.Figure}}
{{range .Sets}}<h2>{{.Name}}</h2>
{{with .Headline}}<p>{{.}}</p>{{end}}
{{if .Rows}}<table><tr><th>system</th><th>wanted size</th><th>segments</th><th>pieces</th>
{{range $.Labels}}<th>{{.}}</th>{{end}}<th>seconds</th><th>bytes/point</th></tr>
{{range .Rows}}<tr><td>{{.System}}</td><td>{{.Size}}</td><td>{{.Segments}}</td><td>{{.Pieces}}</td>
{{range .Scores}}<td>{{.}}</td>{{end}}<td>{{.Seconds}}</td><td>{{.Memory}}</td></tr>
{{end}}</table>{{end}}
{{range .Pictures}}<figure><img src="{{.Data}}" alt="{{.Title}}"><figcaption>{{.Title}}</figcaption></figure>
{{end}}{{end}}
{{with .Failures}}<h2>Failures</h2><ul>{{range .}}<li>{{.}}</li>{{end}}</ul>{{end}}
</body></html>
`))
}
