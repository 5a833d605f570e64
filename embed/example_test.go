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

// The built-in models and the dimensions that they need beside X, Y and Z.
func ExampleBuiltin() {
	for _, name := range embed.Builtins() {
		m, err := embed.Builtin(name)
		if err != nil {
			panic(err)
		}
		fmt.Println(name, m.Card.Missing([]string{"X", "Y", "Z"}))
	}
	// Output:
	// aerial []
	// any []
	// paper [Red Green Blue]
}
