package child_test

import (
	"fmt"

	"superpoint/filter/child"
)

// The dimensions that a pdal writes beside those of LAS.
func ExampleExtraDims() {
	fields := []child.Field{{Name: "SuperpointID", Type: "uint32_t"}, {Name: "Embedding0", Type: "float"}}
	fmt.Println(child.ExtraDims(fields))
	// Output: SuperpointID=uint32_t,Embedding0=float
}
