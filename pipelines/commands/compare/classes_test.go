// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"maps"
	"testing"
)

// TestUserCodes: codes of national tables are class 1, unless they are predicted. A missed class of LAS stays one.
func TestUserCodes(t *testing.T) {
	count := map[[2]int]int64{{64, 1}: 5, {65, 2}: 3, {66, 66}: 7, {9, 2}: 4, {1, 1}: 1}
	want := map[[2]int]int64{{1, 1}: 6, {1, 2}: 3, {66, 66}: 7, {9, 2}: 4}
	if got := mergeUserCodes(count); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	rows := ScoreClasses(map[[2]int]int64{{2, 2}: 300, {2, 6}: 100, {6, 6}: 99})
	if all := rows[len(rows)-1]; all.Name != "all" || all.IoU != 0.75 { // 99 true points of class 6 are too few
		t.Errorf("%+v", all)
	}
}
