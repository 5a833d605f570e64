package command

import (
	"encoding/json"
	"math"
	"path/filepath"

	"superpoint/embed/classes"
	"superpoint/filter/census"
)

// describe makes the columns of the attributes.
func (o *outlines) describe() error {
	o.spaced = o.spacing()
	classes, err := o.majority()
	if err != nil {
		return err
	}
	if o.label != nil {
		if classes, err = o.toLabel(classes); err != nil {
			return err
		}
	}
	o.area = make([]float64, o.groups.Len())
	o.columns = append(append(o.ids(), classes...),
		o.formColumn("zmin", 3, func(f *census.Form) float64 { return f.Min[2] }),
		o.formColumn("zmax", 3, func(f *census.Form) float64 { return f.Max[2] }),
		o.formColumn("height", 3, (*census.Form).Height),
		column{"area", 3, o.area})
	o.columns = append(o.columns, o.shapes()...)
	for _, name := range o.mean {
		values, _, err := o.groups.Statistics(o.run(name), o.superpoints.columns.Dimensions[name])
		if err != nil {
			return err
		}
		o.columns = append(o.columns, column{name + "_mean", 5, values})
	}
	return nil
}

// toLabel adds the columns label, which is empty, and confidence, 0 where nothing was
// classified.
func (o *outlines) toLabel(columns []column) ([]column, error) {
	label := column{name: "label", values: make([]float64, o.groups.Len())}
	for k := range label.values {
		label.values[k] = math.NaN()
	}
	sure := column{name: "confidence", digits: 3, values: make([]float64, o.groups.Len())}
	if values := o.superpoints.columns.Dimensions[confidenceDimension]; values != nil {
		mean, _, err := o.groups.Statistics(o.run("confidence"), values)
		if err != nil {
			return nil, err
		}
		sure.values = mean
	}
	return append([]column{label}, append(columns, sure)...), nil
}

// quoted returns a file's name, without its folder, as JSON.
func quoted(path string) []byte {
	text, err := json.Marshal(filepath.Base(path))
	if err != nil { // not of a string
		panic(err)
	}
	return text
}

// outlines is one run of outline, and then one of its files.
type outlines struct {
	*superpoints
	top     bool
	maxEdge float64 // longest edge, or widest gap, in metres; 0 = from the spacing
	cell    float64 // of --top, in metres; 0 = the spacing
	mean    []string
	label   []classes.Class // that the column label offers; nil = there is none

	source  []byte  // the file's name in quotes; nil with one file
	spaced  float64 // metres between points seen from above
	columns []column
	area    []float64 // filled as polygons are made
}
