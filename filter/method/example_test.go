// SPDX-License-Identifier: BSD-3-Clause

package method_test

import (
	"fmt"

	"superpoint/filter/method"
)

// The methods that compute embeddings, and those that do not.
func ExampleNames() {
	fmt.Println(method.Names(func(m *method.Method) bool { return m.Embeds }))
	fmt.Println(method.Names(func(m *method.Method) bool { return !m.Embeds }))
	// Output:
	// [ssp ssp-cluster geom-graph]
	// [vccs lin]
}
