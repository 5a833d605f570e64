package survey

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"superpoint/filter"
	"superpoint/filter/child"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/records"
	"superpoint/partition/tile"
)

// extent is the area of a source: its bounds or, if these are far too large for its number
// of points, the cells that have points.
type extent struct {
	boxes []tile.Box
	area  float64 // of the boxes, in square units
}

// If the mean distance of points within their bounds exceeds sparse, in metres, one stray
// point may have extended the bounds.
const (
	sparse   = 10.0
	cellEdge = 50.0 // metres
)

// extents returns the extents of the sources.
func (p *plan) extents(h host.Host, folder string) ([]extent, error) {
	all := make([]extent, len(p.Sources))
	for k := range p.Sources {
		s := &p.Sources[k]
		b := tile.Box{West: s.Bounds[0], South: s.Bounds[1], East: s.Bounds[2], North: s.Bounds[3]}
		e := extent{[]tile.Box{b}, (b.East - b.West) * (b.North - b.South)}
		if !s.Direct && e.area*p.Unit*p.Unit > sparse*sparse*float64(s.Points) {
			var err error
			if e, err = p.occupied(h, folder, s); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Path, err)
			}
			h.Log(filter.LogWarning, fmt.Sprintf("%s: %s within %.4g × %.4g m; tiles are planned only where there "+
				"are points. If some are stray, filters.outlier removes them",
				s.Path, message.Count(s.Points, "point"), (b.East-b.West)*p.Unit, (b.North-b.South)*p.Unit))
		}
		all[k] = e
	}
	return all, nil
}

// occupied reads a source and returns its cells that have points.
func (p *plan) occupied(h host.Host, folder string, s *source) (e extent, err error) {
	path := filepath.Join(folder, "occupied.las")
	defer os.Remove(path)
	if err := child.Pipeline(h.Context(), s.reader(nil), p.Layout.writer(path, "")); err != nil {
		return e, err
	}
	l, err := records.Read(path)
	if err != nil {
		return e, err
	}
	edge := max(cellEdge/p.Unit, (s.Bounds[2]-s.Bounds[0])/(1<<30), (s.Bounds[3]-s.Bounds[1])/(1<<30))
	seen, order := map[[2]int64]bool{}, [][2]int64(nil)
	err = l.Each(func(_ int, record []byte) error {
		x, y := l.Position(records.XYZ(record))
		cell := [2]int64{int64(math.Floor((x - s.Bounds[0]) / edge)), int64(math.Floor((y - s.Bounds[1]) / edge))}
		if !seen[cell] {
			seen[cell], order = true, append(order, cell)
		}
		return nil
	})
	for _, cell := range order {
		b := tile.Box{West: s.Bounds[0] + float64(cell[0])*edge, South: s.Bounds[1] + float64(cell[1])*edge}
		b.East, b.North = b.West+edge, b.South+edge
		e.boxes = append(e.boxes, b)
		e.area += edge * edge
	}
	return e, err
}
