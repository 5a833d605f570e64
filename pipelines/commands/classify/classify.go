// SPDX-License-Identifier: BSD-3-Clause

// Package classify is the command classify: classes of superpoints from a model or a few labels.
package classify

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/segment"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/layers"
)

const classifyUsage = `[options] --labels LABELS FILE OUTPUT

Classifies a point cloud from the labels of a few of its superpoints. FILE has
the superpoints of pdal superpoint segment. LABELS is a table (.csv) or a vector layer
(.gpkg, .geojson, …) with a column label (or class), the code or name of a class, and a
column id, the superpoint. Rows without a label are ignored. Only the last layer of the
classifier (--classifier) is trained, in seconds; its other classes are kept.

OUTPUT has Classification and ClassConfidence, as with the option classes of the
stage, and superpoints: give the options with which FILE was segmented. If FILE has not
changed since, its superpoints are kept. --save writes the classifier,
for segment --classifier on other files; OUTPUT may then be left out.

  pdal superpoint segment input.laz segmented.laz
  pdal superpoint propose --count 50 segmented.laz next.csv
  pdal superpoint classify --labels labels.csv segmented.laz classified.laz
  pdal superpoint classify --labels labels.gpkg --save my.safetensors segmented.laz classified.laz

The options, including those of the stage:`

// Command is the command classify.
func Command() command.Command {
	return command.Command{Name: "classify", Line: "classes of a cloud from the labels of a few superpoints",
		Usage: classifyUsage, Define: classifyCommand, Bytes: 500}
}

func classifyCommand(a *command.Arguments) func(names []string) error {
	c := &classifying{Arguments: a}
	a.StringVar(&c.base, "classes", "aerial", "base `classifier`: built-in or a file")
	a.StringVar(&c.labels, "labels", "", "`file` of labels: table or vector layer")
	a.StringVar(&c.id, "id", "SuperpointID", "`dimension` of the ids in the labels")
	a.StringVar(&c.save, "save", "", "`file` for the trained classifier")
	a.OutputOption("`file` to write")
	a.StageOptions(command.AllGroups(), "classes")
	a.Reads = []string{"classes", "labels"}
	return c.run
}

// classifying is the command classify with its options.
type classifying struct {
	*command.Arguments
	base, labels, id, save string
}

// run learns from the labels of a cloud, saves the classifier if that is asked for, and classifies the cloud
// unless no output is named.
func (c *classifying) run(names []string) error {
	if _, err := c.Options(map[string]string{"classes": c.base}); err != nil {
		return err
	}
	from, to, err := c.split(names)
	if err != nil {
		return err
	}
	if c.labels == "" {
		return errors.New("name the labels with --labels")
	}
	c.Files.Input(from)
	if to != "" {
		if _, err := c.Files.Output(to); err != nil {
			return err
		}
	}
	keep, err := c.saved()
	if err != nil {
		return err
	}
	file, ids, err := learnLabels(c.Arguments, from, c.id, c.base, c.labels)
	if err != nil {
		return err
	}
	if keep != nil {
		if err := keep.Write(atomicfile.Bytes(file)); err != nil {
			return err
		}
	}
	if to == "" {
		return nil
	}
	written, err := classifyBy(c.Arguments, file, from, to)
	if err != nil {
		return err
	}
	return compareIDs(c.Host, c.id, ids, from, written[0])
}

// split returns the input and the output; "" for the output if only the classifier is saved.
func (c *classifying) split(names []string) (from, to string, err error) {
	if c.save != "" && len(names) == 1 && c.Output == "" {
		from, err = c.One(names)
		return from, "", err
	}
	return c.SplitOne(names, "")
}

// saved returns the file for the trained classifier; nil if it is not saved.
func (c *classifying) saved() (*atomicfile.Output, error) {
	if c.save == "" {
		return nil, nil
	}
	if err := command.CheckEnding(c.save); err != nil {
		return nil, fmt.Errorf("option save: %w", err)
	}
	return c.Files.Output(c.save)
}

// classifyBy runs the stage with a classifier, and returns what was written.
func classifyBy(a *command.Arguments, file []byte, from, to string) ([]string, error) {
	folder, done, err := atomicfile.Workspace(filepath.Dir(to))
	if err != nil {
		return nil, err
	}
	defer done()
	model := filepath.Join(folder, "classes.safetensors")
	if err := atomicfile.Write(model, atomicfile.Bytes(file)); err != nil {
		return nil, err
	}
	options := a.Given()
	options["classes"] = model
	return segment.Run(a.Host, []string{from}, to, segment.Request{
		Options:     options,
		References:  a.References,
		ClassesOnly: true,
		Say:         a.Say,
		Files: &atomicfile.Files{
			Context: a.Host.Context(),
			Force:   a.Files.Force,
			Ready:   a.Files.Ready, // it is the cloud whose superpoints have the labels
		},
	})
}

// compareIDs warns if the output has other superpoints than the input, to which the labels belong.
func compareIDs(h command.Host, id string, labelled []uint32, from, to string) error {
	c, err := h.Read(to, []string{id})
	if err != nil {
		return err
	}
	ids := c.Dimensions[id]
	if strings.HasSuffix(strings.ToLower(to), sources.COPC) { // which has its points in another order
		labelled, ids = slices.Sorted(slices.Values(labelled)), slices.Sorted(slices.Values(ids))
	}
	same := func(was uint32, is float64) bool { return float64(was) == is }
	if len(ids) > 0 && !slices.EqualFunc(labelled, ids, same) {
		h.Log(message.Warning,
			fmt.Sprintf("%s has other superpoints than %s, so the labels are not for its ids; give the "+
				"options with which that was segmented, such as target_size", to, from))
	}
	return nil
}

