package train

import (
	"math"
	"testing"

	"superpoint/testdata/must"
)

const clusterRecipe = smallRecipe + "loss: {kind: clusters, clusters: {size: 60, embedding: 4, compactness: 0.01}}\n"

// TestClustersLearn: 40 steps on one batch lower its loss.
func TestClustersLearn(t *testing.T) {
	s := newOneStep(t, mustParse(t, clusterRecipe))
	a, last := &adam{Rate: 0.01, Clip: 1}, 0.0
	for range 40 {
		last = must.Get(s.step.step(s.batch, a.step))(t)
	}
	if !(last < 0.5*s.loss) {
		t.Errorf("the loss went from %g to %g", s.loss, last)
	}
}

// TestClusterTraining: the card has γ and κ, and the figures of validation are
// those of SSP-cluster.
func TestClusterTraining(t *testing.T) {
	o, _ := options(t, clusterRecipe, 0, "t1.las", "t2.las")
	o.Validation = []string{"v1.las"}
	m := must.Get(Train(newMemory(), o))(t)
	if c := m.Card.Partition.Clusters; c == nil || c.Embedding != 4 || c.Spatial != 1 {
		t.Errorf("the card has clusters %+v", c)
	}
	if len(m.Card.Training.Figures) != 3 {
		t.Errorf("figures %v", m.Card.Training.Figures)
	}
}

func TestClusterRecipes(t *testing.T) {
	for text, want := range map[string]string{
		"kind: soft":                                 "loss.kind is soft",
		"kind: clusters, clusters: {size: 1}":        "loss.clusters: size is 1",
		"kind: clusters, clusters: {embedding: 0}":   "partition.clusters is {0 1}",
		"kind: clusters, clusters: {iterations: 0}":  "iterations is 0",
		"kind: clusters, clusters: {compactness: x}": "cannot unmarshal",
	} {
		must.Fail(ParseRecipe([]byte(smallRecipe+"loss: {"+text+"}\n")))(t, want)
	}
}

// level is a level grid of points a metre apart.
func level(side int) *Columns {
	c := &Columns{Dimensions: map[string][]float64{"Classification": nil}}
	for i := range side * side {
		c.X, c.Y, c.Z = append(c.X, float64(i%side)), append(c.Y, float64(i/side)), append(c.Z, 5)
		c.Dimensions["Classification"] = append(c.Dimensions["Classification"], float64(i))
	}
	return c
}

// TestStripes: one of four lines is kept, so that gaps are three metres wide, and every
// point keeps its label.
func TestStripes(t *testing.T) {
	const side = 100
	c := level(side)
	c.change(&Group{Thin: 4, Lines: true})
	if n := len(c.X); n < side*side/5 || n > side*side/3 {
		t.Fatalf("%d of %d points are left, want a quarter", n, side*side)
	}
	lonely := 0 // points without others within two metres on both sides, in some direction
	at := map[[2]float64]bool{}
	for i := range c.X {
		at[[2]float64{c.X[i], c.Y[i]}] = true
		if label := int(c.Dimensions["Classification"][i]); c.X[i] != float64(label%side) || c.Y[i] != float64(label/side) {
			t.Fatalf("point %d has the label of another", i)
		}
	}
	for p := range at {
		for _, d := range [][2]float64{{2, 0}, {0, 2}, {1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {2, 2}, {-2, 2}} {
			if !at[[2]float64{p[0] + d[0], p[1] + d[1]}] && !at[[2]float64{p[0] - d[0], p[1] - d[1]}] {
				lonely++
				break
			}
		}
	}
	if lonely < len(c.X)*9/10 {
		t.Errorf("only %d of %d points have a gap on both sides", lonely, len(c.X))
	}
}

// TestLean: a level cloud becomes a plane that leans by at most the given angle, and
// distances do not change.
func TestLean(t *testing.T) {
	c := level(30)
	c.change(&Group{Tilt: 10})
	steepest := 0.0
	for i := range c.X {
		x, y := float64(i%30), float64(i/30)
		d := math.Hypot(math.Hypot(c.X[i]-c.X[0], c.Y[i]-c.Y[0]), c.Z[i]-c.Z[0])
		if math.Abs(d-math.Hypot(x, y)) > 1e-9 {
			t.Fatalf("point %d is %g m from the first, was %g", i, d, math.Hypot(x, y))
		}
		if d > 0 {
			steepest = max(steepest, math.Abs(c.Z[i]-c.Z[0])/d)
		}
	}
	if angle := math.Asin(steepest) * 180 / math.Pi; angle < 0.5 || angle > 10 {
		t.Errorf("the cloud leans by %.1f degrees, want up to 10", angle)
	}
}
