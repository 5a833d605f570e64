package command

import (
	"fmt"
	"math"
	"slices"

	"superpoint/filter"
	"superpoint/filter/census"
	"superpoint/filter/objects"
)

// box is the rectangle of a file's points in X and Y.
type box struct{ low, high [2]float64 }

func boxOf(c *Columns) box {
	b := box{[2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}}
	for i := range c.X {
		for axis, v := range [2]float64{c.X[i], c.Y[i]} {
			b.low[axis], b.high[axis] = min(b.low[axis], v), max(b.high[axis], v)
		}
	}
	return b
}

func (b box) contains(x, y float64) bool {
	return x >= b.low[0] && x <= b.high[0] && y >= b.low[1] && y <= b.high[1]
}

// together reads tiles as one cloud and measures its superpoints. A superpoint is of
// one tile: equal ids of two tiles are two superpoints. It returns each tile's box.
// Wanted dimensions that a tile lacks are left out of all.
func (s *superpoints) together(paths, needed, wanted []string) ([]box, error) {
	all := &Columns{Dimensions: map[string][]float64{}}
	var boxes []box
	ids := 0.0
	for k, path := range paths {
		c, err := s.load(path, needed, wanted)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			all.Reference = c.Reference
		} else if !oneReference(all.Reference, c.Reference) {
			return nil, fmt.Errorf("%s: its spatial reference (%s) is not that of %s (%s); reproject one of them first with "+
				"filters.reprojection", path, referenceName(c.Reference), paths[0], referenceName(all.Reference))
		}
		c.Dimensions[s.id], ids = renumbered(c.Dimensions[s.id], ids)
		s.append(path, all, c, k == 0)
		boxes = append(boxes, boxOf(c))
	}
	return boxes, s.use(paths[0], all)
}

// append adds a tile's points.
func (s *superpoints) append(path string, all, c *Columns, first bool) {
	all.X, all.Y, all.Z = append(all.X, c.X...), append(all.Y, c.Y...), append(all.Z, c.Z...)
	if first {
		all.Dimensions = c.Dimensions
		return
	}
	for name, values := range all.Dimensions {
		if c.Dimensions[name] == nil && len(c.X) > 0 {
			s.host.Log(filter.LogWarning, fmt.Sprintf("%s: it has no %s, which is left out of all files", path, name))
			delete(all.Dimensions, name)
			continue
		}
		all.Dimensions[name] = append(slices.Clip(values), c.Dimensions[name]...)
	}
}

// renumbered gives ids above 0 new numbers, by first point, that go on after last, and
// returns the largest. What is no id stays, for Group to refuse.
func renumbered(id []float64, last float64) ([]float64, float64) {
	id, number := slices.Clone(id), map[float64]float64{}
	for i, v := range id {
		if v <= 0 || v != math.Trunc(v) || v > math.MaxUint32 {
			continue
		}
		n, known := number[v]
		if !known {
			last++
			n = last
			number[v] = n
		}
		id[i] = n
	}
	return id, last
}

// use takes columns and measures their superpoints.
func (s *superpoints) use(path string, c *Columns) (err error) {
	s.columns = c
	if s.groups, err = census.Group(c.Dimensions[s.id]); err != nil {
		return fmt.Errorf("%s: dimension %s: %w", path, s.id, err)
	}
	if s.groups.Len() == 0 {
		return fmt.Errorf("%s: no point has an id above 0 in dimension %s", path, s.id)
	}
	if s.scale, err = c.Reference.Scale(func(text string) { s.host.Log(filter.LogWarning, text) }); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.forms, err = s.groups.Forms(s.run("measuring"), c.X, c.Y, c.Z, s.scale)
	return err
}

// edge is 1 if an object comes within a cell of the edge of what the tiles cover.
func (o *finding) edge(x *objects.Object) float64 {
	reach := [2]float64{}
	for axis, steps := range o.steps {
		reach[axis] = float64(steps) / math.Pow10(o.place())
	}
	for _, i := range x.Points {
		for _, to := range [4][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			at := [2]float64{o.columns.X[i] + to[0]*reach[0], o.columns.Y[i] + to[1]*reach[1]}
			if !slices.ContainsFunc(o.tiles, func(b box) bool { return b.contains(at[0], at[1]) }) {
				return 1
			}
		}
	}
	return 0
}
