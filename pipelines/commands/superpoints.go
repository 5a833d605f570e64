package command

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/embed/atomicfile"
	"superpoint/embed/cli"
	"superpoint/filter"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/render"
	"superpoint/pipelines/commands/superpointstats"
)

// superpoints has the options and the superpoints of outline, mesh, table and graph.
type superpoints struct {
	host    Host
	args    *arguments
	id      string // dimension of ids
	class   string // dimension of classes
	threads int
	// command, with its options, that computes the input, for errors
	producer string

	columns *Columns
	groups  *superpointstats.Groups
	forms   []superpointstats.Form
	scale   superpointstats.Scale
}

// newSuperpoints adds the options.
func newSuperpoints(a *arguments) *superpoints {
	s := &superpoints{host: a.host, args: a, producer: "segment"}
	a.StringVar(&s.id, "id", "SuperpointID", "`dimension` of superpoint ids; points with id 0 or below are left out")
	cli.Int(a.FlagSet, &s.threads, "threads", 0, 0, maxThreads, "threads; 0 = all")
	return s
}

// classOption adds the option class.
func (s *superpoints) classOption() {
	s.args.StringVar(&s.class, "class", "Classification", "`dimension` of classes, for the most frequent one")
}

// twoFiles returns the input and the output, whose name must have one of the suffixes.
func (s *superpoints) twoFiles(names []string, endings ...string) (from string, to *atomicfile.Output, err error) {
	from, output, err := s.args.splitOne(names, endings...)
	if err != nil {
		return "", nil, err
	}
	to, err = s.args.open([]string{from}, output)
	return from, to, err
}

// tableWriter returns the function that writes the columns of a file as CSV or Parquet.
func (s *superpoints) tableWriter(columns func(from string) ([]column, error)) func(names []string) error {
	s.args.outputOption("`file` to write")
	return func(names []string) error {
		from, to, err := s.twoFiles(names, ".csv", ".parquet")
		if err != nil {
			return err
		}
		all, err := columns(from)
		if err != nil {
			return err
		}
		if err := writeSheet(to, all); err != nil {
			return err
		}
		s.host.Progress("writing", 1)
		return nil
	}
}

// read reads a file and measures its superpoints. It fails if a needed dimension is
// missing.
func (s *superpoints) read(path string, needed, wanted []string) error {
	c, err := s.load(path, needed, wanted)
	if err != nil {
		return err
	}
	return s.measureFile(path, c)
}

// load reads a file. It fails if a needed dimension is missing.
func (s *superpoints) load(path string, needed, wanted []string) (*Columns, error) {
	needed = append([]string{s.id}, needed...)
	if s.class != "" && s.args.Changed("class") {
		needed = append(needed, s.class)
	} else if s.class != "" {
		wanted = append(slices.Clone(wanted), s.class)
	}
	c, err := s.host.Read(path, slices.Compact(slices.Sorted(slices.Values(slices.Concat(needed, wanted)))))
	if err != nil {
		return nil, err
	}
	for _, name := range needed {
		if c.Dimensions[name] != nil || len(c.X) == 0 {
			continue
		}
		if name == s.id {
			return nil, fmt.Errorf("%s: dimension %q is missing; compute superpoints first, with pdal superpoint %s IN OUT, or "+
				"name another dimension of ids with --id; the file has %s", path, name, s.producer,
				strings.Join(c.Available, ", "))
		}
		return nil, fmt.Errorf("%s: dimension %q is missing; the file has %s", path, name, strings.Join(c.Available, ", "))
	}
	return c, nil
}

// run returns the run of a step, with progress.
func (s *superpoints) run(step string) parallel.Run {
	return parallel.Run{Context: s.host.Context(), Threads: s.threads,
		Report: func(f float64) { s.host.Progress(step, f) }}
}

// dimensionList parses a list of dimensions.
func dimensionList(option, text string) ([]string, error) {
	var all []string
	if text == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return nil, fmt.Errorf("option %s: a name is empty in %q; give dimensions, comma separated", option, text)
		}
		if slices.Contains(all, name) {
			return nil, fmt.Errorf("option %s: %s is named twice", option, name)
		}
		all = append(all, name)
	}
	return all, nil
}

// majority returns the columns of the most frequent class; nil without classes.
func (s *superpoints) majority() ([]column, error) {
	values := s.columns.Dimensions[s.class]
	if values == nil {
		return nil, nil
	}
	class, share, err := s.groups.Majority(s.run("classes"), values)
	return []column{{name: "class", values: class}, {name: "class_share", digits: 4, values: share}}, err
}

// ids returns the columns id and count.
func (s *superpoints) ids() []column {
	return []column{
		columnOf("id", 0, s.groups.Len(), func(k int) float64 { return float64(s.groups.ID[k]) }),
		columnOf("count", 0, s.groups.Len(), func(k int) float64 { return float64(len(s.groups.Points(k))) }),
	}
}

// formColumn returns the column of a value of each superpoint.
func (s *superpoints) formColumn(name string, digits int, value func(f *superpointstats.Form) float64) column {
	return columnOf(name, digits, len(s.forms), func(k int) float64 { return value(&s.forms[k]) })
}

