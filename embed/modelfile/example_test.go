package modelfile_test

import (
	"fmt"

	"superpoint/embed/modelfile"
)

// A file of one tensor and a card, written and read.
func ExampleParse() {
	shape := []modelfile.Tensor{{Name: "weight", Shape: []int{1, 2}}}
	check := func(name string, i int, v float32) error {
		if !(v > -modelfile.Largest && v < modelfile.Largest) {
			return modelfile.Bad(name, i, v)
		}
		return nil
	}
	stored := modelfile.Values{Floats: map[string][]float32{"weight": {3, 4}}}
	file, err := modelfile.Make(shape, stored, check, func(string) ([]byte, error) {
		return []byte("name: mine"), nil
	})
	if err != nil {
		panic(err)
	}
	f, err := modelfile.Parse(file)
	if err != nil {
		panic(err)
	}
	values, _, err := f.Tensors(shape, check)
	fmt.Println(string(f.Card), values.Floats, err)
	// Output: name: mine map[weight:[3 4]] <nil>
}
