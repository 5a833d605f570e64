// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"testing"

	"superpoint/pipelines/commands/map/contents"
	"superpoint/testdata/must"
)

// TestRoundedHeights: heights that were computed have four decimals, so one may lie below the lowest point,
// or above the highest, by what was rounded, and by no more.
func TestRoundedHeights(t *testing.T) {
	checks := &cells{points: &bounds{lowest: 0.33333334, highest: 6.39583333}}
	for name, c := range map[string]struct {
		surface float32
		words   string
	}{
		"lowest, rounded":  {0.3333, ""},
		"highest, rounded": {6.3959, ""},
		"too low":          {0.333, "surface.tif: height 0.333"},
		"too high":         {6.3965, "surface.tif: height 6.3965"},
	} {
		s := &strip{heights: map[string][]float32{contents.Surface: {c.surface}}}
		s.columns = 1
		must.Says(t, checks.checkStrip(s), c.words, "%s", name)
	}
}
