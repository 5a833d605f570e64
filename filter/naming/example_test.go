package naming_test

import (
	"fmt"

	"superpoint/filter/naming"
)

func ExampleMissing() {
	fmt.Println(naming.Missing("intensty", "option features", []string{"Intensity", "Red"}))
	// Output: dimension "intensty" is missing (option features) (did you mean Intensity?); the view has Intensity, Red
}
