package models_test

import (
	"fmt"

	"superpoint/filter/models"
)

// The model of the defaults, and what it reads beside positions.
func ExampleLoad() {
	m, err := models.Load("auto", 0, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Name, m.Needs, m.Neighbors, m.Spaced())
	colour, err := models.NewFeatures("Red,Green,Blue", false, []string{"Red", "Green", "Blue"})
	if err != nil {
		panic(err)
	}
	fmt.Println(colour.Name, colour.Needs)
	// Output:
	// any [] 20 true
	// features [Red Green Blue]
}
