// SPDX-License-Identifier: BSD-3-Clause

// Package table is the command table: a row for each superpoint.
package table

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/render"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/superpointstats"
)

// Superpoints has the options and the superpoints of outline, mesh, table and graph.
type Superpoints struct {
	Host    command.Host
	Args    *command.Arguments
	Id      string // dimension of ids
	Class   string // dimension of classes
	Threads int
	// command, with its options, that computes the input, for errors
	Producer string
	// of a superpoint, for outputs without the points that are far from all others; "" = with them
	Shape string

	Columns *command.Columns
	Groups  *superpointstats.Groups
	Forms   []superpointstats.Form
	scale   superpointstats.Scale
}

// NewSuperpoints adds the options.
func NewSuperpoints(a *command.Arguments) *Superpoints {
	s := &Superpoints{Host: a.Host, Args: a, Producer: "segment"}
	a.StringVar(&s.Id, "id", "SuperpointID",
		"`dimension` of superpoint ids; points with id 0 or below are left out")
	a.ThreadsOption(&s.Threads)
	return s
}

// ClassOption adds the option class.
func (s *Superpoints) ClassOption() {
	s.Args.StringVar(&s.Class, "class", "Classification", "`dimension` of classes")
}

// TableWriter returns the function that writes the columns of a file as CSV. noun is what a row is.
func (s *Superpoints) TableWriter(noun string, columns func(from string) ([]layers.Column,
	error)) func(names []string) error {
	s.Args.OutputOption("`file` to write")
	return func(names []string) error {
		from, to, err := s.Args.OpenOne(names, ".csv")
		if err != nil {
			return err
		}
		all, err := columns(from)
		if err != nil {
			return err
		}
		if err := to.Write(func(w io.Writer) error { return layers.WriteCSV(w, all) }); err != nil {
			return err
		}
		s.Host.Progress("writing", 1)
		s.Host.Log(message.Info, fmt.Sprintf("%s: %s, %s", to.Path(),
			message.Count(len(all[0].Values), noun),
			message.Count(len(all), "column")))
		return nil
	}
}

// Read reads a file, groups its points by superpoint and measures these. It fails if a needed dimension is
// missing.
func (s *Superpoints) Read(path string, needed, wanted []string) error {
	c, err := s.Load(path, needed, wanted)
	if err == nil {
		c, err = s.near(path, c)
	}
	if err != nil {
		return err
	}
	groups, err := superpointstats.Group(s.Id, c.Dimensions[s.Id])
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case len(c.X) == 0:
		return fmt.Errorf("%s: %w; name another", path, ErrNoPoints)
	case groups.Len() == 0:
		return s.NoSuperpoints(path)
	}
	return s.Measure(path, c, groups, message.Log(s.Host.Log).Of(filepath.Base(path)).Warn)
}

// Load reads a file. It fails if a needed dimension is missing.
func (s *Superpoints) Load(path string, needed, wanted []string) (*command.Columns, error) {
	needed = append([]string{s.Id}, needed...)
	if s.Class != "" && s.Args.Changed("class") {
		needed = append(needed, s.Class)
	} else if s.Class != "" {
		wanted = append(slices.Clone(wanted), s.Class)
	}
	c, err := s.Host.Read(path, slices.Compact(slices.Sorted(slices.Values(slices.Concat(needed, wanted)))))
	if err != nil {
		return nil, err
	}
	for _, name := range needed {
		if c.Dimensions[name] != nil || len(c.X) == 0 {
			continue
		}
		if name == s.Id {
			return nil, fmt.Errorf(
				"%s: dimension %q is missing; compute superpoints first, with pdal superpoint %s IN OUT, or "+
					"name another dimension of ids with --id; the file has %s", path, name, s.Producer,
				strings.Join(c.Available, ", "))
		}
		return nil, fmt.Errorf("%s: dimension %q is missing; the file has %s", path, name,
			strings.Join(c.Available, ", "))
	}
	return c, nil
}

// Run returns the run of a step, with progress.
func (s *Superpoints) Run(step string) parallel.Run {
	return parallel.Run{Context: s.Host.Context(), Threads: s.Threads,
		Report: func(f float64) { s.Host.Progress(step, f) }}
}

