package classtrain

import (
	"math"

	"superpoint/embed/classes"
	"superpoint/partition/parallel"
)

// calibrate chooses the temperature by which held-out labels are likeliest (Guo et
// al. 2017, arXiv:1706.04599).
func (t *trainer) calibrate() error {
	t.model.Card.Temperature = 1
	var rows []calibrated
	for _, s := range t.samples {
		p, _, err := t.model.Probabilities(parallel.Run{}, s.Features, s.Graph)
		if err != nil {
			return err
		}
		c := len(t.model.Card.Classes)
		for k := range s.Features.Len() {
			if heldOut(s, k) {
				rows = append(rows, calibrated{p[k*c : (k+1)*c], s.Label[k*len(t.sets) : (k+1)*len(t.sets)]})
			}
		}
	}
	best, least := 1.0, math.Inf(1)
	for step := -20; step <= 20; step++ {
		temperature := math.Exp(float64(step) / 10)
		if loss := t.loss(rows, temperature); loss < least {
			best, least = temperature, loss
		}
	}
	t.model.Card.Temperature = math.Round(best*1000) / 1000
	return nil
}

// calibrated is a held-out superpoint: probabilities at temperature 1, and labels.
type calibrated struct{ p, label []float32 }

// loss is the negative logarithm of the labels' likelihood, points counting alike.
func (t *trainer) loss(rows []calibrated, temperature float64) (sum float64) {
	y := make([]float32, len(t.model.Card.Classes))
	for _, r := range rows {
		for c, p := range r.p {
			y[c] = float32(math.Log(float64(p) + 1e-12))
		}
		classes.Softmax(y, float32(temperature))
		for s, points := range r.label {
			q := 1e-6
			for _, c := range t.sets[s] {
				q += float64(y[c])
			}
			sum -= float64(points) * math.Log(q)
		}
	}
	return sum
}
