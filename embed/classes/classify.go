// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Classified is the classes of a cloud's points, in the cloud's order.
type Classified struct {
	// code of each point; one of noise for isolated points, 0 for others without a superpoint
	Class      []uint8
	Confidence []float32 // probability that the class is correct; 0 for points without a superpoint
	Mean       float64   // mean confidence of the points with a superpoint; 1 without any
	Blank      []string  // dimensions that carry no information, and are not used: "returns", "intensity"
	Spacing    float64   // of the points, metres
	Each       []float32 // probabilities, points × classes of the classifier; nil unless asked for
	Rules      []Ruled   // rules that apply, in their order
	// of points over the ground, metres; nil without ground, or with own classes of heights
	height []float32
}

// Ruled is the number of points to which a rule applies.
type Ruled struct {
	Rule   string `json:"rule"`
	Points int    `json:"points"`
}

// Vegetation returns the codes of low, medium and high vegetation.
func Vegetation() []int { return []int{lowVegetation, mediumVegetation, highVegetation} }

// HasHeights reports whether vegetation of the classifier has all codes of Vegetation, by height.
func (m *Model) HasHeights() bool {
	return m.Index(groundCode) >= 0 && m.Index(lowVegetation) < 0 && m.Index(mediumVegetation) < 0
}

// Vegetation returns the class of a point, where vegetation below the heights of medium and of high
// vegetation has the classes of low and medium one.
func (c *Classified) Vegetation(i int, heights [2]float64) uint8 {
	if c.Class[i] != highVegetation || c.height == nil {
		return c.Class[i]
	}
	switch h := float64(max(0, c.height[i])); {
	case h < heights[0]:
		return lowVegetation
	case h < heights[1]:
		return mediumVegetation
	}
	return highVegetation
}

// Uncertain is the mean confidence below which a cloud is uncertain. Of 137 real clouds, with thinned
// ones, each by the network that has not learned its survey, it finds 5 of the 12 with more than 25 %
// wrong points, and 2 others; 0.85 would find 8, and 9 others.
const Uncertain = 0.8

// Classify computes the class of every superpoint and assigns it to its points, and with each also the
// probabilities of all classes. It returns an error if arrays of s differ in length.
func (m *Model) Classify(run parallel.Run, s *Superpoints, each bool) (*Classified, error) {
	f, g, err := Describe(run, s, m.Card.Embedding.Dim)
	if err != nil {
		return nil, err
	}
	arrays.Collect()
	told := s.find(m.Card.Labels)
	for k, code := range told {
		f.Labels = append(f.Labels, Label{k, code})
	}
	hidden, err := m.hidden(run, f, g)
	if err != nil {
		return nil, err
	}
	p, ruled, err := m.last(run, f, hidden)
	if err != nil {
		return nil, err
	}
	levels, err := m.atLevels(run, p, ruled)
	if err != nil {
		return nil, err
	}
	c := &Classified{Blank: s.blank(), Spacing: s.spacing()}
	if err := c.assign(run, m, s, levels, told, each); err != nil {
		return nil, err
	}
	c.Mean = s.mean(c.Confidence)
	return c, nil
}

// assign sets class, confidence and, with each, the probabilities of every point. told has the classes of
// labelled superpoints.
func (c *Classified) assign(run parallel.Run, m *Model, s *Superpoints, levels *levelled, told map[int]int,
	each bool) error {
	n := s.Cloud.Len()
	c.Class = make([]uint8, n)
	c.Confidence = make([]float32, n)
	if each {
		c.Each = make([]float32, n*len(m.Card.Classes))
	}
	if m.HasHeights() {
		c.height = s.terrain.smrf
		if len(told) > 0 {
			c.height = slices.Clone(c.height)
		}
	}
	var lock sync.Mutex
	counts := make([]int, len(rules))
	err := run.For(n, pointsPerTask, func(lo, hi int) {
		own := make([]int, len(rules))
		for i := lo; i < hi; i++ {
			c.assignPoint(m, s, levels, told, i, own)
		}
		lock.Lock()
		defer lock.Unlock()
		for k, points := range own {
			counts[k] += points
		}
	})
	for k, points := range counts {
		if points > 0 {
			c.Rules = append(c.Rules, Ruled{rules[k].name, points})
		}
	}
	return err
}

// assignPoint gives point i its class: the class that it was told, else a class of noise, else the best class
// of its superpoint at its level. It adds the point to the counts of the rules that decided.
func (c *Classified) assignPoint(m *Model, s *Superpoints, levels *levelled, told map[int]int, i int,
	counts []int) {
	if code, is := told[int(s.whole[i])]; is {
		c.tell(m, i, code)
		return
	}
	k := s.Component[i]
	if k == None {
		if s.Noise != nil && s.Noise[i] {
			c.Class[i] = s.noise(i)
		}
		return
	}
	level := s.Level(i)
	row := levels.of(k, level)
	class, confidence := best(row)
	c.Class[i] = uint8(m.Card.Classes[class].Code)
	c.Confidence[i] = confidence
	if c.Each != nil {
		copy(c.Each[i*len(row):], row)
	}
	levels.count(counts, k, level)
}

// tell gives a point the class of a label.
func (c *Classified) tell(m *Model, i, code int) {
	c.Class[i], c.Confidence[i] = uint8(code), 1
	if c.Each != nil {
		c.Each[i*len(m.Card.Classes)+m.Index(code)] = 1
	}
	if c.height != nil {
		c.height[i] = math.MaxFloat32 // a label of high vegetation is meant
	}
}

// mean returns the mean confidence of the points with a superpoint; 1 without any.
func (s *Superpoints) mean(confidence []float32) float64 {
	sum, points := 0.0, 0
	for i, k := range s.Component {
		if k != None {
			sum += float64(confidence[i])
			points++
		}
	}
	if points == 0 {
		return 1
	}
	return sum / float64(points)
}

// Least and greatest spacing of clouds of training, in metres, with those that were thinned.
const (
	leastSpacing = 0.1
	mostSpacing  = 6.0
)

// SpacingText says that points are farther apart or nearer than any of training; "" if they are not.
func SpacingText(spacing float64) string {
	if spacing >= leastSpacing && spacing <= mostSpacing {
		return ""
	}
	return fmt.Sprintf("the points are %.2g m apart, and those of training %v to %v m", spacing,
		leastSpacing, mostSpacing)
}

// UncertainText says that the mean confidence of points, as it is printed, is low; "" if it is not, or NaN.
// points is their number with its noun.
func UncertainText(mean float64, points string) string {
	if !(math.Round(100*mean) < 100*Uncertain) {
		return ""
	}
	return fmt.Sprintf(
		"the computed classes are uncertain: the mean confidence of %s is %.2f, below %.2f; check them, or "+
			"label superpoints (pdal superpoint propose names those worth it)", points, mean, Uncertain)
}

// Best returns the code and the probability of the most probable class of superpoint row.
func (m *Model) Best(p []float32, row int) (code, confidence float64) {
	n := len(m.Card.Classes)
	class, probability := best(p[row*n : (row+1)*n])
	return float64(m.Card.Classes[class].Code), float64(probability)
}
