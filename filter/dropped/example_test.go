package dropped_test

import (
	"fmt"

	"superpoint/filter/dropped"
)

// A command whose writer leaves the ids out.
func ExampleWarning() {
	ids := []string{"SuperpointID"}
	command := []string{"pdal", "translate", "in.laz", "out.laz", "superpoint"}
	fmt.Println(dropped.Warning(command, ids) != "")
	fmt.Println(dropped.Warning(append(command, "--writers.las.extra_dims=all"), ids) != "")
	// Output:
	// true
	// false
}
