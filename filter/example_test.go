// SPDX-License-Identifier: BSD-3-Clause

package filter_test

import (
	"fmt"

	"superpoint/filter/cloud"
	"superpoint/filter/option"
	"superpoint/filter/steps"

	"superpoint/filter"
)

// Two squares, one 5 m above the other, are two superpoints.
func Example() {
	var view cloud.View
	for i := range 200 {
		view.X = append(view.X, float64(i%10)/10)
		view.Y = append(view.Y, float64(i/10%10)/10)
		view.Z = append(view.Z, float64(i/100*5))
	}
	options, err := option.OptionsOf(map[string]string{"model": "geometric", "target_size": "100"})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := filter.New(options, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := f.Segment(steps.Run{}, &view)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Count, s.ID[0], s.ID[99], s.ID[100], s.ID[199])
	// Output: 2 1 1 2 2
}

func ExampleOptionsOf() {
	o, err := option.OptionsOf(map[string]string{"method": "vccs", "target_size": "100"})
	fmt.Println(o.Method, o.TargetSize, err)
	_, err = option.OptionsOf(map[string]string{"knn": "300"})
	fmt.Println(err)
	// Output:
	// vccs [100] <nil>
	// option knn: 300 is out of range; give a whole number from 1 to 64, for example 20
}
