// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestCountsOfALine: every number of a line of a PCD header counts, and one that is none, or too large, is
// an error.
func TestCountsOfALine(t *testing.T) {
	for line, want := range map[string][]int64{"": nil, "4": {4}, "4 8 1": {4, 8, 1},
		"1 1048576": {1, 1 << 20}} {
		must.Equal(t, must.Get(parseCounts(strings.Fields(line)))(t), want, "numbers of %q", line)
	}
	for line, wrong := range map[string]string{"4 -1 4": "-1", "4 4 x": "x", "1048577 1": "1048577"} {
		must.Fail(parseCounts(strings.Fields(line)))(t, "'"+wrong+"'")
	}
}
