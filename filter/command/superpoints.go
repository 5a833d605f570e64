package command

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/embed/cli"
	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/filter/census"
	"superpoint/partition/parallel"
)

// superpoints is what outline, mesh, table and graph share: the options that say
// which superpoints are meant, and those superpoints.
type superpoints struct {
	host    Host
	args    *arguments
	id      string // dimension of ids
	class   string // dimension of classes
	threads int
	made    string // the command, with its options, that makes what is read

	columns *Columns
	groups  *census.Groups
	forms   []census.Form
	scale   census.Scale
}

// newSuperpoints makes the options.
func newSuperpoints(a *arguments) *superpoints {
	s := &superpoints{host: a.host, args: a, made: "segment"}
	a.StringVar(&s.id, "id", "SuperpointID", "`dimension` with the ids of superpoints; points of id 0 and below are "+
		"left out")
	cli.Int(a.FlagSet, &s.threads, "threads", 0, 0, mostThreads, "threads; 0 = all")
	return s
}

// classOption adds the option class.
func (s *superpoints) classOption() {
	s.args.StringVar(&s.class, "class", "Classification", "`dimension` of classes, for the majority")
}

// twoFiles returns the file to read and the file to write, whose name has one of
// the endings.
func (s *superpoints) twoFiles(names []string, endings ...string) (from string, to *whole.Output, err error) {
	inputs, output := s.args.split(names)
	right := slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(strings.ToLower(output), e) })
	if len(inputs) != 1 || !right {
		return "", nil, fmt.Errorf("name one point cloud file and one output file that ends in %s",
			strings.Join(endings, " or "))
	}
	to, err = s.args.open(inputs, output)
	return inputs[0], to, err
}

// read reads a file and measures its superpoints. Of the dimensions, those in
// needed must be there.
func (s *superpoints) read(path string, needed, wanted []string) error {
	c, err := s.load(path, needed, wanted)
	if err != nil {
		return err
	}
	return s.use(path, c)
}

// load reads a file. Of the dimensions, those in needed must be there.
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
			return nil, fmt.Errorf("%s: dimension %q is missing; make superpoints first, with pdal superpoint %s IN OUT, or "+
				"name another dimension of ids with --id; the file has %s", path, name, s.made, strings.Join(c.Available, ", "))
		}
		return nil, fmt.Errorf("%s: dimension %q is missing; the file has %s", path, name, strings.Join(c.Available, ", "))
	}
	return c, finite(path, c)
}

// finite refuses points without a place.
func finite(path string, c *Columns) error {
	for a, values := range [][]float64{c.X, c.Y, c.Z} {
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s: point %d has %c = %v; remove points without finite coordinates first", path, i, "XYZ"[a], v)
			}
		}
	}
	return nil
}

// run is a step of the work, with progress.
func (s *superpoints) run(step string) parallel.Run {
	return parallel.Run{Context: s.host.Context(), Threads: s.threads,
		Report: func(f float64) { s.host.Progress(step, f) }}
}

// dimensionList splits the names in an option.
func dimensionList(option, text string) ([]string, error) {
	var all []string
	if text == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return nil, fmt.Errorf("option %s: a name is empty in %q; give dimensions with commas between", option, text)
		}
		if slices.Contains(all, name) {
			return nil, fmt.Errorf("option %s: %s is named twice", option, name)
		}
		all = append(all, name)
	}
	return all, nil
}

// majority returns the columns of the majority class, none without classes.
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
	id, count := make([]float64, s.groups.Len()), make([]float64, s.groups.Len())
	for k := range id {
		id[k], count[k] = float64(s.groups.ID[k]), float64(len(s.groups.Points(k)))
	}
	return []column{{name: "id", values: id}, {name: "count", values: count}}
}

// formColumn makes a column of what each superpoint's form says.
func (s *superpoints) formColumn(name string, digits int, value func(f *census.Form) float64) column {
	c := column{name: name, digits: digits, values: make([]float64, len(s.forms))}
	for k := range s.forms {
		c.values[k] = value(&s.forms[k])
	}
	return c
}

// shapes returns the columns of the dimensionality features.
func (s *superpoints) shapes() []column {
	return []column{
		s.formColumn("linearity", 4, func(f *census.Form) float64 { return float64(f.Linearity) }),
		s.formColumn("planarity", 4, func(f *census.Form) float64 { return float64(f.Planarity) }),
		s.formColumn("scattering", 4, func(f *census.Form) float64 { return float64(f.Scattering) }),
		s.formColumn("verticality", 4, func(f *census.Form) float64 { return float64(f.Verticality) }),
	}
}

// place is the number of decimals that give X and Y to a millimetre or better.
func (s *superpoints) place() int {
	unit := s.forms[0].Scale[1]
	return min(12, max(0, int(math.Ceil(math.Log10(1000*unit)-0.1))))
}

// flat refuses angles, for commands that need lengths.
func (s *superpoints) flat(path string) error {
	if _, angles, err := s.columns.Reference.Unit(); err == nil && angles {
		return fmt.Errorf("%s: X and Y are degrees; reproject to metres first with filters.reprojection", path)
	}
	return nil
}

// embeddings names the embedding columns a file may have.
func embeddings() (all []string) {
	for k := range maxEmbedding {
		all = append(all, fmt.Sprint("Embedding", k))
	}
	return all
}

// stepRun gives the filter's steps to the user.
func (s *superpoints) stepRun() filter.Run {
	return filter.Run{Context: s.host.Context(), Step: s.host.Progress}
}
