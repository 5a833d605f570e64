// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"strings"
	"testing"

	"superpoint/filter/georef"
	"superpoint/pipelines/files/pdalprocess"
)

// The share of points that are there twice is that of the area of the tiles.
func TestOverlapsHaveAShare(t *testing.T) {
	metres := georef.Reference{HorizontalUnit: 1}
	tile := func(path string, x float64) *Header {
		return &Header{path, pdalprocess.Bounds{MinX: x, MaxX: x + 35, MaxY: 60}, metres}
	}
	text := overlaps([]*Header{tile("west", 0), tile("east", 25)})
	if !strings.HasPrefix(text, "west and east overlap by 10 × 60 m (29 % of the area of all)") ||
		!strings.Contains(text, "leave out buffers") {
		t.Error(text)
	}
	if text := overlaps([]*Header{tile("west", 0), tile("east", 35)}); text != "" {
		t.Error(text)
	}
}
