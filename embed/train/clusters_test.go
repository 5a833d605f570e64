// SPDX-License-Identifier: BSD-3-Clause

package train

import (
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
