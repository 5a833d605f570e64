package embed_test

import (
	"fmt"

	"superpoint/embed"
)

// The model that needs no more than positions is chosen where there is no more.
func ExampleAuto() {
	m, err := embed.Auto([]string{"X", "Y", "Z"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Card.Name, m.Card.Dim())
	// Output: any 4
}
