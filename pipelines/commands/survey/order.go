// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"strconv"

	"superpoint/pipelines/files/las"
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

// labelledRows reads the outputs of the points of a source in its order. In a tile the points of a source are
// consecutive and have the order of the source, so each tile is read sequentially.
type labelledRows struct {
	*Survey
	source int
	cut    []*Mark
	order  tileOrder
	from   map[uint32]*las.Reader // of tiles
	run    int                    // of consecutive points in one tile
	done   uint32                 // points of the run
}

// labelled returns the rows of source k.
func (v *Survey) labelled(k int) (p *labelledRows, err error) {
	p = &labelledRows{Survey: v, source: k, from: map[uint32]*las.Reader{}}
	if p.cut, _, err = v.marks("cut"); err != nil {
		return nil, err
	}
	return p, readArrays(v.file("cut", k, "order"), p.order.arrays())
}

// next returns the next row.
func (p *labelledRows) next() ([]byte, error) {
	for p.run < len(p.order.Count) && p.done == p.order.Count[p.run] {
		p.run, p.done = p.run+1, 0
	}
	if p.run == len(p.order.Count) {
		return nil, fmt.Errorf("the tiles have fewer points than %s; plan again", p.plan.Sources[p.source].Path)
	}
	p.done++
	n := p.order.Tile[p.run]
	if p.from[n] == nil {
		r, err := p.readTile(int(n), p.source, p.cut)
		if err != nil {
			return nil, err
		}
		p.from[n] = r
	}
	return p.from[n].Next()
}

func (p *labelledRows) close() {
	for _, r := range p.from {
		r.Close()
	}
}

// readTile opens the rows of tile n at the first of source k.
func (v *Survey) readTile(n, k int, cut []*Mark) (*las.Reader, error) {
	l, err := las.Read(v.file("label", n, "las"))
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
