// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"strconv"

	"superpoint/pipelines/files/las"
)

// labelledRows reads the outputs of the points of a source in its order. In a tile the points of a source are
// consecutive and have the order of the source, so each tile is read sequentially.
type labelledRows struct {
	*Survey
	source int
	cut    []*Mark
	from   map[int]*las.Reader // of tiles
}

// labelled returns the rows of source k.
func (v *Survey) labelled(k int) (*labelledRows, error) {
	cut, _, err := v.marks("cut")
	return &labelledRows{Survey: v, source: k, cut: cut, from: map[int]*las.Reader{}}, err
}

// next returns the next row of tile n.
func (p *labelledRows) next(n int) (_ []byte, err error) {
	if p.from[n] == nil {
		if p.from[n], err = p.readTile(n); err != nil {
			return nil, err
		}
	}
	return p.from[n].Next()
}

func (p *labelledRows) close() {
	for _, r := range p.from {
		r.Close()
	}
}

// readTile opens the rows of tile n at the first of the source.
func (p *labelledRows) readTile(n int) (*las.Reader, error) {
	l, err := las.Read(p.file("label", n, "las"))
	if err != nil {
		return nil, err
	}
	before, all := 0, 0
	for _, j := range p.plan.Tiles[n].Sources {
		count := p.cut[j].Cores[strconv.Itoa(n)]
		if all += count; j < p.source {
			before += count
		}
	}
	if all != l.Count {
		return nil, damaged(l.Path, fmt.Errorf("%d points instead of %d", l.Count, all))
	}
	return l.From(before)
}
