// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	_ "embed"
	"fmt"
	"html/template"
	"image"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"superpoint/embed/classes"
	"superpoint/filter"
	"superpoint/filter/message"
	"superpoint/partition/base/arrays"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/commands/map/rasters"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/planar"
)

//go:embed report.html
var reportPage string

// page has the values of the report's template.
type page struct {
	Version, Date   string
	Title           string // names of the inputs
	Head            []fact
	Folder          string // of the files
	Linked          bool   // the files lie in the folder of the map
	Files           []string
	Points          int
	Extent          string
	Computed        string // how many classes were computed, and their confidence
	Classes         []classCount
	Objects         []summary
	Rows            []buildingRow // of the table of buildings
	MoreRows        int           // buildings that are not in the table
	Checks, Rasters []string
	Notes           []string // on the rasters
	Solids          bool     // there is a file of them
	Limits          []string // of the classifier, from its card
}

// fact is a row of the table at the head of the report.
type fact struct{ Name, Value string }

// reference returns the spatial reference in words.
func (m *mapping) reference() string {
	authority, code := m.Reference().Code()
	switch {
	case code != "":
		return authority + ":" + code
	case m.Reference().WKT != "":
		return "a spatial reference without a code"
	}
	return "no spatial reference"
}

// extent returns the smallest rectangle with all tiles, in lattice steps.
func (m *mapping) extent() (all image.Rectangle) {
	for _, t := range m.Tiles {
		all = all.Union(t.Area)
	}
	return all
}

// centre returns the spatial reference and the centre of the map.
func (m *mapping) centre() string {
	all := m.extent()
	scale := math.Pow10(-layers.Decimals(m.Metres[1]))
	digits := 0
	if isDegrees := m.Metres[1] > 1000; isDegrees {
		digits = 4
	}
	x := float64(all.Min.X+all.Max.X) / 2 * scale
	y := float64(all.Min.Y+all.Max.Y) / 2 * scale
	return fmt.Sprintf("%s, centre %.*f %.*f", m.reference(), digits, x, digits, y)
}

// stem returns the name of a file without its ending.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// inputNames returns the names of at most some tiles, and how many more there are.
func (m *mapping) inputNames(most int) string {
	var names []string
	for _, path := range m.files[:min(most, len(m.files))] {
		names = append(names, stem(path))
	}
	text := strings.Join(names, ", ")
	if more := len(m.files) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// head returns what the map was made of, and how.
func (m *mapping) head() []fact {
	const named = 5
	reference := m.reference()
	if m.Reference().WKT == "" {
		reference = "none"
	}
	facts := []fact{
		{"inputs", m.inputs() + ": " + m.inputNames(named)},
		{"spatial reference", reference},
		{"density", fmt.Sprintf("%.3g points/m² in the rectangles of the tiles; points on surfaces are "+
			"%.2f m apart", m.density(), m.PointSpacing())},
		{"cells of rasters", fmt.Sprintf("%g m", m.Resolution)},
	}
	if given := m.given(); given != "" {
		facts = append(facts, fact{"options", given})
	}
	return append(facts,
		fact{"made by", "superpoint " + filter.Version},
		fact{"date", time.Now().Format(time.DateOnly)},
	)
}

// density returns the number of points in a square metre of the rectangles of the tiles.
func (m *mapping) density() float64 {
	area := 0.0 // square metres
	for _, t := range m.Tiles {
		area += float64(t.Area.Dx()) * m.Stride[0] * float64(t.Area.Dy()) * m.Stride[1]
	}
	return float64(m.counts.points) / max(area, 1)
}

// inputs describes the number of tiles.
func (m *mapping) inputs() string {
	if len(m.missing) == 0 {
		return message.Count(len(m.files), "tile")
	}
	return fmt.Sprintf("%d of %s", len(m.files), message.Count(len(m.files)+len(m.missing), "tile"))
}

// given returns the options that the user gave.
func (m *mapping) given() string {
	if m.Superpoints == nil || m.Args == nil {
		return ""
	}
	var all []string
	m.Args.Visit(func(f *pflag.Flag) { all = append(all, "--"+f.Name+" "+f.Value.String()) })
	return strings.Join(all, " ")
}

// summary has the statistics of the objects of one kind.
type summary struct {
	Name        string
	Count       int
	Area        float64 // sum, m²
	Median, Top float64 // heights, m; NaN if there are none
	Edges       float64 // number at the edge of the tiles
}

// lowConfidence is the mean confidence below which a class is listed under "What to check".
const lowConfidence = 0.7

// report writes report.html.
func (m *mapping) report() error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"count":     message.Count[int],
		"thousands": func(n int) string { return message.Thousands(int64(n)) },
		"percent":   func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) },
		"known":     func(x float64) bool { return !math.IsNaN(x) },
		"height":    heightText,
	}).Parse(reportPage)
	if err != nil {
		return err
	}
	to, err := m.output(contents.Report)
	if err != nil {
		return err
	}
	return to.Write(func(w io.Writer) error { return t.Execute(w, m.page()) })
}

