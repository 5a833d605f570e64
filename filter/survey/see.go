package survey

import (
	"fmt"
	"math"

	"superpoint/filter/records"
	"superpoint/partition/tile"
)

// view is what a tile sees.
type view struct {
	box    tile.Box
	unit   float64
	bounds tile.Box // of all sources
}

// see returns what a tile sees with a halo.
func (v *Survey) see(t *planned, halo float64) *view {
	g := &v.plan.Grid
	s := &view{box: g.Core(t.Column, t.Row).Grow(halo), unit: v.plan.Unit, bounds: tile.Box{West: math.Inf(1),
		South: math.Inf(1), East: math.Inf(-1), North: math.Inf(-1)}}
	for i := range v.plan.Sources {
		b := v.plan.Sources[i].Bounds
		s.bounds = tile.Box{West: min(s.bounds.West, b[0]), South: min(s.bounds.South, b[1]),
			East: max(s.bounds.East, b[2]), North: max(s.bounds.North, b[3])}
	}
	s.bounds = s.bounds.Grow(g.Size / 1000) // as headers may be rounded
	return s
}

// rim returns how far it is from a place to where the view ends, in metres;
// beyond the survey's bounds it does not.
func (s *view) rim(x, y float64) float64 {
	rim := math.Inf(1)
	for _, side := range []struct {
		open bool
		rim  float64
	}{
		{s.box.West > s.bounds.West, x - s.box.West}, {s.box.East < s.bounds.East, s.box.East - x},
		{s.box.South > s.bounds.South, y - s.box.South}, {s.box.North < s.bounds.North, s.box.North - y},
	} {
		if side.open {
			rim = min(rim, side.rim)
		}
	}
	return rim * s.unit
}

// gatherWide collects what a tile sees with a halo that is wider than that which
// sources are cut for; nil if there is nothing.
func (v *Survey) gatherWide(t *planned, path string, halo float64) (*records.File, error) {
	box := v.plan.Grid.Core(t.Column, t.Row).Grow(halo)
	var w *records.Writer
	for k := range v.plan.Sources {
		b := v.plan.Sources[k].Bounds
		if !touches(tile.Box{West: b[0], South: b[1], East: b[2], North: b[3]}.Grow(v.plan.Grid.Size/1000), box) {
			continue
		}
		raw := fmt.Sprintf("%s-%d.las", path, k)
		var part *tile.Box
		if v.plan.Sources[k].Direct {
			part = &box
		}
		if err := v.decode(k, part, raw); err != nil {
			return nil, err
		}
		l, err := records.Read(raw)
		if err != nil {
			return nil, err
		}
		if w == nil {
			if w, err = records.NewWriter(path, l.Head); err != nil {
				return nil, err
			}
			defer w.Discard()
		}
		if err := l.Each(func(_ int, record []byte) error {
			if x, y := l.Position(records.XYZ(record)); !box.Contains(x, y) {
				return nil
			}
			return w.Append(record)
		}); err != nil {
			return nil, err
		}
	}
	if w == nil {
		return nil, nil
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return records.Read(path)
}