// shapes returns the columns of the dimensionality features.
func (s *superpoints) shapes() []column {
	return []column{
		s.formColumn("linearity", 4, func(f *superpointstats.Form) float64 { return float64(f.Linearity) }),
		s.formColumn("planarity", 4, func(f *superpointstats.Form) float64 { return float64(f.Planarity) }),
		s.formColumn("scattering", 4, func(f *superpointstats.Form) float64 { return float64(f.Scattering) }),
		s.formColumn("verticality", 4, func(f *superpointstats.Form) float64 { return float64(f.Verticality) }),
	}
}

// place returns the number of decimals of X and Y, for a resolution of a millimetre or
// better.
func (s *superpoints) place() int { return decimals(s.forms[0].Scale[1]) }

// decimals returns that number for coordinates in units of unit metres.
func decimals(unit float64) int { return min(12, max(0, int(math.Ceil(math.Log10(1000*unit)-0.1)))) }

// checkMetres fails if X and Y are angles.
func (s *superpoints) checkMetres(path string) error {
	if _, angles, err := s.columns.Reference.Unit(); err == nil && angles {
		return fmt.Errorf("%s: X and Y are degrees; reproject to metres first with filters.reprojection", path)
	}
	return nil
}

// embeddings returns the names of the embedding columns that a file may have.
func embeddings() []string { return render.Dimensions([]string{render.Embedding}, "") }

// stepRun returns a run that reports the filter's steps.
func (s *superpoints) stepRun() filter.Run {
	return filter.Run{Context: s.host.Context(), Step: s.host.Progress}
}

const tableUsage = `[options] FILE OUTPUT.csv|OUTPUT.parquet

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

  pdal superpoint table segmented.laz superpoints.parquet
  pdal superpoint table --dimensions Intensity,Embedding0 segmented.laz superpoints.csv
  pdal superpoint table --id ClusterID clustered.laz clusters.csv

The options:`

func tableCommand(a *arguments) func(names []string) error {
	s := newSuperpoints(a)
	s.classOption()
	var dimensions string
	run := s.tableWriter(func(from string) ([]column, error) {
		needed, err := dimensionList("dimensions", dimensions)
		if err != nil {
			return nil, err
		}
		var wanted []string
		if needed == nil {
			wanted = append([]string{"Intensity", "ReturnNumber", "NumberOfReturns", "Red", "Green", "Blue", "Infrared"},
				embeddings()...)
		}
		if err := s.read(from, needed, wanted); err != nil {
			return nil, err
		}
		return s.describe(slices.Concat(needed, wanted))
	})
	a.StringVar(&dimensions, "dimensions", "", "`list` of dimensions for mean and standard deviation "+
		"(default: intensity, returns, colours and embedding, if the file has them)")
	return run
}

// describe returns the columns of the table.
func (s *superpoints) describe(dimensions []string) ([]column, error) {
	columns := s.ids()
	places := [3]int{s.place(), s.place(), 3}
	corner := func(a int, name string, value func(f *superpointstats.Form) [3]float64) {
		columns = append(columns, s.formColumn(name, places[a], func(f *superpointstats.Form) float64 { return value(f)[a] }))
	}
	for a, axis := range []string{"x", "y", "z"} {
		corner(a, axis, func(f *superpointstats.Form) [3]float64 { return f.Mean })
	}
	for a, axis := range []string{"x", "y", "z"} {
		corner(a, axis+"min", func(f *superpointstats.Form) [3]float64 { return f.Min })
		corner(a, axis+"max", func(f *superpointstats.Form) [3]float64 { return f.Max })
	}
	columns = append(columns, s.formColumn("height", 3, (*superpointstats.Form).Height))
	columns = append(columns, s.shapes()...)
	columns = append(columns, s.formColumn("residual", 4, func(f *superpointstats.Form) float64 { return f.Sigma[2] }))
	for a, axis := range []string{"x", "y", "z"} {
		columns = append(columns,
			s.formColumn("normal_"+axis, 4, func(f *superpointstats.Form) float64 { return f.Normal[a] }))
	}
	classes, err := s.majority()
	if err != nil {
		return nil, err
	}
	columns = append(columns, classes...)
	for _, name := range dimensions {
		values := s.columns.Dimensions[name]
		if values == nil {
			continue
		}
		mean, deviation, err := s.groups.Statistics(s.run(name), values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		columns = append(columns, column{name + "_mean", 5, mean}, column{name + "_std", 5, deviation})
	}
	return columns, nil
}

// measureFile groups the points of a file by superpoint and computes the superpoints' forms.
func (s *superpoints) measureFile(path string, c *Columns) error {
	groups, err := superpointstats.Group(c.Dimensions[s.id])
	if err != nil {
		return fmt.Errorf("%s: dimension %s: %w", path, s.id, err)
	}
	if groups.Len() == 0 {
		return fmt.Errorf("%s: no point has an id above 0 in dimension %s", path, s.id)
	}
	return s.measure(path, c, groups, func(text string) { s.host.Log(filter.LogWarning, text) })
}

// measure computes the forms of the superpoints of given groups.
func (s *superpoints) measure(path string, c *Columns, groups *superpointstats.Groups,
	warn func(text string)) (err error) {
	s.columns, s.groups = c, groups
	if s.scale, err = c.Reference.Scale(warn); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.forms, err = s.groups.Forms(s.run("measuring"), c.X, c.Y, c.Z, s.scale)
	return err
}
