package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"superpoint/embed/classes"
	"superpoint/filter"
	"superpoint/filter/classrules"
	"superpoint/filter/georef"
	"superpoint/filter/models"
	"superpoint/partition/parallel"
	"superpoint/testdata/las"
)

// cloud is a labelled cloud with superpoints, and a classifier.
type cloud struct {
	rules   *classrules.Rules
	meaning []int // set of each point, in the order of the file; −1 = left out
	model   *classes.Model
	points  *classes.Superpoints
	ids     []uint32
	order   []uint32
}

func read(path, rules, base string) (*cloud, error) {
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
	label := make([]float64, p.Len())
	for i, v := range p.Classification {
		label[i] = float64(v)
	}
	if c.meaning, err = c.rules.Meaning(filepath.Base(path), label); err != nil {
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
	all := map[string][]float64{}
	put16 := func(name string, values []uint16) {
		for _, v := range values {
			all[name] = append(all[name], float64(v))
		}
	}
	put8 := func(name string, values []uint8) {
		for _, v := range values {
			all[name] = append(all[name], float64(v))
		}
	}
	put16("Intensity", p.Intensity)
	put16("Red", p.Red)
	put16("Green", p.Green)
	put16("Blue", p.Blue)
	put8("ReturnNumber", p.ReturnNumber)
	put8("NumberOfReturns", p.NumberOfReturns)
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

// readClasses reads the classes of a LAS file.
func readClasses(path string) ([]int, error) {
	p, err := las.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := make([]int, p.Len())
	for i, v := range p.Classification {
		all[i] = int(v)
	}
	return all, nil
}
