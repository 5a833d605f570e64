package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/models"
	"superpoint/partition/parallel"
	"superpoint/pipelines/commands/classrules"
	"superpoint/testdata/las"
)

// share is a measured share of classes: of which set, cloud and method, and which measure.
type share struct{ set, cloud, method, measure string }

// shares are what cells/classes.csv keeps.
type shares map[share]float64

// classesRules are the rules of the built-in classes.
const classesRules = "embed/train/recipes/classes-aerial.yaml"

// The methods and measures.
const (
	own      = "superpoints"
	forest   = "forest"
	opc      = "OpenPointClass"
	byTool   = "chosen by the tool"
	byChance = "chosen by chance"

	accuracy = "accuracy"
	meanIoU  = "mIoU"
	iouOf    = "IoU "
	labelled = "accuracy with labels "
	allOf    = "all"
)

func readShares(path string) (shares, error) {
	rows, err := readTable(path)
	if err != nil {
		return nil, err
	}
	all := shares{}
	for i, row := range rows {
		if i == 0 {
			continue
		}
		if len(row) != 5 {
			return nil, fmt.Errorf("%s: line %d has %d columns, not 5", path, i+1, len(row))
		}
		if all[share{row[0], row[1], row[2], row[3]}], err = strconv.ParseFloat(row[4], 64); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, i+1, err)
		}
	}
	return all, nil
}

// replace puts new shares in the place of all that their methods had on their clouds.
func (s shares) replace(with shares) {
	for k := range with {
		maps.DeleteFunc(s, func(o share, _ float64) bool {
			return o.set == k.set && o.cloud == k.cloud && o.method == k.method
		})
	}
	maps.Copy(s, with)
}

func (s shares) sorted() []share {
	return slices.SortedFunc(maps.Keys(s), func(a, b share) int {
		return slices.Compare([]string{a.set, a.cloud, a.method, a.measure}, []string{b.set, b.cloud, b.method, b.measure})
	})
}

func (s shares) write(path string) error {
	rows := [][]string{{"set", "file", "method", "measure", "value"}}
	for _, k := range s.sorted() {
		rows = append(rows, []string{k.set, k.cloud, k.method, k.measure, strconv.FormatFloat(s[k], 'f', 6, 64)})
	}
	return writeTable(path, rows)
}

