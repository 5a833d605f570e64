package filter_test

import (
	"fmt"

	"superpoint/filter"
)

func ExampleOptionsOf() {
	o, err := filter.OptionsOf(map[string]string{"method": "vccs", "target_size": "100"})
	fmt.Println(o.Method, o.TargetSize, err)
	_, err = filter.OptionsOf(map[string]string{"knn": "300"})
	fmt.Println(err)
	// Output:
	// vccs 100 <nil>
	// option knn: 300 is out of range; give a whole number from 1 to 64, for example 20
}