// dimensionList parses the option dimensions.
func dimensionList(text string) ([]string, error) {
	var all []string
	if text == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return nil, fmt.Errorf(
				"option dimensions: a name is empty in %q; give dimensions, comma separated", text)
		}
		if slices.Contains(all, name) {
			return nil, fmt.Errorf("option dimensions: %s is named twice", name)
		}
		all = append(all, name)
	}
	return all, nil
}

// Majority returns the columns of the most frequent class; nil without classes.
func (s *Superpoints) Majority() ([]layers.Column, error) {
	values := s.Columns.Dimensions[s.Class]
	if values == nil {
		return nil, nil
	}
	class, share, err := s.Groups.Majority(s.Run("classes"), values)
	return []layers.Column{{Name: "class", Values: class}, {Name: "class_share", Digits: 4,
		Values: share}}, err
}

// Ids returns the columns id and count.
func (s *Superpoints) Ids() []layers.Column {
	return []layers.Column{
		layers.ColumnOf("id", 0, s.Groups.Len(), func(k int) float64 { return float64(s.Groups.ID[k]) }),
		layers.ColumnOf("count", 0, s.Groups.Len(),
			func(k int) float64 { return float64(len(s.Groups.Points(k))) }),
	}
}

// FormColumn returns the column of a value of each superpoint.
func (s *Superpoints) FormColumn(name string, digits int,
	value func(f *superpointstats.Form) float64) layers.Column {
	return layers.ColumnOf(name, digits, len(s.Forms), func(k int) float64 { return value(&s.Forms[k]) })
}

// Shapes returns the columns of the dimensionality features.
func (s *Superpoints) Shapes() []layers.Column {
	return []layers.Column{
		s.FormColumn("linearity", 4, func(f *superpointstats.Form) float64 { return float64(f.Linearity) }),
		s.FormColumn("planarity", 4, func(f *superpointstats.Form) float64 { return float64(f.Planarity) }),
		s.FormColumn("scattering", 4, func(f *superpointstats.Form) float64 { return float64(f.Scattering) }),
		s.FormColumn("verticality", 4,
			func(f *superpointstats.Form) float64 { return float64(f.Verticality) }),
	}
}

// Place returns the number of decimals of X and Y, for a resolution of a millimetre or
// better.
func (s *Superpoints) Place() int { return layers.Decimals(s.Forms[0].Scale[1]) }

// CheckMetres fails if X and Y are angles.
func (s *Superpoints) CheckMetres(path string) error {
	if _, angles, err := s.Columns.Reference.Unit(); err == nil && angles {
		return fmt.Errorf("%s: X and Y are degrees; reproject to metres first with filters.reprojection",
			path)
	}
	return nil
}

// embeddings returns the names of the embedding columns that a file may have.
func embeddings() []string { return render.Dimensions([]string{render.Embedding}, "") }

const tableUsage = `[options] FILE OUTPUT.csv

Writes one row per superpoint, for a spreadsheet, QGIS or a classifier:

  id, count              id, number of points
  x, y, z                centroid, and
  xmin … zmax            bounding box, in the units of the file
  height                 zmax − zmin in metres
  linearity, planarity, scattering, verticality
                         shape (Demantké et al. 2011), in [0, 1]
  residual               standard deviation from the best plane, metres
  normal_x … normal_z    unit normal of that plane, upwards
  class, class_share     most frequent class and the share of points that have it
  NAME_mean, NAME_std    mean and standard deviation of dimensions

The file needs superpoints: run pdal superpoint segment first.

  pdal superpoint table segmented.laz superpoints.csv
  pdal superpoint table --dimensions Intensity,Embedding0 segmented.laz superpoints.csv
  pdal superpoint table --id ClusterID clustered.laz clusters.csv

The options:`

// Command is the command table.
func Command() command.Command {
	return command.Command{Name: "table", Line: "one row per superpoint: size, position, shape, class, means",
		Usage: tableUsage, Define: tableCommand, Bytes: 120}
}

