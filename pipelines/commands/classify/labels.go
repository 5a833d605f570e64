// SPDX-License-Identifier: BSD-3-Clause

package classify

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter"
	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
)

// labelColumns are the names of the column of labels, the preferred first.
var labelColumns = []string{"label", "class"}

// labelSet has the labels of a user: of superpoints, and of points on the map.
type labelSet struct {
	Superpoint map[uint32]int // class code by id
	Places     []LabelledPoint
}

// LabelledPoint is a labelled point of a vector layer, in the coordinates of the cloud.
type LabelledPoint struct {
	X, Y float64
	Code int
}

// readLabels reads labels from a CSV table or a vector layer: a column label (or class)
// with the code or name of a class, and a column id of the superpoint. Without id, points
// label the superpoint that is visible from above. Rows without a label are ignored.
func readLabels(host command.Host, path string, known []classes.Class) (*labelSet, error) {
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("option labels: %w", err)
		}
		defer file.Close()
		labels, err := ParseLabels(file, known)
		if err != nil {
			err = fmt.Errorf("option labels: %s: %w", path, err)
		}
		return labels, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("option labels: %w", err)
	}
	folder, done, err := atomicfile.Workspace(os.TempDir())
	if err != nil {
		return nil, err
	}
	defer done()
	table := filepath.Join(folder, "points.csv")
	if host.Convert(path, table, "-f", "CSV", "-lco", "GEOMETRY=AS_XY") != nil { // polygons, for GDAL 3.10
		table = filepath.Join(folder, "labels.csv")
		if err := host.Convert(path, table, "-f", "CSV"); err != nil {
			return nil, fmt.Errorf("option labels: %s: %w", path, err)
		}
	}
	labels, err := readLabels(host, table, known)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), table, path))
	}
	return labels, nil
}

// labelTable has the indices of columns, −1 for none.
type labelTable struct{ id, x, y, class int }

// findColumns finds the columns of a table of labels.
func findColumns(head []string) (t labelTable, err error) {
	for i := range head {
		head[i] = strings.ToLower(strings.Trim(head[i], "\ufeff "))
	}
	t = labelTable{slices.Index(head, "id"), slices.Index(head, "x"), slices.Index(head, "y"), -1}
	for _, name := range labelColumns {
		if t.class < 0 {
			t.class = slices.Index(head, name)
		}
	}
	if t.class < 0 || t.id < 0 && (t.x < 0 || t.y < 0) {
		return t, fmt.Errorf("it has the columns %s; it needs label or class, and id, or points (x and y)",
			strings.Join(head, ", "))
	}
	return t, nil
}

// ParseLabels reads a CSV table of labels. Its columns are separated by the first comma, semicolon or tab of the first
// line: spreadsheets of many languages write semicolons.
func ParseLabels(from io.Reader, known []classes.Class) (*labelSet, error) {
	text := bufio.NewReader(from)
	start, _ := text.Peek(4096)
	table := csv.NewReader(text)
	if at := bytes.IndexAny(start, ",;\t\n"); at >= 0 && start[at] != '\n' {
		table.Comma = rune(start[at])
	}
	head, err := table.Read()
	if err != nil {
		return nil, fmt.Errorf("it is not a table: %w", err)
	}
	at, err := findColumns(head)
	if err != nil {
		return nil, err
	}
	g := &labelSet{Superpoint: map[uint32]int{}}
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(row[at.class]) == "" {
			continue
		}
		line, _ := table.FieldPos(0)
		if err := g.add(row, at, known); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if len(g.Superpoint)+len(g.Places) == 0 {
		return nil, errors.New("it has no labels")
	}
	return g, nil
}

// Add adds a row that has a label.
func (g *labelSet) add(row []string, at labelTable, known []classes.Class) error {
	code, err := classCode(strings.TrimSpace(row[at.class]), known)
	if err != nil {
		return err
	}
	if at.id < 0 {
		x, errX := strconv.ParseFloat(strings.TrimSpace(row[at.x]), 64)
		y, errY := strconv.ParseFloat(strings.TrimSpace(row[at.y]), 64)
		if errX != nil || errY != nil {
			return fmt.Errorf("%q, %q is not a position; label points, or add a column id to polygons", row[at.x], row[at.y])
		}
		g.Places = append(g.Places, LabelledPoint{x, y, code})
		return nil
	}
	id, err := strconv.ParseFloat(strings.TrimSpace(row[at.id]), 64) // vector formats may write 6.0
	if err != nil || id < 1 || id != float64(uint32(id)) {
		return fmt.Errorf("%q is not the id of a superpoint", row[at.id])
	}
	if other, twice := g.Superpoint[uint32(id)]; twice && other != code {
		return fmt.Errorf("superpoint %v is %d here and %d before", id, code, other)
	}
	g.Superpoint[uint32(id)] = code
	return nil
}

