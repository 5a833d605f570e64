// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf8"

	"superpoint/filter/option"

	"superpoint/filter"
	"superpoint/filter/georef"
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
	"superpoint/pipelines/job"
)

// Request has the arguments of Plan.
type Request struct {
	Folder  string
	Inputs  []string          // files, folders, patterns, virtual point clouds
	Options map[string]string // of the stage, by name
	Lengths Lengths
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
	to, err := r.Files.Output(filepath.Join(r.Folder, planFile))
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
	if err := p.setShared(h, f, all, work); err != nil {
		return cmp.Or(exhausted(r.Folder, err), err)
	}
	if err := p.complete(r.Lengths); err != nil {
		return err
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
func (p *plan) complete(l Lengths) error {
	if err := p.grid(l); err != nil {
		return err
	}
	if err := p.nameResults(); err != nil {
		return err
	}
	p.Checksum = p.checksum()
	return nil
}

// report prints the sizes of a plan.
func (r *Request) report(path string, p *plan) error {
	g := &p.Grid
	return r.Say("%s: %s in %s, %s of %.4g m with a halo of %.4g m to embed points and "+
		"%.4g m to merge them, spacing %.3g m", path, message.Count(p.Points, "point"),
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

// inspectAll inspects the files and returns those with points. It names all files that cannot be used.
func inspectAll(h host.Host, references command.References, files []string, threads int,
	work string) (all []*inspected, err error) {
	each := make([]*inspected, len(files))
	run := parallel.Run{Context: h.Context(), Threads: threads,
		Report: func(f float64) { h.Progress("plan", f) }}
	err = layers.EachFile(run, files, func(k int) (err error) {
		each[k],
			err = inspect(h, references, files[k], work)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, i := range each {
		if i.Points > 0 {
			all = append(all, i)
		} else {
			h.Log(message.Warning, i.Path+": it has no points and is left out")
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the files have no points")
	}
	return all, nil
}

// describePlan returns a plan with options, model, layout and dimensions, and its filter.
func describePlan(h host.Host, given *job.Options, classDimension string, all []*inspected) (*plan,
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
	p := &plan{Version: planVersion, Software: filter.Software(), Options: given.Given,
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
		p.Sources = append(p.Sources, i.source)
		p.Points += i.Points
		y = append(y, i.least[1], i.most[1])
	}
	p.Middle = (slices.Min(y) + slices.Max(y)) / 2
	scale, err := all[0].reference.Local(y, func(text string) { h.Log(message.Warning, text) }).Scale(nil)
	if err != nil {
		return nil, nil, err
	}
	metres := scale(p.Middle)
	p.Unit, p.Up = metres[0], metres[2]
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
	for _, i := range all {
		if i.most[2]-i.least[2] > widest/p.Up {
			h.Log(message.Warning,
				fmt.Sprintf("%s: Z from %v to %v by its header: if points of a tile lie more than 21 km "+
					"apart, the run fails; remove such points first, for example with filters.range", i.Path,
					i.least[2], i.most[2]))
		}
	}
	for a, metres := range [3]float64{p.Unit, p.Unit, p.Up} {
		for _, i := range all {
			least[a], most[a] = min(least[a], i.least[a]), max(most[a], i.most[a])
		}
		least[a], most[a] = least[a]*metres, most[a]*metres
	}
	e.Origin, e.Corner = neighbor.OriginOf(least, most), [2]float64(least[:2])
	return nil
}

// grid sets the grid and its tiles.
func (p *plan) grid(want Lengths) error {
	all, area := p.Sources[0].box(), 0.0
	for k := range p.Sources {
		b := p.Sources[k].box()
		all, area = enclosing(all, b), area+(b.East-b.West)*(b.North-b.South)
	}
	l, merging := want.choose(&p.Shared, float64(p.Points)/math.Max(1, area*p.Unit*p.Unit))
	p.Shared.Halo = merging / p.Unit
	if n := area * p.Unit * p.Unit / (l.Tile * l.Tile); n > float64(p.Points) {
		return fmt.Errorf(
			"option tile: %v m makes %.0f tiles of %s; take larger tiles, or remove points far from "+
				"all others, with filters.outlier", l.Tile, n, message.Count(p.Points, "point"))
	}
	var err error
	if p.Grid, err = tile.NewGrid(all.West, all.South, all.East, all.North, l.Tile/p.Unit,
		l.Halo/p.Unit); err != nil {
		return fmt.Errorf(
			"%w; the sources lie within X %v to %v, Y %v to %v: if that is too much, a point is an outlier, "+
				"and filters.outlier removes it", err, all.West, all.East, all.South, all.North)
	}
	if p.Tiles, err = findTiles(&p.Grid, p.Sources); err == nil && p.positions != nil {
		p.dropEmptyTiles()
	}
	return err
}

// dropEmptyTiles removes the tiles without a point in their core: one point far from all others makes the
// bounds of its source reach over hundreds of them.
func (p *plan) dropEmptyTiles() {
	occupied := map[[2]int]bool{}
	slack := p.Grid.Size / 1000
	for i, x := range p.positions.X {
		y := p.positions.Y[i]
		west, south := p.Grid.At(x-slack, y-slack) // positions of other readers may be rounded otherwise
		east, north := p.Grid.At(x+slack, y+slack)
		for _, tile := range [][2]int{{west, south}, {west, north}, {east, south}, {east, north}} {
			occupied[tile] = true
		}
	}
	p.Tiles = slices.DeleteFunc(p.Tiles,
		func(t plannedTile) bool { return !occupied[[2]int{t.Column, t.Row}] })
	for k := range p.Tiles {
		p.Tiles[k].Index = k
	}
}

// checkNew returns the text of a folder's plan. It fails if a folder without one has files of the names that
// a survey makes.
func checkNew(folder string) (text []byte, err error) {
	if text, err = os.ReadFile(filepath.Join(folder, planFile)); !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	names := []string{"out"}
	for _, s := range Steps() {
		names = append(names, s.Name)
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return nil, cmp.Or(err, fmt.Errorf("%s exists, and a survey makes it; plan in another folder",
				path))
		}
	}
	return nil, nil
}

// inspected is a source with the metadata that pdal reports without reading its points.
type inspected struct {
	source
	about       *pdalprocess.Schema
	reference   georef.Reference
	least, most [3]float64 // bounds in the header
}

// inspect returns the metadata of a file, with the content and the stamp that it had.
func inspect(h host.Host, references command.References, path, work string) (i *inspected, err error) {
	err = job.Pin(work, []string{path}, func(inputs []job.Pinned) (err error) {
		i, err = inspectPinned(h, references, path, inputs[0])
		return err
	})
	return i, err
}

func inspectPinned(h host.Host, references command.References, path string, input job.Pinned) (
	*inspected, error) {
	m, err := pdalprocess.Summarise(h.Context(), input.Read)
	if err == nil && m.Lattice == nil {
		err = errors.New(
			"surveys are of LAS, LAZ and COPC; convert it first, with pdal translate, extra_dims=all of " +
				"writers.las, and scale_x, scale_y and scale_z as fine as its coordinates")
	}
	if err != nil {
		return nil, err
	}
	b := m.Bounds
	i := &inspected{
		source: source{Path: path, Identity: input.Identity, Points: m.Points,
			Bounds: [4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}},
		about: m,
		least: [3]float64{b.MinX, b.MinY, b.MinZ}, most: [3]float64{b.MaxX, b.MaxY, b.MaxZ},
	}
	if i.reference, err = m.Reference(h); err == nil {
		i.reference, i.SRS, err = references.Of(h, i.reference)
	}
	if err != nil {
		return nil, err
	}
	if !(b.MinX <= b.MaxX && b.MinY <= b.MaxY) || math.IsInf(b.MaxX-b.MinX+b.MaxY-b.MinY, 0) {
		return nil, fmt.Errorf("its header has invalid bounds %v; rewrite the file with pdal translate",
			i.Bounds)
	}
	i.roundBounds()
	return i, nil
}

// roundBounds rounds the bounds to the scale and offset: they are then those of its points, also if the
// header has the bounds of the coordinates before they were rounded. The origin of positions depends on them.
func (i *inspected) roundBounds() {
	for k := range 3 {
		i.least[k], i.most[k] = i.about.Lattice.Round(i.least[k], k), i.about.Lattice.Round(i.most[k], k)
	}
}

// compatible fails if sources cannot be one cloud: if two have the same content, or if spatial references
// differ, cannot be used, or are geographic.
func compatible(h host.Host, all []*inspected) error {
	path := map[string]string{}
	for _, s := range all {
		if other, twice := path[s.Content]; twice {
			return fmt.Errorf("%s and %s have the same points; leave one of them out", other, s.Path)
		}
		path[s.Content] = s.Path
	}
	for _, s := range all {
		_, geographic, err := s.reference.Unit()
		err = cmp.Or(err, layers.CheckReference(h, s.Path, s.reference, all[0].Path, all[0].reference))
		if err != nil {
			return message.File(s.Path, err)
		}
		if geographic {
			return fmt.Errorf("%s is in degrees, and tiles are squares of metres; reproject the files "+
				"(filters.reprojection)", s.Path)
		}
	}
	return nil
}

// available returns the dimensions that all sources have, and the dimension of classes if
// any source has it; it is 0 in the others.
func available(all []*inspected, classes string) (names []string) {
	count := map[string]int{}
	for _, s := range all {
		for _, name := range s.about.Names() {
			count[name]++
			if (count[name] == len(all) || name == classes) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// findTiles returns the tiles in whose core a source may have points, with the sources that
// touch the tile with its halo.
func findTiles(g *tile.Grid, sources []source) (all []plannedTile, err error) {
	slack := g.Size / 1000 // bounds in headers may be rounded
	type seen struct {
		used    bool
		sources []int
	}
	found, looked := map[[2]int]*seen{}, 0
	for k := range sources {
		b := sources[k].box().Grow(slack)
		west, south := g.At(b.West-g.Halo-g.Size, b.South-g.Halo-g.Size)
		east, north := g.At(b.East+g.Halo+g.Size, b.North+g.Halo+g.Size)
		if looked += (east - west + 1) * (north - south + 1); looked > 16*tile.MaxTiles {
			return nil, fmt.Errorf("the sources lie in more than %d tiles of size %v; use larger tiles",
				tile.MaxTiles, g.Size)
		}
		for row := south; row <= north; row++ {
			for column := west; column <= east; column++ {
				core, at := g.Core(column, row), [2]int{row, column}
				if !touches(b, core.Grow(g.Halo)) {
					continue
				}
				t := found[at]
				if t == nil {
					t = &seen{}
					found[at] = t
				}
				t.sources = append(t.sources, k)
				t.used = t.used || touches(b, core)
			}
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(found),
		func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		if t := found[at]; t.used {
			all = append(all, plannedTile{Index: len(all), Column: at[1], Row: at[0], Sources: t.sources})
		}
	}
	return all, nil
}

// Lengths of a survey's tiles in metres; 0 = choose.
type Lengths struct {
	Tile float64 // side of a tile
	Halo float64 // width of the halo
}

const (
	tilePointsDefault = 4e6  // in a tile's core, if no side is given
	tilesPerHalo      = 4    // smallest side of a tile, in halos
	widest            = 21e3 // metres between points of a tile with its halo
	largestTile       = 15e3 // metres, if no side is given
	// default halo to embed points, in spacings, in addition to what the model reads
	embedHalo   = 16.0
	minHalo     = 1.0   // metres
	coarsenHalo = 100.0 // default halo to coarsen and refine, in spacings
	reach       = 8.0   // spacings; longer edges are listed for all tiles
	haloGrowth  = 1.5   // factor by which a halo that is too narrow is widened
)

// choose returns the lengths, with defaults for a density in points per square metre, and
// merging, the halo of coarsening and refinement.
func (l Lengths) choose(e *shared, density float64) (chosen Lengths, merging float64) {
	chosen = Lengths{l.Tile, roundUp(max(minHalo, embedHalo*e.Spacing+e.Wide))}
	if merging = l.Halo; merging == 0 {
		merging = roundUp(coarsenHalo * e.Spacing)
	}
	if l.Halo > 0 {
		chosen.Halo = min(chosen.Halo, max(l.Halo, e.Wide)) // else all points near the border need discs
	}
	if l.Tile > 0 {
		chosen.Halo = min(chosen.Halo, l.Tile/2)
	} else {
		chosen.Tile = roundUp(max(min(math.Sqrt(tilePointsDefault/density), largestTile),
			tilesPerHalo*chosen.Halo))
	}
	return chosen, merging
}

// roundUp rounds up to two digits.
func roundUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	text := strconv.FormatFloat(math.Ceil(v/unit-1e-9)*unit, 'g', 2, 64)
	v, _ = strconv.ParseFloat(text, 64)
	return v
}
