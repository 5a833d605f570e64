package memory_test

import (
	"fmt"

	"superpoint/filter/memory"
)

func ExampleWork_PerPoint() {
	usual := memory.Work{Neighbors: 20, Adjacent: 10, Columns: 4}
	delaunay := usual
	delaunay.Delaunay = true
	fmt.Println(delaunay.PerPoint() - usual.PerPoint())
	// Output: 430
}
