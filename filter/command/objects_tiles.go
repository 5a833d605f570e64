package command

import (
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"superpoint/embed/atomicfile"
	"superpoint/filter"
	"superpoint/filter/batch"
	"superpoint/filter/census"
	"superpoint/filter/objects"
	"superpoint/filter/planar"
	"superpoint/partition/arrays"
)

// Tiles are read twice where all of them would take too much memory: first each by itself, then in windows of some
// tiles and what lies around them. An object is of the window that has its highest point. If it comes near the
// border of what the window sees, the window is made again with more around it, so objects are those of all tiles
// read at once; only decisions between crowns may depend on what lies farther away.
type sight struct {
	points int     // of the tiles of a window, unless one tile has more
	around float64 // metres seen around a window at first
	guard  float64 // metres that an object keeps from the border of what is seen
}

func farSighted() sight { return sight{1 << 24, 100, 25} }

// part is points of a tile, on the lattice of place() decimals.
type part struct {
	At    []planar.Cell
	Z     []float64 // metres
	Sure  []float32 // ClassConfidence; empty without
	Owner []int32   // superpoint of the tile, −1 for none
	Index []uint32  // of each point in the tile; nil = its place here
	Kind  []objects.Kind
	Class []float64 // of each superpoint
	Size  []int32   // points of each superpoint in the tile, here or not
}

// tile is a file.
type tile struct {
	path   string
	points int
	area   area
	kept   *part  // all points, or nil if they have to be read again
	rim    string // file of the points within sight.around of the tile's border, or ""
}

// area is a rectangle of the lattice, its borders included.
type area struct{ low, high planar.Cell }

// areaOf returns the area of points, of which there is one at least.
func areaOf(at []planar.Cell) area {
	a := area{at[0], at[0]}
	for _, c := range at {
		a = a.with(area{c, c})
	}
	return a
}

func (a area) with(b area) area {
	return area{planar.Cell{Column: min(a.low.Column, b.low.Column), Row: min(a.low.Row, b.low.Row)},
		planar.Cell{Column: max(a.high.Column, b.high.Column), Row: max(a.high.Row, b.high.Row)}}
}

// grown returns the area with so many steps more on every side.
func (a area) grown(steps [2]int64) area {
	return area{planar.Cell{Column: a.low.Column - steps[0], Row: a.low.Row - steps[1]},
		planar.Cell{Column: a.high.Column + steps[0], Row: a.high.Row + steps[1]}}
}

func (a area) contains(c planar.Cell) bool {
	return c.Column >= a.low.Column && c.Column <= a.high.Column && c.Row >= a.low.Row && c.Row <= a.high.Row
}

func (a area) within(b area) bool { return b.contains(a.low) && b.contains(a.high) }

func (a area) meets(b area) bool {
	return a.low.Column <= b.high.Column && b.low.Column <= a.high.Column &&
		a.low.Row <= b.high.Row && b.low.Row <= a.high.Row
}

// stepsIn returns the lattice steps in a length in metres.
func (o *finding) stepsIn(metres float64) [2]int64 {
	return [2]int64{int64(metres / o.stride[0]), int64(metres / o.stride[1])}
}

// readTiles reads every file once. near is the folder for what does not stay in memory, which done removes.
func (o *finding) readTiles(paths []string, near string) (done func(), err error) {
	var spacings []float64
	total := 0
	done = func() {}
	if o.points != "" {
		if o.aside, done, err = atomicfile.Workspace(near); err != nil {
			return done, err
		}
	}
	for k, path := range paths {
		c, err := o.load(path, []string{o.class}, []string{confidenceDimension})
		if err != nil {
			return done, err
		}
		if k == 0 {
			o.reference = c.Reference
		} else if !sameReference(o.reference, c.Reference) {
			return done, fmt.Errorf("%s: its spatial reference (%s) is not that of %s (%s); reproject one of them first with "+
				"filters.reprojection", path, referenceName(c.Reference), paths[0], referenceName(o.reference))
		}
		if len(c.X) == 0 {
			continue
		}
		if o.metres == [3]float64{} {
			if err := o.scaleBy(path, c); err != nil {
				return done, err
			}
		}
		p, groups, err := o.convert(path, c)
		if err != nil {
			return done, err
		}
		if groups.Len() > 0 {
			if err := o.measure(path, c, groups, nil); err != nil {
				return done, err
			}
			spacings = append(spacings, o.spacing())
		}
		o.each(c)
		t := &tile{path: path, points: len(p.At), area: areaOf(p.At), kept: p}
		o.tiles = append(o.tiles, t)
		if total += t.points; total <= o.sight.points || len(paths) == 1 {
			continue
		}
		if o.aside == "" {
			if o.aside, done, err = atomicfile.Workspace(near); err != nil {
				return done, err
			}
		}
		for n, t := range o.tiles {
			if err := o.putAside(t, filepath.Join(o.aside, fmt.Sprint(n))); err != nil {
				return done, err
			}
		}
	}
	if len(spacings) == 0 {
		return done, fmt.Errorf("%s: no point has an id above 0 in dimension %s", paths[0], o.id)
	}
	o.spaced = arrays.Median(spacings)
	return done, nil
}

