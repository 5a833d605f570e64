package filter

import "fmt"

// output is one dimension to write: at returns the value of point i.
type output struct {
	name string
	at   func(i int) float64
}

// Output fills values with one of the dimensions that Describe lists as
// outputs, in the order of the view. It fails for any other name, or if values
// does not have the view's length.
func (s *Segmentation) Output(name string, values []float64) error {
	if len(values) != len(s.ID) {
		return fmt.Errorf("output %s: %d values for %d points", name, len(values), len(s.ID))
	}
	for _, o := range s.outputs {
		if o.name != name {
			continue
		}
		for i := range values {
			values[i] = o.at(i)
		}
		return nil
	}
	return fmt.Errorf("output %q is not written by these options", name)
}
