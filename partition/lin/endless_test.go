package lin

import (
	"math"
	"testing"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Points whose distance float32 cannot hold once kept λ doubling for ever.
func TestDistancesBeyondFloat32End(t *testing.T) {
	far := []float64{0, math.MaxFloat64 / 4, -math.MaxFloat64 / 4, 1}
	cloud, err := neighbor.New(far, []float64{0, 1, 2, 3}, []float64{0, 0, 0, 0}, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	lists, err := cloud.Nearest(3, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	o := Defaults()
	o.Target = 4
	s, err := Segment(parallel.Run{}, Input{Cloud: cloud, Neighbors: lists}, o)
	if err != nil || len(s.Component) != 4 {
		t.Errorf("%+v, %v", s, err)
	}
}
