package geometric_test

import (
	"fmt"

	"superpoint/embed"
	"superpoint/embed/geometric"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Hand-crafted features, which need no model.
func ExampleEmbedder() {
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
	e, err := geometric.New(10)
	if err != nil {
		panic(err)
	}
	values, err := e.Embed(run, &embed.Input{Cloud: cloud, Neighbors: lists})
	if err != nil {
		panic(err)
	}
	fmt.Println(e.Dim(), "values a point,", len(values)/e.Dim(), "points")
	for i, of := range cloud.Order { // values are in the cloud's order
		if of == 205 || of == 215 {
			fmt.Printf("%.1f m east: planarity %.1f, verticality %.1f\n", x[of], values[5*i+1], values[5*i+3])
		}
	}
	// Output:
	// 5 values a point, 400 points
	// 0.5 m east: planarity 1.0, verticality 0.0
	// 1.5 m east: planarity 0.9, verticality 1.0
}
