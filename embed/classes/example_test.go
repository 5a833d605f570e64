// SPDX-License-Identifier: BSD-3-Clause

package classes_test

import (
	"fmt"

	"superpoint/embed/classes"
)

// The built-in classifier and the classes that it knows.
func ExampleBuiltin() {
	for _, name := range classes.Builtins() {
		m, err := classes.Builtin(name)
		if err != nil {
			panic(err)
		}
		for _, class := range m.Card.Classes {
			fmt.Println(name, class.Code, class.Name)
		}
	}
	// Output:
	// aerial 2 ground
	// aerial 5 vegetation
	// aerial 6 building
	// aerial 1 other
	// aerial 9 water
}

// Probabilities of three classes; a higher temperature makes them more equal.
func ExampleSoftmax() {
	for _, temperature := range []float32{1, 10} {
		scores := []float32{2, 1, 0}
		classes.Softmax(scores, temperature)
		fmt.Printf("%.2f\n", scores)
	}
	// Output:
	// [0.67 0.24 0.09]
	// [0.37 0.33 0.30]
}
