package lin_test

import (
	"fmt"

	"superpoint/partition/lin"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Segments of about 50 points.
func ExampleSegment() {
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
	o := lin.Defaults()
	o.Target = 50
	s, err := lin.Segment(run, lin.Input{Cloud: cloud, Neighbors: lists}, o)
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Count, "segments, seeds", fmt.Sprintf("%.2f m", s.Resolution), "apart")
	// Output: 8 segments, seeds 1.00 m apart
}
