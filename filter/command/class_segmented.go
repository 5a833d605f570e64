package command

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"superpoint/embed/classes"
	"superpoint/filter"
	"superpoint/partition/metrics"
)

// segmented is a file's superpoints as a classifier sees them.
type segmented struct {
	ids       []uint32 // of the rows
	features  *classes.Features
	p, hidden []float32 // of a model
	points    *classes.Superpoints

	columns *Columns
	id      []uint32 // of each point
	reach   float64  // spacing of the points in units of X and Y
}

// readSegmented reads a file that has superpoints, and what a model makes of them.
func readSegmented(host Host, path, id string, threads int, m *classes.Model) (*segmented, error) {
	wanted := append([]string{id}, classes.Dimensions()...)
	for k := range m.Card.Embedding.Dim {
		wanted = append(wanted, fmt.Sprint("Embedding", k))
	}
	c, err := host.Read(path, wanted)
	if err != nil {
		return nil, err
	}
	values := c.Dimensions[id]
	if values == nil {
		return nil, fmt.Errorf("%s: dimension %q is missing; make superpoints first, with pdal superpoint segment IN OUT",
			path, id)
	}
	run := filter.Run{Context: host.Context(), Step: host.Progress}
	w, err := filter.NewWorkspace(run, c.View(), classes.ShapeNeighbors, threads, host.Log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	embedding, dim := embeddingOf(c, m.Card.Embedding.Dim)
	if dim == 0 && m.Card.Embedding.Dim > 0 {
		host.Log(filter.LogWarning, fmt.Sprintf("%s has no embedding of %d columns; the classes do without", path,
			m.Card.Embedding.Dim))
	}
	scale, err := c.Reference.Scale(func(string) {})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := &segmented{columns: c, reach: w.Spacing() / scale(c.Y[0])[1]}
	ids, err := metrics.IDs(id, values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; name another with --id", path, err)
	}
	s.id = ids
	if s.points, s.ids, err = w.ClassInput(ids, dim, embedding); err != nil {
		return nil, err
	}
	p := w.Parallel(run)
	if s.features, err = classes.Describe(p, s.points, m.Card.Embedding.Dim); err != nil {
		return nil, err
	}
	graph, err := classes.NewGraph(p, s.points, s.features)
	if err != nil {
		return nil, err
	}
	s.p, s.hidden, err = m.Probabilities(p, s.features, graph)
	return s, err
}

// labels returns the labels of superpoints that the file has.
func (s *segmented) labels(path string, labelled *given) (all []classes.Label, err error) {
	label := maps.Clone(labelled.superpoint)
	for _, p := range labelled.places {
		id, err := s.seen(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if other, twice := label[id]; twice && other != p.code {
			return nil, fmt.Errorf("%s: superpoint %d is labelled %d and %d (at %v, %v); leave one, or make smaller superpoints",
				path, id, other, p.code, p.x, p.y)
		}
		label[id] = p.code
	}
	for row, id := range s.ids {
		if code, ok := label[id]; ok {
			all = append(all, classes.Label{Row: row, Code: code})
		}
	}
	if len(all) < len(label) {
		for id := range label {
			if _, found := slices.BinarySearch(s.ids, id); !found {
				return nil, fmt.Errorf("%s has no superpoint %d, which the labels name; use the file that they were made on", path,
					id)
			}
		}
	}
	return all, nil
}

// seen returns the superpoint that is seen from above at a place: that of the
// highest point within a spacing, or of the nearest within four.
func (s *segmented) seen(p place) (uint32, error) {
	best, near := -1, math.Inf(1)
	highest, top := -1, math.Inf(-1)
	for i, x := range s.columns.X {
		if s.id[i] == 0 {
			continue
		}
		d := math.Hypot(x-p.x, s.columns.Y[i]-p.y)
		if d < near {
			best, near = i, d
		}
		if d <= s.reach && s.columns.Z[i] > top {
			highest, top = i, s.columns.Z[i]
		}
	}
	switch {
	case highest >= 0:
		return s.id[highest], nil
	case near <= 4*s.reach:
		return s.id[best], nil
	}
	return 0, fmt.Errorf("no point is near the label at %v, %v; labels are in the coordinates of the cloud", p.x, p.y)
}

// embeddingOf returns the embedding of every point, number of points × dim; dim is 0
// if a column is missing.
func embeddingOf(c *Columns, dim int) (rows []float32, found int) {
	rows = make([]float32, len(c.X)*dim)
	for k := range dim {
		values := c.Dimensions[fmt.Sprint("Embedding", k)]
		if values == nil {
			return nil, 0
		}
		for i, v := range values {
			rows[i*dim+k] = float32(v)
		}
	}
	return rows, dim
}
