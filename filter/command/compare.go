package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"superpoint/embed"
	"superpoint/embed/cli"
	"superpoint/filter"
	"superpoint/filter/benchmarks"
	"superpoint/filter/compare"
	"superpoint/filter/method"
	"superpoint/partition/thin"
)

const compareUsage = `[options] [NAME=]FILE…

Runs every method on the same labelled files over a sweep and writes to the
output folder: results.csv, summary.md, figure.svg and figure.png (OOA, BR and BP against the
number of connected pieces, one row of panels a data set), and report.html with tables,
figure and pictures. Files of one NAME are one data set; without a name each
file is its own. A comparison that was interrupted goes on where it stopped;
basis.yaml says how it measures, and another basis is refused.
Rooms of S3DIS (Area_5/office_1/office_1.txt) and arrays of vKITTI3D (.npy) are
files, too.

  pdal superpoint compare --truth Classification --output report tile.laz
  pdal superpoint compare --systems ssp,vccs,lin --output report town=a.laz town=b.laz forest=c.laz

A system is a method, or method:MODEL, for example ssp:aerial or ssp:my.safetensors, and may have options of
the stage, for example ssp+solver=cut-pursuit+delaunay=true.

--rules names a YAML file that says what is special about some files, the first match counting:

  - match: room_*          # pattern of file names
    model: indoor          # of systems that leave it open
    truth: PointSourceId   # dimension of the truth
    objects: true          # which numbers objects, 0 being one of them
  - match: town_*
    merge: [[3, 4, 5]]     # classes that are one
    ignore: [66]           # classes that are left out`

func compareCommand(a *arguments) func(names []string) error {
	c := compare.Config{}
	var inputs []string
	var rules, systems, sweep, targets string
	a.StringArrayVar(&inputs, "input", nil, "a `file` to compare on, [NAME=]FILE; may be repeated, and files may stand "+
		"alone")
	a.StringVar(&c.Truth, "truth", "Classification", "`dimension` of true classes (0 = unlabelled)")
	a.StringVar(&c.Instances, "instances", "", "`dimension` of true objects (default: connected parts of a class)")
	a.StringVar(&c.Output, "output", "report", "`folder` to write to")
	cli.Int(a.FlagSet, &c.AdjacencyKNN, "adjacency_knn", filter.MetricsKNN, 1, 64,
		"neighbours in the adjacency graph that boundaries are counted on")
	cli.Int(a.FlagSet, &c.Threads, "threads", 0, 0, mostThreads, "threads; 0 = all")
	cli.Float(a.FlagSet, &c.Picture, "picture", 100, 0, 1e9, "mean points a segment in the pictures; 0 = no pictures")
	cli.Float(a.FlagSet, &c.Voxel, "voxel", 0, 0, 1e6,
		"side of cubes in metres of which one point is left, before anything else; 0 = all points")
	a.StringVar(&rules, "rules", "", "YAML `file` that says what is special about some files")
	a.StringVar(&systems, "systems", strings.Join(defaultSystems(), ","),
		"`list` of what to compare: methods, or method:MODEL, and +option=value; id:DIMENSION for segments that the "+
			"files have, of another program or filter of PDAL, 0 and below being none")
	a.StringVar(&sweep, "sweep", "0.2,0.35,0.6,1,1.7,3,6",
		"`list` of regularization strengths λ̃, for the methods that have one; none = no sweep")
	a.StringVar(&targets, "targets", "50,100,200,400", "`list` of mean points of a connected piece on that graph, for "+
		"every method")
	return func(names []string) (err error) {
		if c.Inputs, err = readInputs(append(inputs, names...)); err != nil {
			return err
		}
		if c.Systems, err = readSystems(systems); err != nil {
			return err
		}
		if c.Rules, err = readRules(rules); err != nil {
			return err
		}
		if sweep != noSweep {
			if c.Sweep, err = numbers("sweep", sweep); err != nil {
				return err
			}
		}
		if c.Targets, err = numbers("targets", targets); err != nil {
			return err
		}
		c.Read = append(listedModels(c.Systems, c.Rules), rules)
		host := compareHost{benchmarks.Reader{Host: a.host}, c.Voxel}
		if err := compare.Run(filter.Run{Context: a.host.Context()}, host, c); err != nil {
			return err
		}
		_, err = fmt.Fprintln(a.host.Stdout(), filepath.Join(c.Output, "report.html"))
		return err
	}
}

