// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"superpoint/filter/message"
	"superpoint/partition/base/arrays"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/land/extraction"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/planar"
	"superpoint/pipelines/superpointstats"
)

// WindowLimits are the limits of windows. If the tiles have more points than Points, they are read twice:
// first one by one, then in windows of some tiles and a margin around them. The objects of a window are those
// whose highest point is in its tiles. If one of them has points outside the window's extent, or nearer to
// its border than the guard where tiles continue beyond, the window is read again with twice the margin.
// Objects are therefore the same as if all tiles were read at once, except that whether two crowns are merged
// can depend on points outside the extent.
type WindowLimits struct {
	Points int     // largest number of points in the tiles of a window of several tiles
	Margin float64 // metres around the tiles of a window at first
	Guard  float64 // smallest distance of a complete object from points outside the extent, metres
	// largest raster of the tiles of a window of several tiles: tiles may be far from one another
	Cells int
}

// part holds some points of a tile, on the lattice of place() decimals.
type part struct {
	At         []image.Point
	Z          []float64 // metres
	Confidence []float32 // ClassConfidence; empty if a file has none
	Owner      []int32   // superpoint of the tile, −1 for none
	Kind       []extraction.Kind
	Class      []float64 // of each superpoint
	Size       []int32   // points of each superpoint in the whole tile
}

// tile is an input file, or one of its parts that are far from one another.
type tile struct {
	path   string
	part   int
	points int
	Area   image.Rectangle
	kept   *part // all points, or nil if they have to be read again
}

// stepsIn returns the lattice steps in a length in metres.
func (o *Finding) stepsIn(metres float64) image.Point {
	return image.Pt(int(metres/o.Stride[0]), int(metres/o.Stride[1]))
}

// loaded is a file that was read, or why it could not be.
type loaded struct {
	columns *command.Columns
	err     error
}

// load reads the columns of a file.
func (o *Finding) load(path string) (l loaded) {
	l.columns, l.err = o.Load(path, []string{o.Class}, []string{command.ConfidenceDimension})
	return l
}

// tileReader makes tiles of files.
type tileReader struct {
	*Finding
	first    string    // file with points; others may lack a reference
	spacings []float64 // of the points of tiles with superpoints
	points   int       // that are near others
}

// readTiles reads every file once. While the points of one become tiles, the next one is read.
func (o *Finding) readTiles(paths []string) error {
	r := tileReader{Finding: o}
	reading := o.Run("reading tiles")
	reading.Progress(0)
	next := o.load(paths[0])
	for k, path := range paths {
		now, failed := next, error(nil)
		next = loaded{}
		steps := []func(){func() {
			failed = r.add(path, now)
			now = loaded{} // before one thread reads the next file
			arrays.Collect()
		}}
		if k+1 < len(paths) {
			steps = append(steps, func() { next = o.load(paths[k+1]) })
		}
		err := reading.Quiet().ForEach(len(steps), 1, func(step int) { steps[step]() })
		if err := cmp.Or(failed, err); err != nil {
			return err
		}
		if r.points > o.WindowLimits.Points && len(paths) > 1 {
			o.forgetPoints()
		}
		reading.Progress(float64(k+1) / float64(len(paths)))
	}
	if r.first == "" {
		return fmt.Errorf("%s: the input has no points; name another", paths[0])
	}
	if len(r.spacings) == 0 {
		return o.nothingFound(paths[0])
	}
	o.spaced = arrays.Median(r.spacings)
	return nil
}

// add makes tiles of the points of a file.
func (r *tileReader) add(path string, file loaded) error {
	c := file.columns
	switch {
	case file.err != nil && r.Skip != nil:
		return r.Skip(path, file.err)
	case file.err != nil:
		return file.err
	}
	if r.first == "" {
		r.reference = c.Reference
	}
	if len(c.X) == 0 {
		return nil
	}
	r.first = cmp.Or(r.first, path)
	if err := layers.CheckReference(r.Host, path, c.Reference, r.first, r.reference); err != nil {
		return err
	}
	spacings, points, err := r.addTiles(path, c)
	r.spacings = append(r.spacings, spacings...)
	r.points += points
	return err
}

// forgetPoints releases the points of tiles, which windows read again.
func (o *Finding) forgetPoints() {
	for _, t := range o.Tiles {
		t.kept = nil
	}
}

// nothingFound is the error for tiles without superpoints.
func (o *Finding) nothingFound(path string) error {
	if o.Segmented {
		return fmt.Errorf("%s: no point is in the polygons of option area; correct them, or leave it out",
			path)
	}
	return o.NoSuperpoints(path)
}

