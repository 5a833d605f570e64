// SPDX-License-Identifier: BSD-3-Clause

package option

import (
	"slices"
	"testing"

	"superpoint/filter/cloud"
	"superpoint/testdata/must"
)

// TestClassInputs: any classifier, built in or of a file, reads what classifiers read, and classes and
// confidences that it may keep.
func TestClassInputs(t *testing.T) {
	without := &Options{ClassDimension: "Classification"}
	must.Equal(t, without.ClassInputs(), nil, "dimensions without classes")
	for _, classes := range []string{"aerial", "town.safetensors"} {
		o := &Options{Classes: classes, ClassDimension: "Guess"}
		want := slices.Concat(cloud.ClassInputs(), []string{"Guess", "ClassConfidence"})
		must.Equal(t, o.ClassInputs(), want, "dimensions that %s reads", classes)
	}
}
