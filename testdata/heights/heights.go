// SPDX-License-Identifier: BSD-3-Clause

// Package heights writes a classifier for tests: superpoints above their surroundings are code
// 6, building, all others code 2, ground.
package heights

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/embed/classes"
	"superpoint/testdata/must"
)

// File writes the classifier and returns its path.
func File(t testing.TB) string { return FileOf(t, 2, 6) }

// FileOf writes a classifier with the given codes of ground and building.
func FileOf(t testing.TB, ground, building int) string {
	t.Helper()
	m := must.Get(classes.New(&classes.Card{
		Format: classes.Format, Name: "heights", Classes: []classes.Class{{Code: ground, Name: "ground"},
			{Code: building, Name: "building"}},
		Width: 1, Temperature: 1,
	}))(t)
	m.Tensor("in.weight")[slices.Index(classes.FeatureNames(0), "above_mean")] = 1
	m.Tensor("out.weight")[1] = 2 // of the first input to the second class
	m.Tensor("out.bias")[0] = 2
	content := must.Get(m.Save())(t)
	path := filepath.Join(t.TempDir(), "heights.safetensors")
	must.OK(t, os.WriteFile(path, content, 0o644))
	return path
}
