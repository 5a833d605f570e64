// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf8"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/option"
	"superpoint/partition/neighbor"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
	"superpoint/pipelines/layers"
)

// Request has the arguments of Plan.
type Request struct {
	Folder  string
	Inputs  []string          // files, folders, patterns, virtual point clouds
	Options map[string]string // of the stage, by name
	Lengths plan.Lengths
	command.References
	Files *atomicfile.Files                        // that the program reads and writes
	Say   func(format string, values ...any) error // see command.Arguments
}

// Plan inspects the sources and writes plan.json. It fails if the folder has another plan, or what a survey
// makes.
func Plan(h host.Host, r Request) error {
	options, err := option.OptionsOf(r.Options)
	if err != nil {
		return err
	}
	if _, err := filter.New(options, func(int, string) {}); err != nil { // names the files of the user
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
	to, err := r.Files.Output(filepath.Join(r.Folder, folder.PlanFile))
	if err != nil {
		return err
	}
	work, done, err := atomicfile.Workspace(r.Folder)
	if err != nil {
		return err
	}
	defer done()
	all, err := inspectAll(h, r.References, files, options.Threads, work)
	if err != nil {
		return err
	}
	pinned, unpin, err := job.PinOptions(r.Folder, r.Options, nil)
	if err != nil {
		return err
	}
	defer unpin()
	p, f, err := describePlan(h, pinned, options.ClassDimension, all)
	if err != nil {
		return err
	}
	if err := f.Tiling(); err != nil {
		return err
	}
	if err := setShared(p, h, f, all, work); err != nil {
		return cmp.Or(exhausted(r.Folder, err), explainWidth(p, h, work, err))
	}
	warnOfHeights(p, h, work, all)
	if err := complete(p, r.Lengths); err != nil {
		return explainWidth(p, h, work, err)
	}
	text, err := job.Lines(p)
	if err != nil {
		return err
	}
	if known != nil && !bytes.Equal(known, text) {
		return fmt.Errorf(
			"%s exists, of other files, options or sizes; continue that survey with pdal superpoint survey "+
				"run %s, or plan in another folder", to.Path(), r.Folder)
	}
	if err := to.Write(atomicfile.Bytes(text)); err != nil {
		return err
	}
	layers.WarnOfOverlaps(h, headersOf(all))
	return r.report(to.Path(), p)
}

// complete sets the tiles, the names of the results and the checksum of a plan.
func complete(p *plan.Plan, l plan.Lengths) error {
	if err := checkReach(p); err != nil {
		return err
	}
	if err := p.Layout(l); err != nil {
		return err
	}
	if err := p.NameResults(); err != nil {
		return err
	}
	p.Checksum = p.Sum()
	return nil
}

// report prints the sizes of a plan.
func (r *Request) report(path string, p *plan.Plan) error {
	g := &p.Grid
	return r.Say("%s: %s in %s, %s of %.4g m with a halo of %.4g m to embed points and "+
		"%.4g m to merge them, spacing %.3g m", path, message.Count(p.Points, "point"),
		message.Count(len(p.Sources), "file"), message.Count(len(p.Tiles), "tile"),
		g.Size*p.Unit, g.Halo*p.Unit, p.Shared.Halo*p.Unit, p.Shared.Spacing)
}

// sources returns the files of the request.
func (r *Request) sources(h host.Host) (files []string, err error) {
	if r.Folder == "" || len(r.Inputs) == 0 {
		return nil, errors.New("name the point clouds, and the folder of the plan with --output")
	}
	if files, err = sources.Files(r.Inputs,
		func(text string) { h.Log(message.Warning, text) }); err != nil {
		return nil, err
	}
	for _, path := range files {
		if !utf8.ValidString(path) {
			return nil, fmt.Errorf(
				"%q: plans are JSON, which holds UTF-8 only; rename the file, or link it under another "+
					"name", path)
		}
	}
	return files, nil
}

// describePlan returns a plan with options, model, layout and dimensions, and its filter.
func describePlan(h host.Host, given *job.Options, classDimension string, all []*inspected) (*plan.Plan,
	*filter.Filter, error) {
	if err := compatible(h, all); err != nil {
		return nil, nil, err
	}
	options, err := option.OptionsOf(given.Reading)
	if err != nil {
		return nil, nil, err
	}
	f, err := filter.New(options, h.Log)
	if err != nil {
		return nil, nil, err
	}
	d, err := f.Describe(available(all, classDimension))
	if err != nil {
		return nil, nil, err
	}
	p := &plan.Plan{Version: plan.Version, Software: filter.Software(), Options: given.Given,
		Content: given.Content}
	if d.Model != "" && (options.Model == "" || options.Model == models.Auto) {
		p.Options["model"] = d.Model
		builtin, _, err := models.Identify(p.Options)
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(p.Content, builtin)
	}
	delete(p.Options, "threads")
	for _, o := range d.Outputs {
		p.Outputs = append(p.Outputs, las.Column{Name: o.Name, Type: o.Type})
	}
	for _, r := range append(d.Required, d.Optional...) {
		p.Reads = append(p.Reads, r.Name)
	}
	var y []float64
	for _, i := range all {
		if err := f.CheckFormat(i.about.Format()); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", i.Path, err)
		}
		p.Outputs = pdalprocess.Widen(p.Outputs, i.about.Dimensions)
		p.Sources = append(p.Sources, i.Source)
		p.Points += i.Points
		y = append(y, i.least[1], i.most[1])
	}
	p.Middle = (slices.Min(y) + slices.Max(y)) / 2
	warn := message.Log(h.Log).Of(all[0].Path).Warn
	scale, err := all[0].reference.Local(y, warn).Scale(warn)
	if err != nil {
		return nil, nil, err
	}
	metres := scale(p.Middle)
	p.Unit, p.Up = metres[0], metres[2]
	p.SRS = all[0].reference.WKT
	return p, f, nil
}

