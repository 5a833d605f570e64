// SPDX-License-Identifier: BSD-3-Clause

package embed_test

import (
	"fmt"

	"superpoint/embed"
)

// For a cloud with coordinates only, Auto selects the model that needs nothing else.
func ExampleAuto() {
	m, err := embed.Auto([]string{"X", "Y", "Z"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Card.Name, m.Card.Dim())
	// Output: any 4
}