// classesCommand compares the classes of superpoints with a forest on points and with
// ground filters: the same points, the same labels. classes.sh calls it.
func classesCommand(args []string) error {
	flags := flag.NewFlagSet("classes", flag.ContinueOnError)
	rules := flags.String("rules", classesRules, "what labels mean")
	base := flags.String("classes", "aerial", "classifier: built-in or a file")
	trees := flags.String("forest", "", "folder of forest.py")
	rivals := flags.String("rivals", "", "folder with a folder of LAS files of the same names for each method")
	set := flags.String("set", "val", "set that the files are of")
	curve := flags.Bool("curve", false, "accuracy over labels, chosen by the tool and by chance")
	table := flags.String("cells", "", "table to put the measures into")
	if err := flags.Parse(args); err != nil {
		return err
	}
	measured := shares{}
	for _, path := range flags.Args() {
		c, err := readCloud(path, *rules, *base)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		found := shares{}
		if *curve {
			found, err = c.curve(*set, name)
		} else {
			err = c.measure(found, *set, name, *trees, *rivals)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		measured.replace(found)
	}
	for _, k := range measured.sorted() {
		fmt.Printf("%s,%s,%s,%s,%.4f\n", k.set, k.cloud, k.method, k.measure, measured[k])
	}
	if *table == "" {
		return nil
	}
	all, err := readShares(*table)
	if err != nil {
		return err
	}
	all.replace(measured)
	return all.write(*table)
}

// groundFilters are rivals that classify ground alone.
var groundFilters = []string{"SMRF", "PMF", "CSF"}

// measure measures superpoints, and the forest and rivals where they have the cloud.
func (c *cloud) measure(found shares, set, name, trees, rivals string) error {
	guess, err := c.classify()
	if err != nil {
		return err
	}
	found.replace(c.score(guess).shares(set, name, own))
	if trees != "" {
		guess, err := readForest(filepath.Join(trees, name+".npy"), len(c.meaning))
		if err == nil {
			found.replace(c.score(guess).shares(set, name, forest))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if rivals == "" {
		return nil
	}
	paths, err := filepath.Glob(filepath.Join(rivals, "*", name+".las"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		method := filepath.Base(filepath.Dir(path))
		guess, err := readRival(path, len(c.meaning))
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		of := c.score(guess).shares(set, name, method)
		maps.DeleteFunc(of, func(k share, _ float64) bool {
			return slices.Contains(groundFilters, method) && k.measure != iouOf+"ground"
		})
		found.replace(of)
	}
	return nil
}

// readRival reads the codes of LAS.
func readRival(path string, points int) ([]int, error) {
	p, err := las.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if p.Len() != points {
		return nil, fmt.Errorf("%s has %d points, the tile %d", path, p.Len(), points)
	}
	all := make([]int, points)
	for i, v := range p.Classification {
		all[i] = int(v)
	}
	return all, nil
}

// cloud is a labelled cloud with superpoints, and a classifier.
type cloud struct {
	rules   *classrules.Rules
	meaning []int // set of each point, in the order of the file; −1 = left out
	model   *classes.Model
	points  *classes.Superpoints
	ids     []uint32
	order   []uint32
}

// readCloud reads superpoints and embeddings from uncompressed LAS.
func readCloud(path, rules, base string) (*cloud, error) {
	p, err := las.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := new(cloud)
	if c.rules, err = classrules.Read(rules); err != nil {
		return nil, err
	}
	if c.model, err = models.Classes("classes", base); err != nil {
		return nil, err
	}
	if c.meaning, err = c.rules.Meaning(filepath.Base(path), floats(p.Classification)); err != nil {
		return nil, err
	}
	view := &filter.View{X: p.X, Y: p.Y, Z: p.Z, Dimensions: columns(p),
		Reference: georef.Reference{HorizontalUnit: 1, VerticalUnit: 1}}
	w, err := filter.NewWorkspace(filter.Run{}, view, classes.ShapeNeighbors, 0, nil)
	if err != nil {
		return nil, err
	}
	id, dim := make([]uint32, p.Len()), c.model.Card.Embedding.Dim
	embedding := make([]float32, p.Len()*dim)
	for i, v := range p.Extra["SuperpointID"] {
		id[i] = uint32(v)
	}
	for k := range dim {
		values := p.Extra[fmt.Sprint("Embedding", k)]
		if values == nil {
			return nil, fmt.Errorf("no Embedding%d; give it superpoints by superpoint segment", k)
		}
		for i, v := range values {
			embedding[i*dim+k] = float32(v)
		}
	}
	c.order = w.Order()
	c.points, c.ids, err = w.ClassInput(id, dim, embedding)
	return c, err
}

// columns returns what a classifier reads of points.
func columns(p *las.Points) map[string][]float64 {
	return map[string][]float64{"ReturnNumber": floats(p.ReturnNumber), "NumberOfReturns": floats(p.NumberOfReturns)}
}

// floats returns nil for a dimension that the points lack.
func floats(from []uint8) []float64 {
	if len(from) == 0 {
		return nil
	}
	all := make([]float64, len(from))
	for i, v := range from {
		all[i] = float64(v)
	}
	return all
}

// classify returns the code of every point, in the order of the file.
func (c *cloud) classify() ([]int, error) {
	result, err := c.model.Classify(parallel.Run{}, c.points)
	if err != nil {
		return nil, err
	}
	return c.inFile(func(i int) int { return int(result.Class[i]) }), nil
}

// inFile puts values of points into the order of the file.
func (c *cloud) inFile(value func(i int) int) []int {
	all := make([]int, len(c.order))
	for i, to := range c.order {
		all[to] = value(i)
	}
	return all
}

// readForest reads bytes in NumPy's format.
func readForest(path string, points int) ([]int, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(content) < points || !bytes.HasPrefix(content, []byte("\x93NUMPY")) ||
		!bytes.Contains(content[:len(content)-points], []byte("'|u1'")) {
		return nil, fmt.Errorf("%s: not %d bytes of NumPy", path, points)
	}
	all := make([]int, points)
	for i, v := range content[len(content)-points:] {
		all[i] = int(v)
	}
	return all, nil
}

// clouds lists those of a set on which a method has a measure.
func (s shares) clouds(set, method, measure string) (names []string) {
	for _, k := range s.sorted() {
		if k.set == set && k.method == method && k.measure == measure {
			names = append(names, k.cloud)
		}
	}
	return names
}

// ious lists the IoU of each class.
func (s shares) ious(set, cloud, method string) string {
	var parts []string
	for _, k := range s.sorted() {
		if name, of := strings.CutPrefix(k.measure, iouOf); of && k.set == set && k.cloud == cloud && k.method == method {
			parts = append(parts, fmt.Sprintf("%s %.3f", name, s[k]))
		}
	}
	return strings.Join(parts, ", ")
}

// classes are the classes of superpoints beside those of rivals, and after few labels.
func (t *table) classes(folder string) error {
	s, err := readShares(filepath.Join(folder, "cells", "classes.csv"))
	if err != nil || len(s) == 0 {
		return err
	}
	t.line("## Classes of superpoints\n")
	if err := t.surveysLeftOut(); err != nil {
		return err
	}
	t.line("\nOn tiles of surveys that training has other tiles of, but for the Spanish one (pnoa); rows of the second " +
		"validation set and of the test set are of an earlier classifier. mIoU:\n")
	t.classMethods(s, meanIoU, "IoU of superpoints", own, forest, opc)
	t.line("\nIoU of ground, where labels distinguish it; filters of PDAL with their defaults:\n")
	t.classMethods(s, iouOf+"ground", "", append([]string{own, forest, opc}, groundFilters...)...)
	if err := t.classTimes(folder); err != nil {
		return err
	}
	t.line("\nAccuracy of all points of a tile after so many labelled superpoints, proposed by the tool or drawn by " +
		"chance:\n")
	clouds := s.clouds("val", byTool, labelled+allOf)
	t.head(append([]string{"labels"}, slices.Concat(each(clouds, "tool"), each(clouds, "chance"))...)...)
	for _, n := range append(slices.Clone(budgets), 0) {
		name := strconv.Itoa(n)
		if n == 0 {
			name = allOf
		}
		row := []string{name}
		for _, method := range []string{byTool, byChance} {
			for _, cloud := range clouds {
				row = append(row, shown(s, share{"val", cloud, method, labelled + name}))
			}
		}
		t.row(row...)
	}
	t.line("")
	return nil
}

// classMethods has a measure of methods on each cloud, and its mean over the clouds of a set that all
// methods of the set have; in the last column, if it has a title, the IoU of each class of the
// first method.
func (t *table) classMethods(s shares, measure, ious string, methods ...string) {
	head := append([]string{"cloud"}, methods...)
	if ious != "" {
		head = append(head, ious)
	}
	t.head(head...)
	for _, set := range []string{"val", "second", "test"} {
		clouds := slices.DeleteFunc(s.clouds(set, methods[0], measure), learned)
		common := slices.Clone(clouds)
		for _, m := range methods {
			if of := s.clouds(set, m, measure); len(of) > 0 {
				common = slices.DeleteFunc(common, func(cloud string) bool { return !slices.Contains(of, cloud) })
			}
		}
		mean := map[string]float64{}
		for _, cloud := range clouds {
			row := []string{set + ": " + marked(cloud)}
			for _, m := range methods {
				k := share{set, cloud, m, measure}
				row = append(row, shown(s, k))
				if v, known := s[k]; known && slices.Contains(common, cloud) {
					mean[m] += v / float64(len(common))
				}
			}
			if ious != "" {
				row = append(row, s.ious(set, cloud, methods[0]))
			}
			t.row(row...)
		}
		if len(common) == 0 {
			continue
		}
		row := []string{fmt.Sprintf("%s: mean of %d", set, len(common))}
		for _, m := range methods {
			row = append(row, shown(mean, m))
		}
		if ious != "" {
			row = append(row, "")
		}
		t.row(row...)
	}
}

// shown returns a value as a table cell.
func shown[K comparable](values map[K]float64, key K) string {
	if v, known := values[key]; known {
		return fmt.Sprintf("%.3f", v)
	}
	return "–"
}

func each(clouds []string, who string) (list []string) {
	for _, cloud := range clouds {
		list = append(list, cloud+", "+who)
	}
	return list
}
