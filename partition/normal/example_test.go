package normal_test

import (
	"fmt"

	"superpoint/partition/neighbor"
	"superpoint/partition/normal"
	"superpoint/partition/parallel"
)

// Normals of level ground and of a slope.
func ExampleEstimate() {
	// twenty by twenty points, 10 cm apart: level ground and, to the east, a slope of 45 degrees
	var x, y, z []float64
	for i := range 400 {
		column, row := float64(i%20)*.1, float64(i/20)*.1
		x, y, z = append(x, column), append(y, row), append(z, max(column-.95, 0))
	}
	run := parallel.Run{}
	cloud, err := neighbor.New(x, y, z, run)
	if err != nil {
		panic(err)
	}
	lists, err := cloud.Nearest(14, run)
	if err != nil {
		panic(err)
	}
	n, err := normal.Estimate(run, cloud, lists, 8)
	if err != nil {
		panic(err)
	}
	for i, of := range cloud.Order { // normals are in the cloud's order
		if of == 205 || of == 215 {
			fmt.Printf("%.1f m east: %.2f\n", x[of], n[i])
		}
	}
	// Output:
	// 0.5 m east: [0.00 0.00 1.00]
	// 1.5 m east: [-0.71 0.00 0.71]
}
