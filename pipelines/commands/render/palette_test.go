// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"superpoint/filter/paint"
	"superpoint/testdata/must"
)

// TestStyleOfQGISHasThePalette: the colours of superpoints in QGIS are 32 different ones of the palette.
func TestStyleOfQGISHasThePalette(t *testing.T) {
	style := string(must.Get(os.ReadFile("../../qgis/superpoint/styles/superpoint.qml"))(t))
	pattern := regexp.MustCompile(`color="(\d+),(\d+),(\d+),255"`)
	colors := map[[3]uint8]bool{}
	for _, found := range pattern.FindAllStringSubmatch(style, -1) {
		var color [3]uint8
		for k, text := range found[1:] {
			color[k] = uint8(must.Get(strconv.ParseUint(text, 10, 8))(t))
		}
		colors[color] = true
		must.Hold(t, slices.Contains(paint.Palette(), color), "%v is no colour of the palette", color)
	}
	must.Equal(t, len(colors), 32, "different colours")
}
