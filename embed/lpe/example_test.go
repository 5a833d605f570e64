package lpe_test

import (
	"fmt"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// The embeddings of a built-in model, of length 1.
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
	lists, err := cloud.Nearest(20, run)
	if err != nil {
		panic(err)
	}
	model, err := embed.Builtin("any")
	if err != nil {
		panic(err)
	}
	e, err := lpe.New(model)
	if err != nil {
		panic(err)
	}
	values, err := e.Embed(run, &embed.Input{Cloud: cloud, Neighbors: lists})
	if err != nil {
		panic(err)
	}
	var square float64
	for _, v := range values[:e.Dim()] {
		square += float64(v) * float64(v)
	}
	fmt.Printf("%d points, length %.3f\n", len(values)/e.Dim(), square)
	// Output: 400 points, length 1.000
}
