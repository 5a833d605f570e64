package command

import (
	"fmt"
	"slices"

	"superpoint/embed/classes"
	"superpoint/filter"
)

// segmented is a file's superpoints as a classifier sees them.
type segmented struct {
	ids       []uint32 // of the rows
	features  *classes.Features
	p, hidden []float32 // of a model
	points    *classes.Superpoints
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
		return nil, fmt.Errorf("%s: dimension %q is missing; give the file superpoints with superpoint segment first", path,
			id)
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
	s := new(segmented)
	ids := make([]uint32, len(values))
	for i, v := range values {
		ids[i] = uint32(max(v, 0))
	}
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
func (s *segmented) labels(path string, label map[uint32]int) (all []classes.Label, err error) {
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
