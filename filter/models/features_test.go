// SPDX-License-Identifier: BSD-3-Clause

package models

import (
	"slices"
	"testing"

	"superpoint/embed"
)

// TestRangesOfGroups: colours share one scale, and so do bands; other features have their own.
func TestRangesOfGroups(t *testing.T) {
	f := features{"Red", "Intensity", "Green", "band_1", "Blue", "band_2"}
	in := &embed.Input{Attributes: map[string][]float32{"Red": {10, 20}, "Green": {5, 15}, "Blue": {12, 90},
		"Intensity": {1, 2}, "band_1": {-3, 0}, "band_2": {4, 7}}}
	low, high := f.ranges(in)
	if !slices.Equal(low, []float32{5, 1, 5, -3, 5, -3}) || !slices.Equal(high, []float32{90, 2, 90, 7, 90, 7}) {
		t.Errorf("%v from %v to %v", f, low, high)
	}
}
