package classes

import (
	"slices"

	"superpoint/partition/base/parallel"
)

// Noise is the class of outliers, LAS's "low point (noise)".
const Noise = 7

// Classified is the classes of a cloud's points, in the cloud's order.
type Classified struct {
	Class      []uint8   // code of each point; Noise for noise, 0 for others without a superpoint
	Confidence []float32 // probability that the class is correct; 0 for points without a superpoint
	Unlike     float64   // share of features out of the range of all training clouds, see Model.Unlike
	Warning    string    // "" if the share is small
}

// Classify computes the class of every superpoint and assigns it to its points. It returns
// an error if arrays of s differ in length.
func (m *Model) Classify(run parallel.Run, s *Superpoints) (*Classified, error) {
	f, g, err := Describe(run, s, m.Card.Embedding.Dim)
	if err != nil {
		return nil, err
	}
	p, _, err := m.Probabilities(run, f, g)
	if err != nil {
		return nil, err
	}
	n, classes := s.Cloud.Len(), len(m.Card.Classes)
	c := &Classified{Class: make([]uint8, n), Confidence: make([]float32, n)}
	c.Unlike, c.Warning = m.Unlike(f)
	return c, run.For(n, pointsPerTask, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if k := s.Component[i]; k != None {
				row := p[int(k)*classes : (int(k)+1)*classes]
				if c.Class[i], c.Confidence[i] = m.best(row); s.terrain.tooHigh[i] {
					c.Class[i], c.Confidence[i] = m.aboveTerrain(row)
				}
			} else if s.Noise != nil && s.Noise[i] {
				c.Class[i] = Noise
			}
		}
	})
}

// best returns the code and the probability of the most probable class.
func (m *Model) best(p []float32) (code uint8, confidence float32) {
	confidence = slices.Max(p)
	return uint8(m.Card.Classes[slices.Index(p, confidence)].Code), confidence
}

// Best returns the code and the probability of the most probable class of superpoint row.
func (m *Model) Best(p []float32, row int) (code, confidence float64) {
	n := len(m.Card.Classes)
	c, probability := m.best(p[row*n : (row+1)*n])
	return float64(c), float64(probability)
}

// Last applies the last layer and softmax to its inputs, superpoints × 2·width, and returns
// the probabilities, superpoints × classes.
func (m *Model) Last(hidden []float32) []float32 {
	w, n := 2*m.Card.hidden(), len(m.Card.Classes)
	p := make([]float32, len(hidden)/w*n)
	for k := range len(hidden) / w {
		out := p[k*n : (k+1)*n]
		dense(out, hidden[k*w:(k+1)*w], m.tensors["out.weight"], m.tensors["out.bias"])
		Softmax(out, float32(m.Card.Temperature))
	}
	return p
}
