package softcluster_test

import (
	"fmt"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
	"superpoint/partition/softcluster"
)

// Superpoints of SSP-cluster with the height as embedding: a step keeps them apart.
func ExampleSegment() {
	// twenty by twenty points, 10 cm apart: a lower and, to the east, a higher step
	var x, y, z []float64
	for i := range 400 {
		column, row := float64(i%20)*.1, float64(i/20)*.1
		x, y, z = append(x, column), append(y, row), append(z, float64(i%20/10))
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
	graph, err := neighbor.Adjacency(lists, 8, run)
	if err != nil {
		panic(err)
	}
	embedding := make([]float32, len(z))
	for i, of := range cloud.Order { // values are in the cloud's order
		embedding[i] = float32(z[of])
	}
	o := softcluster.Defaults()
	o.SeedResolution = .5
	s, err := softcluster.Segment(run, softcluster.Input{Cloud: cloud, Graph: graph, Embedding: embedding, Dim: 1}, o)
	if err != nil {
		panic(err)
	}
	mixed := 0
	step := make(map[uint32]float64)
	for i, c := range s.Component {
		height := z[cloud.Order[i]]
		if other, ok := step[c]; ok && other != height {
			mixed++
		}
		step[c] = height
	}
	fmt.Println(s.Count, "superpoints,", mixed, "points on another step than theirs")
	// Output: 30 superpoints, 0 points on another step than theirs
}