// setShared measures and sets the values that all tiles share.
func setShared(p *plan.Plan, h host.Host, f *filter.Filter, all []*inspected, work string) error {
	e := &p.Shared
	e.Origin, e.Corner = boundsOf(p, all)
	fixed, err := measure(p, h, f, work)
	if err != nil {
		return err
	}
	p.Options["spacing"] = strconv.FormatFloat(fixed.Spacing, 'g', -1, 64)
	p.Options["solver"] = method.Local
	e.Spacing, e.BoxFloor = fixed.Spacing, fixed.BoxFloor
	e.Strength, e.Coarser = fixed.Strength, fixed.Coarser
	e.AcrossLines = fixed.AcrossLines
	e.LongEdge = plan.LongEdge * fixed.Spacing
	e.EmbeddingReach = f.Reach(fixed.Spacing)
	return nil
}

// boundsOf returns the origin of positions and the corner of the survey, by the headers of its files.
func boundsOf(p *plan.Plan, all []*inspected) (origin [3]float64, corner [2]float64) {
	least, most := all[0].least, all[0].most
	for a, metres := range [3]float64{p.Unit, p.Unit, p.Up} {
		for _, i := range all {
			least[a], most[a] = min(least[a], i.least[a]), max(most[a], i.most[a])
		}
		least[a], most[a] = least[a]*metres, most[a]*metres
	}
	return neighbor.OriginOf(least, most), [2]float64(least[:2])
}

// warnOfHeights warns of files whose points are too far from one another in Z for one tile.
func warnOfHeights(p *plan.Plan, h host.Host, work string, all []*inspected) {
	for k, i := range all {
		if i.most[2]-i.least[2] <= plan.Widest/p.Up {
			continue
		}
		remedy := "leave out those far from all others first, with filters.range"
		if group, command := farPoints(p, h, work, k); group != "" {
			remedy = group + "; leave them out first, with " + command
		}
		h.Log(message.Warning, fmt.Sprintf("%s: Z from %v to %v by its header: if points of a tile lie more "+
			"than 21 km apart, the run fails: %s", i.Path, i.least[2], i.most[2], remedy))
	}
}

// checkNew returns the text of a folder's plan. It fails if a folder without one has files of the names that
// a survey makes.
func checkNew(project string) (text []byte, err error) {
	if text, err = os.ReadFile(filepath.Join(project, folder.PlanFile)); !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	names := []string{"out"}
	for _, s := range Steps() {
		names = append(names, s.Name)
	}
	for _, name := range names {
		path := filepath.Join(project, name)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return nil, cmp.Or(err, fmt.Errorf("%s exists, and a survey makes it; plan in another folder",
				path))
		}
	}
	return nil, nil
}
