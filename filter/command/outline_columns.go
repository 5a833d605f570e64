package command

import (
	"encoding/json"
	"path/filepath"

	"superpoint/filter/census"
)

// describe makes the columns of the attributes.
func (o *outlines) describe() error {
	o.spaced = o.spacing()
	classes, err := o.majority()
	if err != nil {
		return err
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

// quoted returns a file's name, without its folder, as JSON.
func quoted(path string) []byte {
	text, err := json.Marshal(filepath.Base(path))
	if err != nil { // not of a string
		panic(err)
	}
	return text
}