// addTiles adds the parts of a file to the tiles. It returns the spacings of those with superpoints, and the
// number of points that are near others.
func (o *Finding) addTiles(path string, c *command.Columns) (spacings []float64, points int, err error) {
	if o.Metres == [3]float64{} {
		if err := o.scaleBy(path, c); err != nil {
			return nil, 0, err
		}
	}
	o.classified = o.classified || c.Dimensions[command.ConfidenceDimension] != nil
	near := o.near(c)
	for k, part := range near {
		t, spacing, err := o.tileOf(path, k, part)
		if err != nil {
			return nil, 0, err
		}
		spacings = append(spacings, spacing...)
		points += t.points
		o.Tiles = append(o.Tiles, t)
	}
	o.Far += len(c.X) - points
	o.OnFile(path, c, near)
	return spacings, points, nil
}

// tileOf returns part k of a file as a tile, and the spacing of its points; none if it has no superpoints.
func (o *Finding) tileOf(path string, k int, c *command.Columns) (t *tile, spacing []float64, err error) {
	p, groups, err := o.convert(path, c)
	if err != nil {
		return nil, nil, err
	}
	if groups.Len() > 0 {
		if err := o.Measure(path, c, groups, nil); err != nil {
			return nil, nil, err
		}
		spacing = []float64{o.Spacing()}
		o.Release()
	}
	return &tile{path: path, part: k, points: len(p.At), Area: planar.Bounds(p.At...), kept: p}, spacing, nil
}

