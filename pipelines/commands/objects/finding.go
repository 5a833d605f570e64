// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/georef"
	"superpoint/filter/land"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/land/extraction"
	"superpoint/pipelines/land/roof"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/planar"
)

// Finding is one run of objects.
type Finding struct {
	*table.Superpoints
	settings     extraction.Settings
	WindowLimits WindowLimits
	Cell         float64 // metres; 0 = the point spacing
	Far          int     // points far from all others of their file, which are in no object
	// Skip is called with a file that cannot be read, and its error. The file is left out unless it returns
	// an error. nil: the error ends the run.
	Skip func(path string, err error) error
	// OnFile is called once for every file, with all points and with the parts without points far from all
	// others.
	OnFile  func(path string, c *command.Columns, near []*command.Columns)
	classes []*objectClasses
	noise   []int // class codes of points that are in no object

	reference     georef.Reference
	Segmented     bool        // the files were segmented before, with warnings
	Metres        [3]float64  // metres per unit of X, Y and Z
	Stride        [2]float64  // metres per step of the lattice of coordinates
	decimals      int         // of coordinates on the lattice
	spaced        float64     // point spacing in X and Y, metres
	steps         image.Point // lattice steps in a cell
	NoConfidence  bool        // a file has no ClassConfidence
	minConfidence float64     // smallest mean ClassConfidence of an object
	anyObject     bool        // a superpoint has a class of buildings or vegetation
	classified    bool        // a file has classes that were computed, with their confidence
	codes         []float64   // classes of superpoints
	Tiles         []*tile

	Buildings, Trees []Mapped // sorted by the positions of their tops, from the south-west
}

// Mapped is a building or a tree of the map.
type Mapped struct {
	extraction.Object             // Points is nil
	at                image.Point // position of its top
	z                 float64     // Z of its top, metres
	peak              image.Point // position of its peak, which decides its tile and its number
	peakZ             float64     // Z of its peak, metres
	Origin            image.Point // of its outline, lattice steps
	points            int
	class             float64
	Edge              float64
	Confidence        float64 // mean; 0 without
}

// Reference returns the spatial reference of the files.
func (o *Finding) Reference() georef.Reference { return o.reference }

// PointSpacing returns the point spacing in X and Y in metres, the median of the files.
func (o *Finding) PointSpacing() float64 { return o.spaced }

// Doubtful reports whether a building is of low confidence, or small and of rather low confidence: most such
// polygons are vans, hedges and walls.
func (m *Mapped) Doubtful() bool {
	return m.Outline != nil && (m.Confidence < 0.6 || m.Confidence < 0.75 && m.Area < 25)
}

// Place writes the position of its top to 0.1 m.
func (m *Mapped) Place(o *Finding) string {
	digits, scale := max(0, o.decimals-2), math.Pow10(-o.decimals)
	return fmt.Sprintf("%.*f %.*f", digits, float64(m.at.X)*scale, digits, float64(m.at.Y)*scale)
}

// objectClasses are the class codes of one kind of object, and their option.
type objectClasses struct {
	kind                extraction.Kind
	codes, option, help string
}

// NewFinding returns a run for the class codes of ASPRS.
func NewFinding(s *table.Superpoints) *Finding {
	return &Finding{
		Superpoints:  s,
		settings:     extraction.DefaultSettings(),
		WindowLimits: WindowLimits{1 << 24, 100, 25, 1 << 25},
		OnFile:       func(string, *command.Columns, []*command.Columns) {},
		classes: []*objectClasses{
			{extraction.Ground, "2", "ground", "`classes` of the ground"},
			{extraction.Building, "6", "buildings", "`classes` of buildings"},
			{extraction.Vegetation, "3,4,5", "trees", "`classes` of vegetation"},
		},
		noise: []int{classes.Noise, classes.HighNoise},
	}
}

