package metrics

import (
	"math"
	"strings"
	"testing"
)

func TestLabel(t *testing.T) {
	for v, want := range map[float64]int32{0: 0, 1: 1, 255: 255, math.MaxInt32: math.MaxInt32, -1: None,
		math.Copysign(0, -1): 0} {
		if got, ok := Label(v); !ok || got != want {
			t.Errorf("%v: %d, %v", v, got, ok)
		}
		if err := CheckLabels("Class", []float64{0, v}); err != nil {
			t.Error(err)
		}
	}
	for _, v := range []float64{-3, -2, -0.5, 0.5, 1.5, 1e-300, math.MaxInt32 + 1, 1e300, math.NaN(), math.Inf(1),
		math.Inf(-1)} {
		if got, ok := Label(v); ok {
			t.Errorf("%v is taken as %d", v, got)
		}
		err := CheckLabels("Class", []float64{0, 7, v})
		if err == nil || !strings.Contains(err.Error(), `dimension "Class" of point 2 is `) {
			t.Errorf("%v: %v", v, err)
		}
	}
}
