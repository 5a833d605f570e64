package survey

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf8"

	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/filter/child"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/models"
	"superpoint/filter/sources"
	"superpoint/partition/tile"
)

// Request is what a survey is planned by.
type Request struct {
	Folder  string
	Inputs  []string          // files, folders, patterns, virtual point clouds, EPT
	Options map[string]string // of the stage, as they were given
	Lengths Lengths
	Files   *whole.Files // that the program reads and writes
}

// Plan inspects the sources and writes plan.json.
func Plan(h host.Host, r Request) error {
	if r.Folder == "" || len(r.Inputs) == 0 {
		return errors.New("name the point clouds, and with --output the folder to plan in")
	}
	options, err := filter.OptionsOf(r.Options)
	if err != nil {
		return err
	}
	files, err := sources.Files(r.Inputs)
	if err != nil {
		return err
	}
	for _, path := range files {
		if !utf8.ValidString(path) {
			return fmt.Errorf("%q: plans are JSON, which holds UTF-8 only; rename the file, or link it under another name", path)
		}
	}
	r.Files.Input(append(r.Inputs, files...)...)
	to, err := r.Files.Output(filepath.Join(r.Folder, "plan.json"))
	if err != nil {
		return err
	}
	if err := outside(r.Folder, append(files, options.Model, options.Classes)); err != nil {
		return err
	}
	all, err := inspectAll(h, files)
	if err != nil {
		return err
	}
	p, f, tiling, err := describePlan(h, r.Options, options, all)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.Folder, 0o755); err != nil {
		return err
	}
	work, done, err := whole.Workspace(r.Folder)
	if err != nil {
		return err
	}
	defer done()
	where, err := p.extents(h, work)
	if err != nil {
		return err
	}
	if err := p.measure(h, f, tiling, work, where); err != nil {
		return err
	}
	if given, err := strconv.ParseFloat(p.Options["spacing"], 64); err == nil {
		p.Spacing = given
	}
	if tiling.Spaced && p.Spacing > 0 {
		// one for all tiles, as the survey as a whole would have
		p.Options["spacing"] = strconv.FormatFloat(p.Spacing, 'g', 6, 64)
	}
	if tiling.Reference > 0 && p.Spacing > 0 {
		tiling.Halo *= p.Spacing / tiling.Reference
	}
	least, most := p.extremes(all)
	if err := p.planExact(f, tiling, georef.Reference{WKT: all[0].wkt}, least, most); err != nil {
		h.Log(filter.LogInfo, "superpoints of tiles are stitched, and not quite those of the whole: "+err.Error())
	}
	if err := p.grid(r.Lengths, tiling.Halo, where); err != nil {
		return err
	}
	if err := removeFormer(h, r.Folder, p); err != nil {
		return err
	}
	if err := to.Write(indented(p)); err != nil {
		return err
	}
	g := &p.Grid
	halo := fmt.Sprintf("a halo of %.4g m, seam ±%.4g m", g.Halo*p.Unit, g.Seam*p.Unit)
	if p.Exact != nil {
		halo = fmt.Sprintf("a halo of %.4g m to look around points and %.4g m to merge them", g.Halo*p.Unit,
			p.Exact.Halo*p.Unit)
	}
	_, err = fmt.Fprintf(h.Stdout(), "%s: %d points in %d files, %d tiles of %.4g m with %s, spacing %.3g m\n",
		filepath.Join(r.Folder, "plan.json"), p.Points, len(p.Sources), len(p.Tiles), g.Size*p.Unit, halo, p.Spacing)
	return err
}

// inspectAll inspects the files, and returns those that have points.
func inspectAll(h host.Host, files []string) (all []*inspected, err error) {
	for k, path := range files {
		i, err := inspect(h.Context(), path)
		if err != nil {
			return nil, err
		}
		if i.Points > 0 {
			all = append(all, i)
		}
		h.Progress("plan", float64(k+1)/float64(len(files)))
	}
	if len(all) == 0 {
		return nil, errors.New("the files have no points")
	}
	return all, nil
}

// describePlan fixes options, model, layout and dimensions.
func describePlan(h host.Host, given map[string]string, options *filter.Options, all []*inspected) (*plan,
	*filter.Filter, filter.Tiling, error) {
	if err := compatible(all); err != nil {
		return nil, nil, filter.Tiling{}, err
	}
	f, err := filter.New(options, h.Log)
	if err != nil {
		return nil, nil, filter.Tiling{}, err
	}
	d, err := f.Describe(available(all, options.ClassDimension))
	if err != nil {
		return nil, nil, filter.Tiling{}, err
	}
	tiling, err := f.Tiling()
	if err != nil {
		return nil, nil, tiling, err
	}
	p := &plan{Version: planVersion, Software: filter.Version}
	if p.Options, p.Content, err = models.Pinned(given); err != nil {
		return nil, nil, tiling, err
	}
	delete(p.Options, "threads")
	if d.Model != "" && (options.Model == "" || options.Model == models.Auto) && options.Features == "" {
		p.Options["model"] = d.Model
	}
	for _, o := range d.Outputs {
		p.Outputs = append(p.Outputs, child.Field{Name: o.Name, Type: o.Type})
	}
	for _, r := range append(d.Required, d.Optional...) {
		p.Reads = append(p.Reads, r.Name)
	}
	p.widen(all)
	for _, i := range all {
		p.Sources = append(p.Sources, i.source)
		p.Points += i.Points
	}
	if p.Unit, _, err = (georef.Reference{WKT: all[0].wkt}).Unit(); err != nil {
		return nil, nil, tiling, err
	}
	p.Layout = commonLayout(all, p.Outputs, func(text string) { h.Log(filter.LogWarning, text) })
	for k, i := range all {
		p.Sources[k].Lacks = i.lacks(p.added())
	}
	return p, f, tiling, f.CheckFormat(p.Layout.Format)
}

