// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"
	"path/filepath"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestLabelsOfProposed: the first proposals of which most labelled points have one class get its code. In
// tile ahn_a, class 1 may be vegetation or other, and 3 says nothing.
func TestLabelsOfProposed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	segmented := filepath.Join(dir, "ahn_a.las")
	class := []uint8{2, 2, 6, 3, 3, 3, 1, 1, 6, 6, 3, 9}
	ids := []float64{4, 4, 4, 4, 4, 4, 2, 2, 7, 7, 5, 1}
	p := &las.Points{Classification: class, X: make([]float64, len(ids)), Y: make([]float64, len(ids)),
		Z: make([]float64, len(ids)), Extra: map[string][]float64{"SuperpointID": ids}}
	must.OK(t, las.WriteFile(segmented, p, 0.01))
	proposed := filepath.Join(dir, "proposed.csv")
	must.OK(t, os.WriteFile(proposed, []byte("id,count,label\n2,2,\n5,1,\n7,2,\n4,6,\n1,1,\n"), 0o600))
	labels := filepath.Join(dir, "labels.csv")
	rules := filepath.Join("..", "..", classesRules)
	must.OK(t, labelCommand([]string{"-rules", rules, "-count", "2", segmented, proposed, labels}))
	text := must.Get(os.ReadFile(labels))(t)
	must.Equal(t, string(text), "id,label\n7,6\n4,2\n", "labels of superpoints")
	must.Fail(labelCommand([]string{segmented}))(t, "give SEGMENTED.las")
}