// SetCodes replaces the codes of LAS by others.
func (o *Finding) SetCodes(of func(code int) int) error {
	for _, c := range o.classes {
		codes, err := land.ClassCodes(c.option, c.codes)
		if err != nil {
			return err
		}
		var all []string
		for _, code := range codes {
			all = append(all, strconv.Itoa(of(int(code))))
		}
		c.codes = strings.Join(all, ",")
	}
	for k, code := range o.noise {
		o.noise[k] = of(code)
	}
	return nil
}

// Find reads files and finds their objects. It keeps none of the points.
func (o *Finding) Find(paths []string) error {
	if err := o.readTiles(paths); err != nil {
		return err
	}
	path := paths[0]
	if len(paths) > 1 {
		path = fmt.Sprintf("%s and %d more", path, len(paths)-1)
	}
	if o.Far > 0 {
		o.Host.Log(message.Warning, path+": "+planar.Far(o.Far, "object"))
	}
	if !o.anyObject && !o.Segmented {
		o.Host.Log(message.Warning, path+": "+o.noObjects())
	}
	o.steps, o.Cell = layers.CellSteps(cmp.Or(o.Cell, o.spaced), o.Stride)
	all := o.Windows()
	for k, tiles := range all {
		step := "objects"
		if len(all) > 1 {
			step = fmt.Sprintf("objects, part %d of %d", k+1, len(all))
		}
		if err := o.findIn(o.Run(step), tiles); err != nil {
			return fmt.Errorf("%s: %w", o.Tiles[tiles[0]].path, err)
		}
	}
	o.forgetPoints()
	runtime.GC() // in time for the rasters and pictures of a map
	sortObjects(o.Buildings)
	sortObjects(o.Trees)
	return nil
}

// Found describes the objects.
func (o *Finding) Found() string {
	return message.Count(len(o.Buildings), "building") + ", " + message.Count(len(o.Trees), "tree")
}

// findIn finds the objects whose peaks are in some tiles. It doubles the margin until all of them are
// complete.
func (o *Finding) findIn(run parallel.Run, tiles []int) error {
	core := o.Tiles[tiles[0]].Area
	for _, k := range tiles {
		core = core.Union(o.Tiles[k].Area)
	}
	for margin := o.WindowLimits.Margin; ; margin *= 2 {
		w, err := o.gather(planar.Grown(core, o.stepsIn(margin)))
		if err != nil {
			return err
		}
		found, err := extraction.Find(run, &extraction.Points{
			At: w.At, Z: w.Z, Owner: w.Owner, Kind: w.Kind,
			Step: o.Stride, Cell: o.steps, Spacing: o.spaced, Tiles: o.areas(),
		}, o.settings)
		if err != nil {
			return err
		}
		buildings, complete := o.own(w, tiles, found, found.Buildings)
		trees, treesComplete := o.own(w, tiles, found, found.Trees)
		if complete && treesComplete && o.roofsComplete(w, core, found) {
			o.Buildings = append(o.Buildings, buildings...)
			o.Trees = append(o.Trees, trees...)
			return nil
		}
	}
}

// areas returns the extents of the tiles.
func (o *Finding) areas() (all []image.Rectangle) {
	for _, t := range o.Tiles {
		all = append(all, t.Area)
	}
	return all
}

// roofsComplete reports whether the footprints that cut trees of the core are complete.
func (o *Finding) roofsComplete(w *window, core image.Rectangle, found *extraction.Found) bool {
	guard := o.stepsIn(o.WindowLimits.Guard)
	near := planar.Grown(core, guard)
	for k := range found.Buildings {
		building := &found.Buildings[k]
		if building.Bounds(found.Origin).Overlaps(near) && !w.complete(building, guard) {
			return false
		}
	}
	return true
}