// scaleBy sets the lattice of coordinates, and its steps in metres at the mean latitude of a file.
func (o *Finding) scaleBy(path string, c *command.Columns) error {
	scale, err := c.Reference.Scale(func(text string) {
		if !o.Segmented {
			o.Host.Log(message.Warning, path+": "+text)
		}
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for many := true; many; { // the second time without the points that are far from all others
		o.Metres = scale((slices.Min(c.Y) + slices.Max(c.Y)) / 2)
		o.decimals = layers.Decimals(o.Metres[1])
		for axis := range o.Stride {
			o.Stride[axis] = o.Metres[axis] / math.Pow10(o.decimals)
		}
		near := o.near(c)
		many, c = len(near[0].X) < len(c.X), near[0]
	}
	return nil
}

// near returns the columns of a file without the points far from all others. Components are returned one by
// one if a raster of all of them would be too large.
func (o *Finding) near(c *command.Columns) (parts []*command.Columns) {
	points := planar.Near(c.X, c.Y, c.Z, [3]float64{o.Metres[0], o.Metres[1]})
	if len(points) > 1 {
		all := slices.Concat(points...)
		var box image.Rectangle
		for _, i := range all {
			cell := planar.Lattice(c.X[i]*o.Metres[0], c.Y[i]*o.Metres[1], 1/extraction.CanopyCell)
			box = box.Union(planar.One(cell))
		}
		if float64(box.Dx())*float64(box.Dy()) <= float64(o.WindowLimits.Cells) {
			slices.Sort(all)
			points = [][]int32{all}
		}
	}
	for _, some := range points {
		parts = append(parts, c.Part(some))
	}
	return parts
}

// convert returns the points of a file.
func (o *Finding) convert(path string, c *command.Columns) (*part, *superpointstats.Groups, error) {
	groups, err := superpointstats.Group(o.Id, c.Dimensions[o.Id])
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	p := &part{
		At:    make([]image.Point, len(c.X)),
		Z:     make([]float64, len(c.X)),
		Owner: slices.Clone(groups.Of),
	}
	if p.Class, _, err = groups.Majority(o.Run("classes"), c.Dimensions[o.Class]); err != nil {
		return nil, nil, err
	}
	if p.Kind, err = o.kinds(p.Class); err != nil {
		return nil, nil, err
	}
	for k := range groups.Len() {
		p.Size = append(p.Size, int32(len(groups.Points(k))))
	}
	p.removeNoise(c.Dimensions[o.Class], o.noise)
	scale := math.Pow10(o.decimals)
	for i := range c.X {
		p.At[i] = planar.Lattice(c.X[i], c.Y[i], scale)
		p.Z[i] = c.Z[i] * o.Metres[2]
	}
	confidence := c.Dimensions[command.ConfidenceDimension]
	if confidence == nil && !o.NoConfidence {
		o.NoConfidence = true
		if len(o.Tiles) > 0 {
			o.Host.Log(message.Warning,
				fmt.Sprintf("%s: it has no %s; objects are written without confidence", path,
					command.ConfidenceDimension))
		}
	}
	p.Confidence = slices.Grow(p.Confidence, len(confidence))
	for _, v := range confidence {
		p.Confidence = append(p.Confidence, float32(v))
	}
	return p, groups, nil
}

// removeNoise takes the points of noise out of their superpoints, so that a bird above a crown is not its
// top, and a point below the ground is not the ground where no point is. A superpoint of noise stays if an
// option says that its class is ground, buildings or trees.
func (p *part) removeNoise(class []float64, noise []int) {
	for i, code := range class {
		owner := p.Owner[i]
		if owner < 0 || !slices.Contains(noise, int(code)) {
			continue
		}
		isMeant := p.Class[owner] == code && p.Kind[owner] != extraction.Other
		if isMeant {
			continue
		}
		p.Owner[i] = -1
		p.Size[owner]--
	}
}

// selected returns the points at the positions for which keep is true.
func (p *part) selected(keep func(at image.Point) bool) *part {
	some := &part{Kind: p.Kind, Class: p.Class, Size: p.Size}
	for i, at := range p.At {
		if !keep(at) {
			continue
		}
		some.At = append(some.At, at)
		some.Z = append(some.Z, p.Z[i])
		some.Owner = append(some.Owner, p.Owner[i])
		if len(p.Confidence) > 0 {
			some.Confidence = append(some.Confidence, p.Confidence[i])
		}
	}
	return some
}

// inside returns the points of a tile in an extent.
func (o *Finding) inside(t *tile, extent image.Rectangle) (*part, error) {
	p := t.kept
	if p == nil {
		c, err := o.Load(t.path, []string{o.Class}, []string{command.ConfidenceDimension})
		if err != nil {
			return nil, err
		}
		if p, _, err = o.convert(t.path, o.near(c)[t.part]); err != nil {
			return nil, err
		}
	}
	if t.Area.In(extent) {
		return p, nil
	}
	return p.selected(func(at image.Point) bool { return at.In(extent) }), nil
}

// Windows groups the tiles, in their order, by windows within WindowLimits, or of one tile.
func (o *Finding) Windows() (all [][]int) {
	points := 0
	area := image.Rectangle{}
	for k, t := range o.Tiles {
		points += t.points
		area = area.Union(t.Area)
		cells := float64(area.Dx()) / float64(o.steps.X) * float64(area.Dy()) / float64(o.steps.Y)
		isFull := points > o.WindowLimits.Points || cells > float64(o.WindowLimits.Cells)
		if k == 0 || isFull {
			all = append(all, nil)
			points = t.points
			area = t.Area
		}
		all[len(all)-1] = append(all[len(all)-1], k)
	}
	return all
}

// window holds the points of the tiles in an extent.
type window struct {
	*part
	of      []int // tile of each range of points; the ranges begin at first
	first   []int
	extent  image.Rectangle
	partial []image.Rectangle // of the tiles near the extent that are not entirely in it
	missing []int32           // points of each superpoint outside the extent
}

// gather returns the points in an extent, in the order of the tiles.
func (o *Finding) gather(extent image.Rectangle) (*window, error) {
	w, beyond := &window{part: new(part), extent: extent},
		planar.Grown(extent, o.stepsIn(o.WindowLimits.Guard))
	for k, t := range o.Tiles {
		if t.Area.Overlaps(beyond) && !t.Area.In(extent) {
			w.partial = append(w.partial, t.Area)
		}
		if !t.Area.Overlaps(extent) {
			continue
		}
		p, err := o.inside(t, extent)
		if err != nil {
			return nil, err
		}
		w.of, w.first = append(w.of, k), append(w.first, len(w.At))
		before := int32(len(w.Kind))
		w.At, w.Z, w.Confidence = append(w.At, p.At...), append(w.Z, p.Z...),
			append(w.Confidence, p.Confidence...)
		w.Kind, w.Class, w.Size = append(w.Kind, p.Kind...), append(w.Class, p.Class...),
			append(w.Size, p.Size...)
		w.Owner = slices.Grow(w.Owner, len(p.Owner))
		for _, s := range p.Owner {
			if s >= 0 {
				s += before
			}
			w.Owner = append(w.Owner, s)
		}
	}
	w.missing = w.Size
	for _, s := range w.Owner {
		if s >= 0 {
			w.missing[s]--
		}
	}
	return w, nil
}

// tileOf returns the tile of a point.
func (w *window) tileOf(i uint32) int {
	k, exact := slices.BinarySearch(w.first, int(i))
	if !exact {
		k--
	}
	return w.of[k]
}

// complete reports whether an object's superpoints are entirely in the extent, and no point of a tile outside
// the extent can be within the given steps of the object.
func (w *window) complete(x *extraction.Object, steps image.Point) bool {
	if len(w.partial) == 0 {
		return true
	}
	safe := planar.Grown(w.extent, steps.Mul(-1))
	for _, i := range x.Points {
		if w.missing[w.Owner[i]] > 0 {
			return false
		}
		if at := w.At[i]; !at.In(safe) {
			near := planar.Grown(planar.One(at), steps)
			if slices.ContainsFunc(w.partial, near.Overlaps) {
				return false
			}
		}
	}
	return true
}

// edge returns 1 if an object is within a cell of the edge of the union of the tiles' areas, else 0.
func (o *Finding) edge(w *window, x *extraction.Object) float64 {
	for _, i := range x.Points {
		for _, to := range [4]image.Point{{o.steps.X, 0}, {-o.steps.X, 0}, {0, o.steps.Y}, {0, -o.steps.Y}} {
			at := w.At[i].Add(to)
			if !slices.ContainsFunc(w.of, func(k int) bool { return at.In(o.Tiles[k].Area) }) {
				return 1
			}
		}
	}
	return 0
}
