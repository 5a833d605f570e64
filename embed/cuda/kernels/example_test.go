package kernels_test

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/embed/cuda/kernels"
)

// The kernels that a GPU's driver compiles for itself.
func ExamplePTX() {
	text, err := kernels.PTX("lpe")
	if err != nil {
		panic(err)
	}
	fmt.Println(kernels.Names()["lpe"], strings.Contains(text, ".target sm_70"))
	fmt.Println(slices.Contains(kernels.Names()["merge"], "merge_best"))
	// Output:
	// [lpe_embed lpe_embed_wide] true
	// true
}