// classCode parses the code of a class, its name in the classifier, or that of legends and reports.
func classCode(text string, known []classes.Class) (int, error) {
	for _, c := range known {
		if strings.EqualFold(c.Name, text) || strings.EqualFold(classes.Name(c.Code), text) {
			return c.Code, nil
		}
	}
	code, err := strconv.ParseFloat(text, 64) // vector formats may write 6.0
	if err != nil || code != float64(uint8(code)) {
		var names []string
		for _, c := range known {
			names = append(names, fmt.Sprintf("%s (%d)", c.Name, c.Code))
		}
		return 0, fmt.Errorf("%q is not a class; give a code from 0 to 255, or one of %s", text, strings.Join(names, ", "))
	}
	return int(code), nil
}

// classifierInput holds the superpoints of a file as the input of a classifier.
type classifierInput struct {
	ids       []uint32 // of the superpoints, ascending
	features  *classes.Features
	p, hidden []float32 // probabilities and hidden layer of a model, by superpoint
	points    *classes.Superpoints

	columns *command.Columns
	id      []uint32 // of each point
	reach   float64  // spacing of the points in units of X and Y
}

// readSegmented reads a file with superpoints and applies a model to them.
func readSegmented(host command.Host, path, id string, threads int, m *classes.Model) (*classifierInput, error) {
	wanted := append([]string{id}, filter.ClassInputs()...)
	for k := range m.Card.Embedding.Dim {
		wanted = append(wanted, fmt.Sprint("Embedding", k))
	}
	c, err := host.Read(path, wanted)
	if err != nil {
		return nil, err
	}
	values := c.Dimensions[id]
	if values == nil {
		return nil, fmt.Errorf("%s: dimension %q is missing; compute superpoints first, with pdal superpoint segment IN OUT",
			path, id)
	}
	run := filter.Run{Context: host.Context(), Step: host.Progress}
	w, err := filter.NewWorkspace(run, c.View(), classes.ShapeNeighbors, threads, host.Log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	embedding, dim := readEmbedding(c, m.Card.Embedding.Dim)
	if dim == 0 && m.Card.Embedding.Dim > 0 {
		host.Log(filter.LogWarning, fmt.Sprintf("%s has no embedding of %d columns; classes are computed without it",
			path, m.Card.Embedding.Dim))
	}
	scale, err := c.Reference.Scale(func(string) {})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := &classifierInput{columns: c, reach: w.Spacing() / scale(c.Y[0])[1]}
	ids, err := metrics.IDs(id, values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; name another with --id", path, err)
	}
	s.id = ids
	if s.points, s.ids, err = w.ClassInput(ids, dim, embedding); err != nil {
		return nil, err
	}
	p := w.Parallel(run)
	features, graph, err := classes.Describe(p, s.points, m.Card.Embedding.Dim)
	if err != nil {
		return nil, err
	}
	s.features = features
	s.p, s.hidden, err = m.Probabilities(p, s.features, graph)
	return s, err
}

// labels returns the labels by row of the superpoint. It fails if a label is for a superpoint that the file does
// not have, or if two labels of a superpoint differ.
func (s *classifierInput) labels(path string, labelled *labelSet) (all []classes.Label, err error) {
	label := maps.Clone(labelled.Superpoint)
	for _, p := range labelled.Places {
		id, err := s.superpointAt(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if other, twice := label[id]; twice && other != p.Code {
			return nil, fmt.Errorf("%s: superpoint %d is labelled %d and %d (at %v, %v); leave one, or make smaller superpoints",
				path, id, other, p.Code, p.X, p.Y)
		}
		label[id] = p.Code
	}
	for row, id := range s.ids {
		if code, ok := label[id]; ok {
			all = append(all, classes.Label{Row: row, Code: code})
		}
	}
	if len(all) < len(label) {
		for id := range label {
			if _, found := slices.BinarySearch(s.ids, id); !found {
				return nil, fmt.Errorf("%s has no superpoint %d, but a label for it; use the file that was labelled", path, id)
			}
		}
	}
	return all, nil
}

// superpointAt returns the superpoint that is visible from above at p: that of the
// highest point within one spacing, else of the nearest point within four.
func (s *classifierInput) superpointAt(p LabelledPoint) (uint32, error) {
	best, near := -1, math.Inf(1)
	highest, top := -1, math.Inf(-1)
	for i, x := range s.columns.X {
		if s.id[i] == 0 {
			continue
		}
		d := math.Hypot(x-p.X, s.columns.Y[i]-p.Y)
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
	return 0, fmt.Errorf("no point is near the label at %v, %v; labels are in the coordinates of the cloud", p.X, p.Y)
}

// readEmbedding returns the embedding, number of points × dim; found is dim, or 0 if a
// Column is missing.
func readEmbedding(c *command.Columns, dim int) (rows []float32, found int) {
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