// scaleBy takes the lattice and its lengths from the middle of a file.
func (o *finding) scaleBy(path string, c *Columns) error {
	scale, err := c.Reference.Scale(func(text string) { o.host.Log(filter.LogWarning, text) })
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	o.metres = scale((slices.Min(c.Y) + slices.Max(c.Y)) / 2)
	o.decimals = decimals(o.metres[1])
	for axis := range o.stride {
		o.stride[axis] = o.metres[axis] / math.Pow10(o.decimals)
	}
	return nil
}

// convert returns the points of a file.
func (o *finding) convert(path string, c *Columns) (*part, *census.Groups, error) {
	groups, err := census.Group(c.Dimensions[o.id])
	if err != nil {
		return nil, nil, fmt.Errorf("%s: dimension %s: %w", path, o.id, err)
	}
	p := &part{At: make([]planar.Cell, len(c.X)), Z: make([]float64, len(c.X)), Owner: groups.Of}
	if p.Class, _, err = groups.Majority(o.run("classes"), c.Dimensions[o.class]); err != nil {
		return nil, nil, err
	}
	if p.Kind, err = o.kinds(p.Class); err != nil {
		return nil, nil, err
	}
	for k := range groups.Len() {
		p.Size = append(p.Size, int32(len(groups.Points(k))))
	}
	scale := math.Pow10(o.decimals)
	for i := range c.X {
		p.At[i] = planar.Cell{Column: int64(math.Round(c.X[i] * scale)), Row: int64(math.Round(c.Y[i] * scale))}
		p.Z[i] = c.Z[i] * o.metres[2]
	}
	sure := c.Dimensions[confidenceDimension]
	if sure == nil && !o.unsure {
		o.unsure = true
		if len(o.tiles) > 0 {
			o.host.Log(filter.LogWarning, fmt.Sprintf("%s: it has no %s, which is left out of all files", path,
				confidenceDimension))
		}
	}
	for _, v := range sure {
		p.Sure = append(p.Sure, float32(v))
	}
	return p, groups, nil
}

// putAside keeps a tile's points near its border in a file, and no others.
func (o *finding) putAside(t *tile, path string) error {
	if t.kept == nil {
		return nil
	}
	inner := t.inner(o)
	rim := t.kept.only(func(at planar.Cell) bool { return !inner.contains(at) })
	t.kept, t.rim = nil, path
	return atomicfile.Write(path, func(w io.Writer) error { return gob.NewEncoder(w).Encode(rim) })
}

// inner is the area without its rim.
func (t *tile) inner(o *finding) area {
	steps := o.stepsIn(o.sight.around)
	return t.area.grown([2]int64{-steps[0], -steps[1]})
}

// only returns the points at some places.
func (p *part) only(keep func(at planar.Cell) bool) *part {
	some := &part{Kind: p.Kind, Class: p.Class, Size: p.Size}
	for i, at := range p.At {
		if !keep(at) {
			continue
		}
		some.At, some.Z, some.Owner = append(some.At, at), append(some.Z, p.Z[i]), append(some.Owner, p.Owner[i])
		some.Index = append(some.Index, p.index(i))
		if len(p.Sure) > 0 {
			some.Sure = append(some.Sure, p.Sure[i])
		}
	}
	return some
}

func (p *part) index(i int) uint32 {
	if p.Index == nil {
		return uint32(i)
	}
	return p.Index[i]
}

// inside returns the points of a tile in an area, all of them if the tile lies in it.
func (o *finding) inside(t *tile, seen area) (*part, error) {
	p := t.kept
	if inner := t.inner(o); p == nil && t.rim != "" && !(inner.meets(seen) && inner.low.Column <= inner.high.Column &&
		inner.low.Row <= inner.high.Row) {
		f, err := os.Open(t.rim)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		p = new(part)
		if err := gob.NewDecoder(f).Decode(p); err != nil {
			return nil, err
		}
	} else if p == nil {
		c, err := o.load(t.path, []string{o.class}, []string{confidenceDimension})
		if err != nil {
			return nil, err
		}
		if p, _, err = o.convert(t.path, c); err != nil {
			return nil, err
		}
	}
	if t.area.within(seen) {
		return p, nil
	}
	return p.only(seen.contains), nil
}