// learnLabels returns the file of a classifier trained on labels, and the superpoint of each point of the
// cloud.
func learnLabels(a *command.Arguments, path, id, base, labels string) (file []byte, ids []uint32, err error) {
	m, err := models.Classes("classes", base)
	if err != nil {
		return nil, nil, err
	}
	labelled, err := readLabels(a.Host, labels, m.Card.Classes)
	if err != nil {
		return nil, nil, err
	}
	options, err := a.Options(map[string]string{"classes": base})
	if err != nil {
		return nil, nil, err
	}
	s, err := readSegmented(a.Host, path, id, options.Threads, m)
	if err != nil {
		return nil, nil, err
	}
	fitted, rows, err := s.learn(m, path, labelled)
	if err != nil {
		return nil, nil, err
	}
	if text := s.kept(); text != "" {
		a.Host.Log(message.Info, labels+": "+text)
	}
	fitted.Card.Description = fmt.Sprintf("%s, and %s of %s", m.Card.Name, message.Count(len(rows), "label"),
		filepath.Base(path))
	file, err = fitted.Save()
	return file, s.id, err
}

const proposeUsage = `[options] FILE OUTPUT.csv

Proposes superpoints to label next: large ones whose class is uncertain and that differ
from those labelled or proposed before. One row each, the most useful first:

  id, count              superpoint, number of points
  x, y, z                centroid, in the units of the file
  class, confidence      predicted class and its probability
  label                  empty, to be filled in

  pdal superpoint propose --count 50 segmented.laz next.csv
  pdal superpoint propose --labels labels.csv segmented.laz next.csv

The options:`

// Propose is the command propose.
func Propose() command.Command {
	return command.Command{Name: "propose", Line: "superpoints to label next",
		Usage: proposeUsage, Define: proposeCommand, Bytes: 500}
}

func proposeCommand(a *command.Arguments) func(names []string) error {
	s := table.NewSuperpoints(a)
	var base, labels string
	var count int
	run := s.TableWriter("proposed superpoint", func(from string) ([]layers.Column, error) {
		m, err := models.Classes("classes", base)
		if err != nil {
			return nil, err
		}
		var labelled labelSet
		if labels != "" {
			if labelled, err = readLabels(a.Host, labels, m.Card.Classes); err != nil {
				return nil, err
			}
		}
		if err := s.Read(from, nil, nil); err != nil {
			return nil, err
		}
		seen, err := readSegmented(a.Host, from, s.Id, s.Threads, m)
		if err != nil {
			return nil, err
		}
		m, done, err := seen.learn(m, from, labelled)
		if err != nil {
			return nil, err
		}
		p, err := m.Uncorrected(parallel.Run{}, seen.hidden)
		if err != nil {
			return nil, err
		}
		return proposals(s, m, seen, m.Propose(seen.features, p, seen.hidden, done, count)), nil
	})
	a.StringVar(&base, "classes", "aerial", "`classifier`: built-in or a file")
	a.StringVar(&labels, "labels", "", "`file` of the labels so far: table or vector layer, as for classify")
	a.IntOption(&count, "count", 20, 1, 1<<20, "number of superpoints to propose")
	a.Reads = []string{"classes", "labels"}
	return run
}

// learn trains the classifier on labels, nil for none, and returns it and the labelled rows.
func (s *classifierInput) learn(m *classes.Model, path string, labelled labelSet) (*classes.Model,
	[]int, error) {
	if labelled == nil {
		return m, nil, nil
	}
	rows, err := s.labels(path, labelled)
	if err != nil {
		return nil, nil, err
	}
	base := m
	if m, err = m.Fit(s.points, s.features, s.hidden, rows, nil); err != nil {
		return nil, nil, err
	}
	s.features.Labels = rows
	if s.unlabelled, err = base.Unlabelled(s.hidden, rows); err != nil {
		return nil, nil, err
	}
	if s.p, err = m.Last(parallel.Run{}, s.features, s.hidden); err != nil {
		return nil, nil, err
	}
	var done []int
	for _, r := range rows {
		done = append(done, r.Row)
	}
	return m, done, nil
}

// kept says which classes have no label; "" if all that the cloud has are labelled.
func (s *classifierInput) kept() string {
	var names []string
	for _, code := range slices.Sorted(maps.Keys(s.unlabelled)) {
		names = append(names, fmt.Sprintf("%s (%d)", classes.Name(code), code))
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("no label of %s; superpoints of classes without a label keep them",
		strings.Join(names, ", "))
}

// proposals returns the columns of the table.
func proposals(s *table.Superpoints, m *classes.Model, seen *classifierInput, rows []int) []layers.Column {
	pick := func(name string, digits int, value func(row int) float64) layers.Column {
		return layers.ColumnOf(name, digits, len(rows), func(k int) float64 { return value(rows[k]) })
	}
	best := func(row int) (float64, float64) { return m.Best(seen.p, row) }
	place := s.Place()
	return []layers.Column{
		pick("id", 0, func(row int) float64 { return float64(seen.ids[row]) }),
		pick("count", 0, func(row int) float64 { return float64(seen.features.Size[row]) }),
		pick("x", place, func(row int) float64 { return s.Forms[row].Mean[0] }),
		pick("y", place, func(row int) float64 { return s.Forms[row].Mean[1] }),
		pick("z", 3, func(row int) float64 { return s.Forms[row].Mean[2] }),
		pick("class", 0, func(row int) float64 { code, _ := best(row); return code }),
		pick("confidence", 3, func(row int) float64 { _, confidence := best(row); return confidence }),
		pick("label", 0, func(int) float64 { return math.NaN() }),
	}
}
