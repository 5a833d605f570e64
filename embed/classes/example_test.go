package classes_test

import (
	"fmt"

	"superpoint/embed/classes"
)

// What the built-in classifier tells apart, and a probability from its numbers.
func ExampleBuiltin() {
	m, err := classes.Builtin("aerial")
	if err != nil {
		panic(err)
	}
	for _, c := range m.Card.Classes {
		fmt.Println(c.Code, c.Name)
	}
	y := []float32{2, 0, 0}
	classes.Softmax(y, 1)
	fmt.Printf("%.2f\n", y)
	// Output:
	// 2 ground
	// 5 vegetation
	// 6 building
	// 1 other
	// 9 water
	// [0.79 0.11 0.11]
}