func tableCommand(a *command.Arguments) func(names []string) error {
	s := NewSuperpoints(a)
	s.ClassOption()
	var dimensions string
	run := s.TableWriter("superpoint", func(from string) ([]layers.Column, error) {
		needed, err := dimensionList(dimensions)
		if err != nil {
			return nil, err
		}
		var wanted []string
		if needed == nil {
			wanted = append([]string{"Intensity", "ReturnNumber", "NumberOfReturns", "Red", "Green",
				"Blue", "Infrared"},
				embeddings()...)
		}
		if err := s.Read(from, needed, wanted); err != nil {
			return nil, err
		}
		return s.describe(slices.Concat(needed, wanted))
	})
	a.StringVar(&dimensions, "dimensions", "", "`list` of dimensions for mean and standard deviation "+
		"(default: intensity, returns, colours and embedding, if the file has them)")
	return run
}

// describe returns the columns of the table.
func (s *Superpoints) describe(dimensions []string) ([]layers.Column, error) {
	columns := s.Ids()
	places := [3]int{s.Place(), s.Place(), 3}
	corner := func(a int, name string, value func(f *superpointstats.Form) [3]float64) {
		columns = append(columns, s.FormColumn(name, places[a],
			func(f *superpointstats.Form) float64 { return value(f)[a] }))
	}
	for a, axis := range []string{"x", "y", "z"} {
		corner(a, axis, func(f *superpointstats.Form) [3]float64 { return f.Mean })
	}
	for a, axis := range []string{"x", "y", "z"} {
		corner(a, axis+"min", func(f *superpointstats.Form) [3]float64 { return f.Min })
		corner(a, axis+"max", func(f *superpointstats.Form) [3]float64 { return f.Max })
	}
	columns = append(columns, s.FormColumn("height", 3, (*superpointstats.Form).Height))
	columns = append(columns, s.Shapes()...)
	columns = append(columns,
		s.FormColumn("residual", 4, func(f *superpointstats.Form) float64 { return f.Sigma[2] }))
	for a, axis := range []string{"x", "y", "z"} {
		columns = append(columns,
			s.FormColumn("normal_"+axis, 4, func(f *superpointstats.Form) float64 { return f.Normal[a] }))
	}
	classes, err := s.Majority()
	if err != nil {
		return nil, err
	}
	columns = append(columns, classes...)
	for _, name := range dimensions {
		values := s.Columns.Dimensions[name]
		if values == nil {
			continue
		}
		mean, deviation, err := s.Groups.Statistics(s.Run(name), values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		columns = append(columns, layers.Column{Name: name + "_mean", Digits: 5, Values: mean},
			layers.Column{Name: name + "_std", Digits: 5, Values: deviation})
	}
	return columns, nil
}

// ErrNoPoints is the error of Read for a file without points.
var ErrNoPoints = errors.New("the input has no points")

// ErrNoSuperpoints is the error of Read for a file without superpoints.
var ErrNoSuperpoints = errors.New("no point has an id above 0")

// NoSuperpoints returns ErrNoSuperpoints of a file, with a remedy.
func (s *Superpoints) NoSuperpoints(path string) error {
	return fmt.Errorf(
		"%s: %w in dimension %s; compute superpoints, with pdal superpoint %s IN OUT, or name another "+
			"dimension of ids with --id", path, ErrNoSuperpoints, s.Id, s.Producer)
}

// near returns the columns of a file, for outputs of a shape without the points that are far from all others.
func (s *Superpoints) near(path string, c *command.Columns) (*command.Columns, error) {
	if s.Shape == "" || len(c.X) == 0 {
		return c, nil
	}
	scale, err := c.Reference.Scale(nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return render.Near(s.Host, path, c, scale((slices.Min(c.Y)+slices.Max(c.Y))/2), s.Shape), nil
}

// Measure computes the forms of the superpoints of given groups.
func (s *Superpoints) Measure(path string, c *command.Columns, groups *superpointstats.Groups,
	warn func(text string)) (err error) {
	s.Columns, s.Groups = c, groups
	if s.scale, err = c.Reference.Scale(warn); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.Forms, err = s.Groups.Forms(s.Run("measuring"), c.X, c.Y, c.Z, s.scale)
	return err
}

// Release releases the points that were measured, but not their reference.
func (s *Superpoints) Release() {
	s.Columns = &command.Columns{Reference: s.Columns.Reference}
	s.Groups = nil
	s.Forms = nil
}
