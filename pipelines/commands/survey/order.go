package survey

import (
	"fmt"
	"strconv"

	"superpoint/filter/records"
)

// tileOrder has the tile of each point of a source, as runs of consecutive points in one tile.
type tileOrder struct{ Tile, Count []uint32 }

func (o *tileOrder) add(n int) {
	if last := len(o.Tile) - 1; last >= 0 && o.Tile[last] == uint32(n) {
		o.Count[last]++
		return
	}
	o.Tile, o.Count = append(o.Tile, uint32(n)), append(o.Count, 1)
}

func (o *tileOrder) arrays() []any { return []any{&o.Tile, &o.Count} }

// writeOrder writes the tileOrder of source k and counts its points by tile.
func (v *Survey) writeOrder(k int, o *tileOrder, m *Mark) error {
	for i, n := range o.Tile {
		m.Cores[strconv.Itoa(int(n))] += int(o.Count[i])
	}
	_, err := v.save(m, v.file("cut", k, "order"), o.arrays())
	return err
}

// writeSourceOrder writes the points of source k in the order of the source. In a tile they
// are consecutive and have the same order, so each tile is read sequentially.
func (v *Survey) writeSourceOrder(k int, raw string, m *Mark) error {
	cut, _, err := v.marks("cut")
	if err != nil {
		return err
	}
	o := new(tileOrder)
	if err := readArrays(v.file("cut", k, "order"), o.arrays()); err != nil {
		return err
	}
	from := map[uint32]*records.Reader{}
	defer func() {
		for _, r := range from {
			r.Close()
		}
	}()
	var w *records.Writer
	for i, n := range o.Tile {
		r := from[n]
		if r == nil {
			if r, err = v.readTile(int(n), k, cut); err != nil {
				return err
			}
			from[n] = r
		}
		if w == nil {
			if w, err = records.NewWriter(raw, r.File.Head); err != nil {
				return err
			}
			defer w.Discard()
		}
		for range o.Count[i] {
			record, err := r.Next()
			if err == nil {
				err = w.Append(record)
			}
			if err != nil {
				return err
			}
		}
	}
	sum, count := w.Sum()
	m.Sum, m.Points = uint32(sum), int64(count)
	return w.Close()
}

// readTile opens the labelled points of tile n at the first of source k.
func (v *Survey) readTile(n, k int, cut []*Mark) (*records.Reader, error) {
	l, err := records.Read(v.file("label", n, "las"))
	if err != nil {
		return nil, err
	}
	before, all := 0, 0
	for _, j := range v.plan.Tiles[n].Sources {
		count := cut[j].Cores[strconv.Itoa(n)]
		if all += count; j < k {
			before += count
		}
	}
	if all != l.Count {
		return nil, damaged(l.Path, fmt.Errorf("%d points instead of %d", l.Count, all))
	}
	return l.From(before)
}