// own returns the objects whose peaks are in some tiles. It returns false if one of them is not complete.
//
// Claim: each object is in one tile. Reason: the peak is the highest of all points, so a part of an object
// that has it has the same peak. A top depends on the outline, which a part does not have.
func (o *Finding) own(w *window, tiles []int, found *extraction.Found, all []extraction.Object) (
	own []Mapped, complete bool) {
	for k := range all {
		x := &all[k]
		if !slices.Contains(tiles, w.tileOf(x.Peak)) {
			continue
		}
		if !w.complete(x, o.stepsIn(o.WindowLimits.Guard)) {
			return nil, false
		}
		made := o.mapped(w, x, found.Origin)
		if o.NoConfidence || made.Confidence >= o.minConfidence {
			own = append(own, made)
		}
	}
	return own, true
}

// mapped returns an object of a window as one of the map, without its points. The roof of a building at the
// edge of the tiles is unknown.
func (o *Finding) mapped(w *window, x *extraction.Object, origin image.Point) Mapped {
	made := Mapped{
		Object: *x,
		at:     w.At[x.Top],
		z:      w.Z[x.Top],
		peak:   w.At[x.Peak],
		peakZ:  w.Z[x.Peak],
		Origin: origin,
		points: len(x.Points),
		class:  w.Class[w.Owner[x.Top]],
		Edge:   o.edge(w, x),
	}
	made.Points = nil
	if !o.NoConfidence {
		made.Confidence = w.meanConfidence(x)
	}
	if made.Edge == 1 {
		made.Roof = roof.Nothing()
	}
	return made
}

// meanConfidence returns the mean ClassConfidence of the points of an object.
func (w *window) meanConfidence(x *extraction.Object) float64 {
	sum := 0.0
	for _, i := range x.Points {
		sum += float64(w.Confidence[i])
	}
	return sum / float64(len(x.Points))
}

// noObjects says that no superpoint has a class of objects, which classes there are, and what to do about it.
func (o *Finding) noObjects() string {
	text := fmt.Sprintf("no superpoint has a class of buildings (%s) or of vegetation (%s) in %s",
		o.classes[1].codes, o.classes[2].codes, o.Class)
	var given []string
	for _, code := range slices.Sorted(slices.Values(o.codes)) {
		if code > classes.Unclassified {
			given = append(given, strconv.FormatFloat(code, 'g', -1, 64))
		}
	}
	if len(given) > 0 {
		text += fmt.Sprintf(", only %s: if one of these is, name it with --buildings or --trees; if they "+
			"are wrong, pdal superpoint segment --class_change all replaces classes that a file has",
			strings.Join(given, ", "))
	}
	switch {
	case !o.classified:
		text += "; pdal superpoint segment --classifier aerial classifies points of class 0 and 1"
	case len(given) == 0:
		text += ": the classifier left all of them unclassified"
	}
	return text
}

func sortObjects(all []Mapped) {
	slices.SortFunc(all, func(a, b Mapped) int {
		return cmp.Or(cmp.Compare(a.peak.Y, b.peak.Y), cmp.Compare(a.peak.X, b.peak.X),
			cmp.Compare(a.peakZ, b.peakZ), cmp.Compare(a.points, b.points))
	})
}

// kinds returns the kind of object of each superpoint, by its most frequent class.
func (o *Finding) kinds(class []float64) ([]extraction.Kind, error) {
	for _, v := range class {
		if !slices.Contains(o.codes, v) {
			o.codes = append(o.codes, v)
		}
	}
	kinds := make([]extraction.Kind, len(class))
	for _, c := range o.classes {
		codes, err := land.ClassCodes(c.option, c.codes)
		if err != nil {
			return nil, err
		}
		for k, v := range class {
			if !slices.ContainsFunc(codes, func(code uint8) bool { return float64(code) == v }) {
				continue
			}
			if kinds[k] != extraction.Other {
				return nil, fmt.Errorf(
					"option %s: class %v is in two of the options ground, buildings and trees", c.option, v)
			}
			kinds[k] = c.kind
			o.anyObject = o.anyObject || c.kind != extraction.Ground
		}
	}
	return kinds, nil
}
