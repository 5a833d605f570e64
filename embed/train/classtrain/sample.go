package classtrain

import (
	"fmt"
	"hash/fnv"
	"math"

	"superpoint/embed/classes"
)

// weight is how much a superpoint counts: large ones more, but not as much as
// their points, for a hundred small things teach more than one field.
func weight(s *classes.Sample, k, sets int) float32 {
	var points float32
	for _, v := range s.Label[k*sets : (k+1)*sets] {
		points += v
	}
	return float32(math.Sqrt(float64(points)))
}

// heldOutSide and heldOutShare say what is kept from training to measure
// confidence on: squares of this side in metres, one in this many.
const (
	heldOutSide  = 20
	heldOutShare = 10
)

// heldOut tells whether a superpoint lies in a square that is kept back.
func heldOut(s *classes.Sample, k int) bool {
	p := s.Features.Place[k]
	h := fnv.New32a()
	fmt.Fprint(h, s.Name, " ", math.Floor(float64(p[0])/heldOutSide), " ", math.Floor(float64(p[1])/heldOutSide))
	return h.Sum32()%heldOutShare == 0
}
