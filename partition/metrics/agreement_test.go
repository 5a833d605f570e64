package metrics

import (
	"math"
	"testing"
)

// Hubert and Arabie's index of {0,0,1,1} against {0,0,1,2}: pairs together in
// both 1, in the first 2, in the second 1, of 6: (1 − 1/3)/(3/2 − 1/3) = 4/7.
func TestAdjustedRand(t *testing.T) {
	for _, c := range []struct {
		a, b []int32
		want float64
	}{
		{[]int32{0, 0, 1, 1}, []int32{0, 0, 1, 2}, 4. / 7},
		{[]int32{0, 0, 1, 1}, []int32{5, 5, 3, 3}, 1},
		{[]int32{0, 0, 1, 1}, []int32{0, 1, 0, 1}, -0.5},
		{[]int32{0, 0, 1, 1, -1, 1}, []int32{0, 0, 1, 2, 0, -2}, 4. / 7},
		{[]int32{0, 0, 0}, []int32{1, 1, 1}, 1},
		{[]int32{0}, []int32{0}, math.NaN()},
	} {
		got, err := AdjustedRand(c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "adjusted Rand index", got, c.want)
		back, _ := AdjustedRand(c.b, c.a)
		near(t, "swapped", back, c.want)
	}
	if _, err := AdjustedRand([]int32{1}, nil); err == nil {
		t.Error("no error for different lengths")
	}
}
