// SPDX-License-Identifier: BSD-3-Clause

package lasformat

import (
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestFormats compares with tables 7 to 17 of LAS 1.4 R15.
func TestFormats(t *testing.T) {
	for format, want := range []string{"", "GpsTime", "Red Green Blue", "GpsTime Red Green Blue", "GpsTime",
		"GpsTime Red Green Blue", "GpsTime ScanChannel", "GpsTime Red Green Blue ScanChannel",
		"GpsTime Red Green Blue Infrared ScanChannel", "GpsTime ScanChannel",
		"GpsTime Red Green Blue Infrared ScanChannel",
	} {
		var got []string
		for _, name := range []string{"GpsTime", "Red", "Green", "Blue", "Infrared", "ScanChannel"} {
			if Holds(format, name) {
				got = append(got, name)
			}
		}
		must.Hold(t, strings.Join(got, " ") == want,
			`format %d has %v, want %s: strings.Join(got, " ") is not want`, format, got, want)
		must.Hold(t, Holds(format, "Intensity"),
			`format %d has %v, want %s: Holds(format, "Intensity") is false`, format, got, want)
		must.Hold(t, !Holds(format, "Amplitude"),
			`format %d has %v, want %s: Holds(format, "Amplitude") is true`, format, got, want)
		must.Equal(t, MaxClass(format), map[bool]int{true: 31, false: 255}[format < 6],
			"largest class of format %d", format)
	}
	for names, want := range map[string]int{"X Amplitude": 6, "Blue": 7, "Infrared": 8, "Infrared Red": 8} {
		must.Equal(t, For(strings.Fields(names)), want, "format for %s", names)
	}
}