// noSweep is the value of the option sweep for none.
const noSweep = "none"

// defaultSystems are the paper's that this build has: learned superpoints
// first, if there is a model.
func defaultSystems() []string {
	all := method.Names(nil)
	if len(embed.Builtins()) == 0 {
		all = slices.DeleteFunc(all, func(m string) bool { return method.Named(m).Learns })
	}
	return all
}

func readInputs(args []string) ([]compare.Input, error) {
	var all []compare.Input
	for _, arg := range args {
		name, path, found := strings.Cut(arg, "=")
		if _, err := os.Stat(arg); err == nil || !found || strings.ContainsRune(name, filepath.Separator) {
			path = arg // a file or folder may have = in its name, a data set has no folder
			base := filepath.Base(path)
			name = strings.TrimSuffix(base, filepath.Ext(base))
		}
		all = append(all, compare.Input{Set: compare.SetCell(name), Path: path})
	}
	if len(all) == 0 {
		return nil, errors.New("name at least one labelled point cloud file")
	}
	return all, nil
}

func readSystems(text string) ([]compare.System, error) {
	var all []compare.System
	var err error
	for name := range strings.SplitSeq(text, ",") {
		parts := strings.Split(strings.TrimSpace(name), "+")
		method, model, found := strings.Cut(parts[0], ":")
		if method == "id" {
			if model == "" || len(parts) > 1 {
				return nil, fmt.Errorf("option systems: %q; give id:DIMENSION, the dimension with the segments that files bring",
					name)
			}
			if all, err = another(all, compare.System{Name: parts[0], IDs: model}); err != nil {
				return nil, err
			}
			continue
		}
		options := map[string]string{"method": method}
		if found {
			options["model"] = model
			base := filepath.Base(model)
			parts[0] = method + ":" + strings.TrimSuffix(base, filepath.Ext(base))
		}
		for _, setting := range parts[1:] {
			option, value, found := strings.Cut(setting, "=")
			if !found {
				return nil, fmt.Errorf("option systems: %q in %q; give +option=value", setting, name)
			}
			options[option] = value
		}
		name = strings.Join(parts, "+")
		o, err := filter.OptionsOf(options)
		if err != nil {
			return nil, fmt.Errorf("option systems: %w", err)
		}
		if _, err := filter.New(o, nil); err != nil {
			return nil, fmt.Errorf("option systems: %q: %w", name, err)
		}
		if all, err = another(all, compare.System{Name: name, Options: *o}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// another adds a system of a new name.
func another(all []compare.System, s compare.System) ([]compare.System, error) {
	if slices.ContainsFunc(all, func(old compare.System) bool { return old.Name == s.Name }) {
		return nil, fmt.Errorf("option systems: %q is there twice", s.Name)
	}
	return append(all, s), nil
}

// listedModels are the models that systems and rules name.
func listedModels(systems []compare.System, rules []compare.Rule) (all []string) {
	for i := range systems {
		all = append(all, systems[i].Options.Model)
	}
	for i := range rules {
		all = append(all, rules[i].Model)
	}
	return all
}

// readRules reads and checks the rules; there are none without a file.
func readRules(file string) ([]compare.Rule, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("option rules: %w", err)
	}
	var rules []compare.Rule
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&rules); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("option rules: %s: %w", file, err)
	}
	for i := range rules {
		if err := rules[i].Check(); err != nil {
			return nil, fmt.Errorf("option rules: %s: %w", file, err)
		}
	}
	return rules, nil
}

// compareHost is a Host as package compare wants it.
type compareHost struct {
	Host
	voxel float64 // metres; above 0, one point is left of every cube
}

func (h compareHost) Read(path string, dimensions []string) (*filter.View, error) {
	columns, err := h.Host.Read(path, dimensions)
	if err != nil {
		return nil, err
	}
	if h.voxel > 0 {
		points := thin.Points{X: &columns.X, Y: &columns.Y, Z: &columns.Z, Values: columns.Dimensions}
		if err := thin.Cubes(points, h.voxel); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return columns.View(), nil
}
