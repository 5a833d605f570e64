package classes

import (
	"slices"

	"superpoint/partition/parallel"
)

// Noise is the class of outliers, LAS's "low point (noise)".
const Noise = 7

// Classified is the classes of a cloud's points, in the cloud's order.
type Classified struct {
	Class      []uint8   // code of each point; Noise for noise, 0 for others without a superpoint
	Confidence []float32 // share of right answers to expect, in [0, 1]; 0 for points without a superpoint
	Unlike     float64   // share of features beyond those of all clouds that were learned from, see Model.Unlike
	Warning    string    // "" if the cloud is like them
}

// Classify gives every point of a superpoint the class of it.
func (m *Model) Classify(run parallel.Run, s *Superpoints) (*Classified, error) {
	f, err := Describe(run, s, m.Card.Embedding.Dim)
	if err != nil {
		return nil, err
	}
	g, err := NewGraph(run, s, f)
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
	return c, run.For(n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if k := s.Component[i]; k != None {
				c.Class[i], c.Confidence[i] = m.best(p[int(k)*classes : (int(k)+1)*classes])
			} else if s.Noise != nil && s.Noise[i] {
				c.Class[i] = Noise
			}
		}
	})
}

// best returns the code and the probability of the likeliest class.
func (m *Model) best(p []float32) (code uint8, confidence float32) {
	confidence = slices.Max(p)
	return uint8(m.Card.Classes[slices.Index(p, confidence)].Code), confidence
}

// Best returns the code and the probability of the likeliest class of a row of
// probabilities.
func (m *Model) Best(p []float32, row int) (code, confidence float64) {
	n := len(m.Card.Classes)
	c, sure := m.best(p[row*n : (row+1)*n])
	return float64(c), float64(sure)
}

// Last returns the probabilities that the last layer makes of what it reads.
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
