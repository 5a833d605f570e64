package records_test

import (
	"fmt"

	"superpoint/filter/records"
)

func ExampleFormatFor() {
	fmt.Println(records.FormatFor([]string{"X", "Y", "Z"}), records.FormatFor([]string{"X", "Red", "Infrared"}))
	// Output: 6 8
}
