// Package heights is a classifier made by hand for tests: code 6, building, lies
// higher than its surroundings, all else is code 2, ground.
package heights

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/embed/classes"
)

// File writes the classifier and returns its path.
func File(t testing.TB) string { return FileOf(t, 2, 6) }

// FileOf writes a classifier that has other codes for ground and building.
func FileOf(t testing.TB, ground, building int) string {
	t.Helper()
	m, err := classes.New(&classes.Card{
		Format: classes.Format, Name: "heights", Classes: []classes.Class{{Code: ground, Name: "ground"},
			{Code: building, Name: "building"}},
		Width: 1, Temperature: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	m.Tensor("in.weight")[slices.Index(classes.FeatureNames(0), "above_mean")] = 1
	m.Tensor("out.weight")[1] = 2 // of the first input to the second class
	m.Tensor("out.bias")[0] = 2
	content, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "heights.safetensors")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
