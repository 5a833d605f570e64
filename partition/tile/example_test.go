package tile_test

import (
	"fmt"

	"superpoint/partition/tile"
)

// Tiles of 100 m with a halo of 10 m: a point near a border is seen by two.
func ExampleGrid() {
	g, err := tile.NewGrid(420, 1000, 690, 1180, 100, 10)
	if err != nil {
		panic(err)
	}
	fmt.Println(g.Columns, "×", g.Rows, "tiles from", g.Origin)
	g.Reached(499, 1050, func(column, row int) { fmt.Println("seen by", column, row) })
	column, row := g.At(499, 1050)
	fmt.Println("in the core of", column, row)
	// Output:
	// 3 × 2 tiles from [400 1000]
	// seen by 0 0
	// seen by 1 0
	// in the core of 0 0
}
