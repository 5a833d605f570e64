// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf8"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
	"superpoint/partition/neighbor"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/layers"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// Request has the arguments of Plan.
type Request struct {
	Folder  string
	Inputs  []string          // files, folders, patterns, virtual point clouds
	Options map[string]string // of the stage, by name
	Lengths Lengths
	Files   *atomicfile.Files // that the program reads and writes
}

// Plan inspects the sources and writes plan.json. It fails if the folder has another plan, or what a survey makes.
func Plan(h host.Host, r Request) error {
	options, err := filter.OptionsOf(r.Options)
	if err != nil {
		return err
	}
	files, err := r.sources(h)
	if err != nil {
		return err
	}
	r.Files.Input(slices.Concat(r.Inputs, files)...)
	release, err := r.Files.Folder(r.Folder)
	if err != nil {
		return err
	}
	defer release()
	known, err := checkNew(r.Folder)
	if err != nil {
		return err
	}
	to, err := r.Files.Output(filepath.Join(r.Folder, planFile))
	if err != nil {
		return err
	}
	all, err := inspectAll(h, files, options.Threads)
	if err != nil {
		return err
	}
	p, f, err := describePlan(h, r.Options, options, all)
	if err != nil {
		return err
	}
	classify, err := f.Tiling()
	if err != nil {
		return err
	}
	work, done, err := atomicfile.Workspace(r.Folder)
	if err != nil {
		return err
	}
	defer done()
	if err := p.setShared(h, f, all, work); err != nil {
		return err
	}
	if err := p.grid(r.Lengths, classify); err != nil {
		return err
	}
	if err := p.nameResults(); err != nil {
		return err
	}
	p.Checksum = p.checksum()
	var text bytes.Buffer
	if err := jsonWriter(p)(&text); err != nil {
		return err
	}
	if known != nil && !bytes.Equal(known, text.Bytes()) {
		return fmt.Errorf("%s exists, of other files, options or sizes; continue that survey with pdal superpoint survey "+
			"run %s, or plan in another folder", to.Path(), r.Folder)
	}
	if err := to.Write(layers.BytesOf(text.Bytes())); err != nil {
		return err
	}
	layers.WarnOfOverlaps(h, headersOf(all))
	g := &p.Grid
	return command.Say(h, "%s: %s in %s, %s of %.4g m with a halo of %.4g m to embed points and "+
		"%.4g m to merge them, spacing %.3g m", to.Path(), message.Count(p.Points, "point"),
		message.Count(len(p.Sources), "file"), message.Count(len(p.Tiles), "tile"),
		g.Size*p.Unit, g.Halo*p.Unit, p.Shared.Halo*p.Unit, p.Shared.Spacing)
}

// headersOf returns what is known of the extents of sources.
func headersOf(all []*inspected) []*layers.Header {
	headers := make([]*layers.Header, len(all))
	for k, i := range all {
		headers[k] = &layers.Header{Path: i.Path, Bounds: *i.about.Bounds, Reference: i.reference}
	}
	return headers
}

// sources returns the files of the request.
func (r *Request) sources(h host.Host) (files []string, err error) {
	if r.Folder == "" || len(r.Inputs) == 0 {
		return nil, errors.New("name the point clouds, and the folder of the plan with --output")
	}
	if files, err = sources.Files(r.Inputs, func(text string) { h.Log(filter.LogWarning, text) }); err != nil {
		return nil, err
	}
	for _, path := range files {
		if !utf8.ValidString(path) {
			return nil, fmt.Errorf("%q: plans are JSON, which holds UTF-8 only; rename the file, or link it under another "+
				"name", path)
		}
	}
	return files, nil
}