// widen lets outputs that are also read, which are classes, hold the values that stay.
func (p *plan) widen(all []*inspected) {
	for _, i := range all {
		p.Outputs = child.Widen(p.Outputs, slices.DeleteFunc(slices.Clone(i.dimensions), func(f child.Field) bool {
			return !slices.Contains(p.Reads, f.Name)
		}))
	}
}

// extremes returns the least and greatest X, Y and Z of all sources in metres.
func (p *plan) extremes(all []*inspected) (least, most [3]float64) {
	for k := range 3 {
		least[k], most[k] = math.Inf(1), math.Inf(-1)
		for _, i := range all {
			least[k], most[k] = min(least[k], i.least[k]*p.Unit), max(most[k], i.most[k]*p.Unit)
		}
	}
	return least, most
}

// grid chooses tiles.
func (p *plan) grid(want Lengths, halo float64, extents []extent) error {
	west, south, east, north := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	area := 0.0
	for k, s := range p.Sources {
		west, south, east, north = min(west, s.Bounds[0]), min(south, s.Bounds[1]), max(east, s.Bounds[2]), max(north,
			s.Bounds[3])
		area += extents[k].area
	}
	density := float64(p.Points) / math.Max(1, area*p.Unit*p.Unit)
	if p.Exact != nil {
		p.Exact.Halo = cmp.Or(want.Halo, round(exactSpacings*p.Spacing)) / p.Unit
		around := round(max(leastMargin, (aroundSpacings+p.Exact.Context)*p.Spacing))
		if want.Halo = min(around, cmp.Or(want.Halo, around)); want.Tile > 0 {
			want.Halo = min(want.Halo, want.Tile/2)
		}
		want.Seam = cmp.Or(want.Seam, want.Halo/2)
	}
	l := want.choose(p.Spacing, halo, density)
	var err error
	if p.Grid, err = tile.NewGrid(west, south, east, north, l.Tile/p.Unit, l.Halo/p.Unit, l.Seam/p.Unit); err != nil {
		return fmt.Errorf("%w; the sources lie within X %v to %v, Y %v to %v: if that is too much, a point is stray, and "+
			"filters.outlier removes it", err, west, east, south, north)
	}
	p.Tiles, err = tiles(&p.Grid, extents, p.Exact.width()/p.Unit)
	return err
}

// sampleEdge is the edge, in units, of the window in which the spacing of points is measured.
const sampleEdge = 60.0

// leastSample is the fewest points that a spacing is measured on.
const leastSample = 1000

// measure measures the spacing of points and the edges a point in the middle of
// the largest source; both stay 0 if there are too few points.
func (p *plan) measure(h host.Host, f *filter.Filter, tiling filter.Tiling, work string, extents []extent) error {
	at := 0
	for k, s := range p.Sources { // the first of the largest, by name
		if s.Points > p.Sources[at].Points {
			at = k
		}
	}
	largest := &p.Sources[at]
	path := filepath.Join(work, "sample.las")
	x, y := extents[at].full[0], extents[at].full[1]
	edge := sampleEdge / p.Unit
	window := fmt.Sprintf("X[%v:%v],Y[%v:%v]", x-edge/2, x+edge/2, y-edge/2, y+edge/2)
	err := child.Pipeline(h.Context(), largest.reader(nil), map[string]any{"type": "filters.range", "limits": window},
		p.Layout.writer(path, ""))
	if err != nil {
		return fmt.Errorf("%s: %w", largest.Path, err)
	}
	columns, err := h.Read(path, nil)
	if err != nil || len(columns.X) < leastSample {
		return err
	}
	run := filter.Run{Context: h.Context()}
	w, err := filter.NewWorkspace(run, columns.View(), max(4, tiling.KNN), 0, nil)
	if err != nil {
		return err
	}
	p.Spacing = w.Spacing()
	if tiling.Regularization > 0 {
		graph, _, err := w.Adjacency(run, f)
		if err != nil {
			return err
		}
		p.Edges = graph.Connectivity()
	}
	return nil
}

// reader reads a source, or the part in a box if the source can be read so.
func (s *source) reader(box *tile.Box) any {
	if sources.IsLAS(s.Path) {
		return map[string]any{"filename": s.Path, child.DescribedBytes: true}
	}
	if !s.Direct || box == nil {
		return s.Path
	}
	b := tile.Box{West: math.Max(box.West, s.Bounds[0]), South: math.Max(box.South, s.Bounds[1]),
		East: math.Min(box.East, s.Bounds[2]), North: math.Min(box.North, s.Bounds[3])}
	return map[string]any{"filename": s.Path, "bounds": fmt.Sprintf("([%v,%v],[%v,%v])", b.West, b.East, b.South, b.North)}
}
