// SPDX-License-Identifier: BSD-3-Clause

package classify

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/cloud"
	"superpoint/filter/message"
	"superpoint/filter/naming"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/textfile"
	"superpoint/pipelines/job"
)

// labelColumns are the names of the column of labels, the preferred first.
var labelColumns = []string{"label", "class"}

// labelSet has the class codes of labelled superpoints by id.
type labelSet map[uint32]int

// readLabels reads labels from a CSV table or a vector layer: a column label (or class) with the code or name
// of a class, and a column id of the superpoint. Rows without a label are ignored. A copy is read, which no
// other program changes.
func readLabels(host command.Host, path string, known []classes.Class) (labelSet, error) {
	folder, done, err := atomicfile.Temporary()
	if err != nil {
		return nil, err
	}
	defer done()
	file, err := job.Copy(folder, path)
	if err != nil {
		return nil, fmt.Errorf("option labels: %w", err)
	}
	table := file.Read
	if !strings.EqualFold(filepath.Ext(path), ".csv") {
		table = filepath.Join(folder, "labels.csv")
		if err := host.Convert(file.Read, table, "-f", "CSV"); err != nil {
			text := strings.ReplaceAll(err.Error(), file.Read, path)
			return nil, fmt.Errorf("option labels: %s: %s", path, text)
		}
	}
	labels, err := readTable(table, known)
	if err != nil {
		return nil, fmt.Errorf("option labels: %s: %w", path, err)
	}
	return labels, nil
}

// readTable reads a CSV table of labels. If it cannot be read, and has text that is not UTF-8, the error says
// so.
func readTable(path string, known []classes.Class) (labelSet, error) {
	text, err := textfile.Read(path)
	if err != nil {
		return nil, err
	}
	labels, err := parseLabels(bytes.NewReader(text), known)
	if err == nil {
		return labels, nil
	}
	if encoded := textfile.CheckUTF8(text); encoded != nil {
		err = fmt.Errorf("%w; %w", err, encoded)
	}
	return nil, err
}

// findColumns returns the indices of the columns of ids and of classes in a table of labels.
func findColumns(head []string) (id, class int, err error) {
	for i := range head {
		head[i] = strings.ToLower(strings.Trim(head[i], "\ufeff "))
	}
	id, class = slices.Index(head, "id"), -1
	for _, name := range labelColumns {
		if class < 0 {
			class = slices.Index(head, name)
		}
	}
	if class < 0 || id < 0 {
		err = fmt.Errorf(
			"it has the columns %s; it needs label or class, and id: points get the id of the superpoint "+
				"below them in QGIS, by Join attributes by location with the polygons of pdal superpoint "+
				"outline",
			strings.Join(head, ", "))
	}
	return id, class, err
}

// parseLabels reads a CSV table of labels. Its columns are separated by the first comma, semicolon or tab of
// the first line: spreadsheets of many languages write semicolons.
func parseLabels(from io.Reader, known []classes.Class) (labelSet, error) {
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
	id, class, err := findColumns(head)
	if err != nil {
		return nil, err
	}
	g := labelSet{}
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(row[class]) == "" {
			continue
		}
		line, _ := table.FieldPos(0)
		if err := g.add(row[id], row[class], known); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if len(g) == 0 {
		return nil, errors.New("it has no labels")
	}
	return g, nil
}

// add adds the label of a superpoint.
func (g labelSet) add(superpoint, class string, known []classes.Class) error {
	code, err := classCode(strings.TrimSpace(class), known)
	if err != nil {
		return err
	}
	id, err := strconv.ParseFloat(strings.TrimSpace(superpoint), 64) // vector formats may write 6.0
	if err != nil || id < 1 || id != float64(uint32(id)) {
		return fmt.Errorf("%q is not the id of a superpoint", superpoint)
	}
	if other, twice := g[uint32(id)]; twice && other != code {
		return fmt.Errorf("superpoint %v is %d here and %d before", id, code, other)
	}
	g[uint32(id)] = code
	return nil
}

// classCode parses the code of a class, its name in the classifier, or its name in legends and reports.
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
		return 0, fmt.Errorf("%q is not a class; give a code from 0 to 255, or one of %s", text,
			strings.Join(names, ", "))
	}
	return int(code), nil
}

// classifierInput holds the superpoints of a file as the input of a classifier.
type classifierInput struct {
	ids       []uint32 // of the superpoints, ascending
	features  *classes.Features
	p, hidden []float32 // probabilities and hidden layer of a model, by superpoint
	points    *classes.Superpoints
	id        []uint32 // of each point

	unlabelled map[int][]classes.Rehearsal // superpoints of classes without a label, after learn
}

// readSegmented reads a file with superpoints and applies a model to them.
func readSegmented(host command.Host, path, id string, threads int, m *classes.Model) (
	*classifierInput, error) {
	wanted := slices.Concat([]string{id}, cloud.ClassInputs(), naming.Embedding(m.Card.Embedding.Dim))
	c, err := host.Read(path, wanted)
	if err != nil {
		return nil, err
	}
	values := c.Dimensions[id]
	if values == nil {
		return nil, fmt.Errorf(
			"%s: dimension %q is missing; compute superpoints first, with pdal superpoint segment IN OUT",
			path, id)
	}
	run := steps.Run{Context: host.Context(), Step: host.Progress}
	w, err := workspace.New(run, c.View(), classes.ShapeNeighbors, threads,
		message.Log(host.Log).Of(filepath.Base(path))) // as segment writes it, to be said once
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	embedding, dim := c.Embedding(m.Card.Embedding.Dim)
	if dim == 0 && m.Card.Embedding.Dim > 0 {
		host.Log(message.Warning,
			fmt.Sprintf("%s has no embedding of %d columns; classes are computed without it",
				path, m.Card.Embedding.Dim))
	}
	s := new(classifierInput)
	if s.id, err = metrics.IDs(id, values); err != nil {
		return nil, fmt.Errorf("%s: %w, with --id", path, err)
	}
	if slices.Max(s.id) == 0 {
		return nil, (&table.Superpoints{Id: id, Producer: "segment"}).NoSuperpoints(path)
	}
	if s.points, s.ids, err = w.ClassInput(s.id, dim, embedding); err != nil {
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

// labels returns the labels by row of the superpoint. It fails if a label is for a superpoint that the file
// does not have.
func (s *classifierInput) labels(path string, label labelSet) (all []classes.Label, err error) {
	for row, id := range s.ids {
		if code, ok := label[id]; ok {
			all = append(all, classes.Label{Row: row, Code: code})
		}
	}
	if len(all) < len(label) {
		for id := range label {
			if _, found := slices.BinarySearch(s.ids, id); !found {
				return nil, fmt.Errorf(
					"%s has no superpoint %d, but a label for it; use the file that was labelled", path, id)
			}
		}
	}
	return all, nil
}