// inspectAll inspects the files and returns those with points. It names all files that cannot be used.
func inspectAll(h host.Host, files []string, threads int) (all []*inspected, err error) {
	each := make([]*inspected, len(files))
	run := parallel.Run{Context: h.Context(), Threads: threads, Report: func(f float64) { h.Progress("plan", f) }}
	err = layers.EachFile(run, files, func(k int) (err error) { each[k], err = inspect(h, files[k]); return err })
	if err != nil {
		return nil, err
	}
	for _, i := range each {
		if i.Points > 0 {
			all = append(all, i)
		} else {
			h.Log(filter.LogWarning, i.Path+": it has no points and is left out")
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the files have no points")
	}
	return all, nil
}

// describePlan returns a plan with options, model, layout and dimensions, and its filter.
func describePlan(h host.Host, given map[string]string, options *filter.Options, all []*inspected) (*plan,
	*filter.Filter, error) {
	if err := compatible(h, all); err != nil {
		return nil, nil, err
	}
	f, err := filter.New(options, h.Log)
	if err != nil {
		return nil, nil, err
	}
	d, err := f.Describe(available(all, options.ClassDimension))
	if err != nil {
		return nil, nil, err
	}
	p := &plan{Version: planVersion, Software: filter.Software()}
	given = maps.Clone(given)
	if given == nil {
		given = map[string]string{}
	}
	if d.Model != "" && (options.Model == "" || options.Model == models.Auto) {
		given["model"] = d.Model
	}
	if p.Options, p.Content, err = models.Pinned(given); err != nil {
		return nil, nil, err
	}
	delete(p.Options, "threads")
	for _, o := range d.Outputs {
		p.Outputs = append(p.Outputs, las.Column{Name: o.Name, Type: o.Type})
	}
	for _, r := range append(d.Required, d.Optional...) {
		p.Reads = append(p.Reads, r.Name)
	}
	for _, i := range all {
		if err := f.CheckFormat(i.about.Format()); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", i.Path, err)
		}
		p.Outputs = pdalprocess.Widen(p.Outputs, i.about.Dimensions)
		p.Sources = append(p.Sources, i.source)
		p.Points += i.Points
	}
	if p.Unit, _, err = all[0].reference.Unit(); err != nil {
		return nil, nil, err
	}
	p.SRS = all[0].reference.WKT
	return p, f, nil
}

// setShared measures and sets the values that all tiles share.
func (p *plan) setShared(h host.Host, f *filter.Filter, all []*inspected, work string) error {
	fixed, err := p.measure(h, f, work)
	if err != nil {
		return err
	}
	p.Options["spacing"] = strconv.FormatFloat(fixed.Spacing, 'g', -1, 64)
	p.Options["solver"] = method.Local
	e := &p.Shared
	*e = shared{Spacing: fixed.Spacing, Strength: fixed.Strength, Coarser: fixed.Coarser,
		AcrossLines: fixed.AcrossLines, Reach: reach * fixed.Spacing, Wide: f.Reach(fixed.Spacing)}
	least, most := all[0].least, all[0].most
	for a := range 3 {
		for _, i := range all {
			least[a], most[a] = min(least[a], i.least[a]), max(most[a], i.most[a])
		}
		least[a], most[a] = least[a]*p.Unit, most[a]*p.Unit
	}
	e.Origin, e.Corner = neighbor.OriginOf(least, most), [2]float64(least[:2])
	return nil
}

// grid sets the grid and its tiles.
func (p *plan) grid(want Lengths, classes bool) error {
	all, area := p.Sources[0].box(), 0.0
	for k := range p.Sources {
		b := p.Sources[k].box()
		all, area = enclosing(all, b), area+(b.East-b.West)*(b.North-b.South)
	}
	l, merging := want.choose(&p.Shared, float64(p.Points)/math.Max(1, area*p.Unit*p.Unit), classes)
	p.Shared.Halo = merging / p.Unit
	if n := area * p.Unit * p.Unit / (l.Tile * l.Tile); n > float64(p.Points) {
		return fmt.Errorf("option tile: %v m makes %.0f tiles of %s; take larger tiles, or remove points far from "+
			"all others, with filters.outlier", l.Tile, n, message.Count(p.Points, "point"))
	}
	var err error
	if p.Grid, err = tile.NewGrid(all.West, all.South, all.East, all.North, l.Tile/p.Unit, l.Halo/p.Unit); err != nil {
		return fmt.Errorf("%w; the sources lie within X %v to %v, Y %v to %v: if that is too much, a point is an outlier, "+
			"and filters.outlier removes it", err, all.West, all.East, all.South, all.North)
	}
	p.Tiles, err = findTiles(&p.Grid, p.Sources)
	return err
}