// heightText returns a height in metres; a dash if there is none.
func heightText(height float64) string {
	if math.IsNaN(height) {
		return "–"
	}
	return fmt.Sprintf("%.1f", height)
}

// page returns the values of the report.
func (m *mapping) page() *page {
	buildings, trees := summarise("buildings", m.Buildings), summarise("trees", m.Trees)
	p := &page{
		Version: filter.Version,
		Date:    time.Now().Format(time.DateOnly),
		Title:   m.inputNames(3),
		Head:    m.head(),
		Folder:  m.folderOfTiles,
		Linked:  m.folderOfTiles == contents.Points,
		Points:  m.counts.points,
		Classes: m.classes,
		Objects: []summary{buildings, trees},
		Rows:    m.buildingRows(),
		Rasters: m.written,
		Notes:   rasters.Notes(m.model, m.Resolution, m.Metres[2]),
		Solids:  m.HasSolids(),
		Limits:  m.limits,
	}
	p.MoreRows = buildings.Count - len(p.Rows)
	if m.water != nil {
		p.Objects = append(p.Objects, summary{Name: "bodies of water", Count: m.water.Count(),
			Area: m.water.Area(), Median: math.NaN(), Top: math.NaN()})
	}
	for _, f := range m.files {
		p.Files = append(p.Files, filepath.Base(f))
	}
	all := m.extent()
	p.Extent = fmt.Sprintf("%.0f × %.0f m", float64(all.Dx()-1)*m.Stride[0], float64(all.Dy()-1)*m.Stride[1])
	confidence, given := meanConfidence(m.classes)
	p.Computed = "the confidence of the classes is unknown"
	if !m.NoConfidence {
		p.Computed = computedText(confidence, given)
	}
	p.Checks = m.checks(confidence, given, buildings.Edges+trees.Edges)
	return p
}

// computedText says how many points have a computed class, and how confident it is on average.
func computedText(confidence float64, points int) string {
	if points == 0 {
		return "all classes are from the input"
	}
	return fmt.Sprintf("the classes of %s are computed, with a mean confidence of %.2f",
		message.Count(points, "point"), confidence)
}

// meanConfidence returns the mean confidence of the points whose class was computed, and their number; NaN if
// it is unknown.
func meanConfidence(classes []classCount) (mean float64, points int) {
	sum := 0.0
	for _, c := range classes {
		if c.given > 0 {
			sum += c.Confidence * float64(c.given)
			points += c.given
		}
	}
	return sum / float64(points), points
}

// checks returns what to check in a map, the most important first: missing tiles, an uncertain map, uncertain
// classes. The mean confidence is of some points, and some objects lie at the edge of the tiles.
func (m *mapping) checks(confidence float64, points int, atEdge float64) (all []string) {
	for _, x := range slices.Backward(m.missing) {
		all = append(all, fmt.Sprintf("%s is missing: %s", filepath.Base(x.Input), x.Error))
	}
	if text := classes.UncertainText(confidence, message.Count(points, "point")); text != "" {
		all = append(all, text)
	}
	for _, c := range m.classes {
		if c.Confidence < lowConfidence {
			text := fmt.Sprintf("%s (class %d): mean confidence %.2f", c.Name, c.Code, c.Confidence)
			all = append(all, text)
		}
	}
	if m.Far > 0 {
		all = append(all, planar.Far(m.Far, "object"))
	}
	if !m.has(contents.Ground) {
		all = append(all, "no point is of class ground, so heights are above the lowest points")
	}
	if doubtful := len(m.doubtful()); doubtful > 0 {
		all = append(all, message.Count(doubtful, "building")+
			" may be something else (doubtful = 1): the first rows of the table of buildings")
	}
	if atEdge > 0 {
		all = append(all,
			message.Count(int(atEdge), "object")+" at the edge of the tiles (edge = 1) may be incomplete")
	}
	return all
}

func summarise(name string, all []objects.Mapped) summary {
	s := summary{Name: name, Median: math.NaN(), Top: math.NaN()}
	if len(all) == 0 {
		return s
	}
	s.Top = 0
	var heights []float64
	for k := range all {
		s.Count++
		s.Area += all[k].Area
		s.Top = max(s.Top, all[k].Height)
		s.Edges += all[k].Edge
		heights = append(heights, all[k].Height)
	}
	s.Median = arrays.Median(heights)
	return s
}
