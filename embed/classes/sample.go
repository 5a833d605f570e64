package classes

import (
	"errors"
	"fmt"
	"slices"
)

// Sample is a cloud with superpoints and labels, to train on.
type Sample struct {
	Name     string
	Features *Features
	Graph    *Graph
	Label    []float32 // superpoints × sets: points that have a label standing for a set of classes
	Weight   float64   // how often it is learned from, beside other samples of its size; 0 = 1
}

// Set is the classes that a label stands for, by their place in the card.
type Set []int

// CheckSamples refuses samples that do not go with the sets, and sets of classes
// that there are not.
func CheckSamples(samples []*Sample, sets []Set, classCount int) error {
	if len(samples) == 0 {
		return errors.New("no samples to train on")
	}
	for _, set := range sets {
		if len(set) == 0 || slices.Min(set) < 0 || slices.Max(set) >= classCount {
			return fmt.Errorf("set %v is not of the %d classes", set, classCount)
		}
	}
	for _, s := range samples {
		if len(s.Label) != s.Features.Len()*len(sets) {
			return fmt.Errorf("%s: %d labels for %d superpoints and %d sets of classes", s.Name, len(s.Label), s.Features.Len(),
				len(sets))
		}
	}
	return nil
}
