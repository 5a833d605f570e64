package classtrain

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"superpoint/embed/classes"
)

// Sample is a cloud with superpoints and labels.
type Sample struct {
	Name     string
	Features *classes.Features
	Graph    *classes.Graph
	Label    []float32 // superpoints × sets: points that have a label standing for a set of classes
}

// Set is the classes that a label stands for, by their place in the card.
type Set []int

func (s *Sample) check(sets []Set, classCount int) error {
	if len(s.Label) != s.Features.Len()*len(sets) {
		return fmt.Errorf("%s: %d labels for %d superpoints and %d sets of classes", s.Name, len(s.Label), s.Features.Len(), len(sets))
	}
	for _, set := range sets {
		if len(set) == 0 || slices.Min(set) < 0 || slices.Max(set) >= classCount {
			return fmt.Errorf("set %v is not of the %d classes", set, classCount)
		}
	}
	return nil
}

// weight is how much a superpoint counts: large ones more, but not as much as
// their points, for a hundred small things teach more than one field.
func (s *Sample) weight(k, sets int) float32 {
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
func (s *Sample) heldOut(k int) bool {
	p := s.Features.Place[k]
	h := fnv.New32a()
	fmt.Fprint(h, s.Name, " ", math.Floor(float64(p[0])/heldOutSide), " ", math.Floor(float64(p[1])/heldOutSide))
	return h.Sum32()%heldOutShare == 0
}
