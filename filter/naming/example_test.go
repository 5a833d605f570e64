package naming_test

import (
	"fmt"

	"superpoint/filter/naming"
)

func ExampleDidYouMean() {
	fmt.Println("no intensty" + naming.DidYouMean("intensty", []string{"intensity", "red"}))
	// Output: no intensty (did you mean intensity?)
}
