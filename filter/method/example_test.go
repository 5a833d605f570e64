package method_test

import (
	"fmt"

	"superpoint/filter/method"
)

func ExampleNames() {
	fmt.Println(method.Names(func(m *method.Method) bool { return m.GMPP }))
	// Output: [ssp geom-graph]
}