// windows divides the tiles, in their order.
func (o *finding) windows() (all [][]int) {
	points := 0
	for k, t := range o.tiles {
		if points += t.points; k == 0 || points > o.sight.points {
			all, points = append(all, nil), t.points
		}
		all[len(all)-1] = append(all[len(all)-1], k)
	}
	return all
}

// window is what is seen of the tiles at once.
type window struct {
	*part
	of     []int // the tile of each of the ranges that begin at first
	first  []int
	seen   area
	cut    []area  // of tiles that continue beyond what is seen
	unseen []int32 // points of each superpoint that are not seen
}

// look gathers the points in an area, in the order of the tiles.
func (o *finding) look(seen area) (*window, error) {
	w, beyond := &window{part: new(part), seen: seen}, seen.grown(o.stepsIn(o.sight.guard))
	for k, t := range o.tiles {
		if t.area.meets(beyond) && !t.area.within(seen) {
			w.cut = append(w.cut, t.area)
		}
		if !t.area.meets(seen) {
			continue
		}
		p, err := o.inside(t, seen)
		if err != nil {
			return nil, err
		}
		w.of, w.first = append(w.of, k), append(w.first, len(w.At))
		before := int32(len(w.Kind))
		w.At, w.Z, w.Sure = append(w.At, p.At...), append(w.Z, p.Z...), append(w.Sure, p.Sure...)
		w.Kind, w.Class, w.Size = append(w.Kind, p.Kind...), append(w.Class, p.Class...), append(w.Size, p.Size...)
		for i, s := range p.Owner {
			if s >= 0 {
				s += before
			}
			w.Owner, w.Index = append(w.Owner, s), append(w.Index, p.index(i))
		}
	}
	w.unseen = w.Size
	for _, s := range w.Owner {
		if s >= 0 {
			w.unseen[s]--
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

// complete reports whether all of an object's superpoints are seen, and nothing near it is not.
func (w *window) complete(x *objects.Object, steps [2]int64) bool {
	if len(w.cut) == 0 {
		return true
	}
	sure := w.seen.grown([2]int64{-steps[0], -steps[1]})
	for _, i := range x.Points {
		if w.unseen[w.Owner[i]] > 0 {
			return false
		}
		if at := w.At[i]; !sure.contains(at) {
			near := area{at, at}.grown(steps)
			if slices.ContainsFunc(w.cut, near.meets) {
				return false
			}
		}
	}
	return true
}

// edge is 1 if an object comes within a cell of the edge of what the tiles cover.
func (o *finding) edge(w *window, x *objects.Object) float64 {
	for _, i := range x.Points {
		for _, to := range [4][2]int64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			at := planar.Cell{Column: w.At[i].Column + to[0]*o.steps[0], Row: w.At[i].Row + to[1]*o.steps[1]}
			if w.tileAt(o, at) {
				continue
			}
			return 1
		}
	}
	return 0
}

// tileAt reports whether a tile of the window covers a place.
func (w *window) tileAt(o *finding, at planar.Cell) bool {
	return slices.ContainsFunc(w.of, func(k int) bool { return o.tiles[k].area.contains(at) })
}

// mark notes the objects of points, for annotate.
func (o *finding) mark(w *window, all []object) error {
	if o.points == "" {
		return nil
	}
	marks := map[int][]uint32{} // of a tile: index and serial number, in turn
	for k := range all {
		o.serial++
		all[k].serial = o.serial
		for _, i := range all[k].Points {
			t := w.tileOf(i)
			marks[t] = append(marks[t], w.Index[i], o.serial)
		}
	}
	for t, numbers := range marks {
		path := filepath.Join(o.aside, fmt.Sprintf("marks%d_%d", t, o.serial))
		err := atomicfile.Write(path, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, numbers) })
		if err != nil {
			return err
		}
		o.marked[t] = append(o.marked[t], path)
	}
	return nil
}

// annotate writes the tiles with the numbers of objects.
func (o *finding) annotate() error {
	id := make([]uint32, o.serial+1)
	for k := range o.buildings {
		id[o.buildings[k].serial] = o.number(true, k)
	}
	for k := range o.trees {
		id[o.trees[k].serial] = o.number(false, k)
	}
	for k, t := range o.tiles {
		o.host.Progress("points with their objects", float64(k)/float64(len(o.tiles)))
		values, le := make([]uint32, t.points), binary.LittleEndian
		for _, path := range o.marked[k] {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for ; len(text) >= 8; text = text[8:] {
				values[le.Uint32(text)] = id[le.Uint32(text[4:])]
			}
		}
		if err := batch.Annotate(o.host, t.path, o.annotated[t.path], objectDimension, values); err != nil {
			return err
		}
	}
	o.host.Progress("points with their objects", 1)
	return nil
}
