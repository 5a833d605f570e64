package contrastive_test

import (
	"fmt"

	"superpoint/embed/train/contrastive"
	"superpoint/partition/oracle"
)

// Three points in a row, the last of another object: the loss falls when its
// embedding is on the other side.
func ExampleValue() {
	graph := oracle.Graph(3, [][2]int{{0, 1}, {1, 2}})
	edges := contrastive.NewEdges(graph, []uint32{0, 0, 1})
	loss := contrastive.Loss{Delta: .3}
	together := contrastive.Value(loss, graph, edges, []float64{1, 0, 1, 0, 1, 0}, 2, nil)
	apart := contrastive.Value(loss, graph, edges, []float64{1, 0, 1, 0, -1, 0}, 2, nil)
	fmt.Printf("%d true transition; together %.2f, apart %.2f\n", edges.Inters, together, apart)
	// Output: 1 true transition; together 0.50, apart 0.00
}
