package survey

import (
	"github.com/golang/geo/r3"

	"superpoint/embed"
	"superpoint/filter/records"
	"superpoint/partition/tile"
)

// gatherWide collects what a tile sees beyond what its sources were cut for, from what
// they were cut into for the tiles where that lies, and the cells of the ground that
// this reads; nil if there is nothing.
func (v *Survey) gatherWide(t *planned, path string, see *view) (*records.File, *embed.Cells, error) {
	var w *records.Writer
	boxes := map[box]inBox{}
	for n := range v.plan.Tiles {
		other := &v.plan.Tiles[n]
		// within the bounds, for tiles on the rim have no end
		if !see.touchesAny(within(v.plan.Grid.Core(other.Column, other.Row), see.bounds)) {
			continue
		}
		near := *other // of its sources only those that matter, for others may be damaged
		near.Sources = nil
		for _, k := range other.Sources {
			b := v.plan.Sources[k].Bounds
			box := tile.Box{West: b[0], South: b[1], East: b[2], North: b[3]}
			if see.touchesAny(box.Grow(v.plan.Exact.width()/v.plan.Unit + v.plan.Grid.Size/1000)) {
				near.Sources = append(near.Sources, k)
			}
		}
		if err := v.cutFor(&near); err != nil {
			return nil, nil, err
		}
		if err := v.addSlices(&near, see, path, &w); err != nil {
			if w != nil {
				w.Discard()
			}
			return nil, nil, err
		}
		if err := v.cellsOf(&near, boxes); err != nil {
			return nil, nil, err
		}
	}
	if w == nil {
		return nil, nil, nil
	}
	if err := w.Close(); err != nil {
		return nil, nil, err
	}
	l, err := records.Read(path)
	return l, v.cellsFor(boxes), err
}

// within returns the part of a box that another one has.
func within(b, other tile.Box) tile.Box {
	return tile.Box{West: max(b.West, other.West), South: max(b.South, other.South), East: min(b.East, other.East),
		North: min(b.North, other.North)}
}

// addSlices appends those of the core's points of a tile that are seen, and all above
// and below those that are near a place.
func (v *Survey) addSlices(t *planned, see *view, path string, w **records.Writer) error {
	g := &v.plan.Grid
	core := g.Core(t.Column, t.Row)
	columns := map[[2]int64]bool{}
	for pass := range 2 {
		for _, k := range t.Sources {
			l, err := v.readSlice(t.Index, k)
			if err != nil {
				return err
			}
			if l == nil {
				continue
			}
			if pass == 1 && *w == nil {
				if *w, err = records.NewWriter(path, l.Head); err != nil {
					return err
				}
			}
			err = l.Each(func(_ int, record []byte) error {
				p := records.XYZ(record)
				x, y := l.Position(p)
				seen := see.box.Contains(x, y)
				if seen && pass == 0 || !core.Contains(x, y) {
					return nil
				}
				column := v.columnAt(x, y)
				if pass == 0 {
					z := float64(p[2])*l.Scale[2] + l.Offset[2]
					if see.within(r3.Vector{X: x * see.unit, Y: y * see.unit, Z: z * see.vertical}) {
						columns[column] = true
					}
					return nil
				}
				if seen || columns[column] {
					return (*w).Append(record)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// columnAt returns the cell of a position by which points get their IDs.
func (v *Survey) columnAt(x, y float64) (cell [2]int64) {
	cells := v.plan.cells()
	for a, at := range [2]float64{x, y} {
		cell[a] = cells.At(units(at, v.plan.Unit) - units(v.plan.Exact.Origin[a], 1))
	}
	return cell
}
