// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"math"
	"slices"
	"testing"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/train"
)

// A cloud is thinned to the same points in every run, in all columns.
func TestThinned(t *testing.T) {
	const n = 20000
	c, meaning := &command.Columns{Dimensions: map[string][]float64{"Intensity": nil}}, make([]int, n)
	for i := range n {
		c.X, c.Y, c.Z = append(c.X, float64(i)), append(c.Y, float64(-i)), append(c.Z, 0)
		c.Dimensions["Intensity"] = append(c.Dimensions["Intensity"], float64(2*i))
		meaning[i] = i
	}
	few, of := train.Thinned(c, meaning, 0.25)
	if share := float64(len(few.X)) / n; math.Abs(share-0.25) > 0.02 {
		t.Errorf("a share of %v", share)
	}
	for i, x := range few.X {
		if few.Y[i] != -x || few.Dimensions["Intensity"][i] != 2*x || float64(of[i]) != x {
			t.Fatalf("point %v has the columns of others", x)
		}
	}
	again, _ := train.Thinned(c, meaning, 0.25)
	if !slices.Equal(again.X, few.X) {
		t.Error("other points in another run")
	}
}
