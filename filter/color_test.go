package filter

import "testing"

func TestColorsDifferWhereSuperpointsTouch(t *testing.T) {
	view, _ := roof(20000, 11)
	s := mustSegment(t, mustFilter(t, `{"model":"geometric","color":true,"target_size":20}`), view)
	var used [256]int
	for _, k := range s.color {
		used[k]++
	}
	for k, n := range used {
		if (n == 0) != (k >= 32) && s.Count > 500 {
			t.Errorf("colour %d is used %d times", k, n)
		}
	}
}
