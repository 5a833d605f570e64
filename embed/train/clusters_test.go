package train

import (
	"os"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
)

const clusterRecipe = smallRecipe + "loss: {kind: clusters, clusters: {size: 60, embedding: 4, compactness: 0.01}}\n"

// TestClustersLearn: 40 steps on one batch lower its loss.
func TestClustersLearn(t *testing.T) {
	s := newOneStep(t, mustParse(t, clusterRecipe))
	adam, last := gorgonia.NewAdamSolver(gorgonia.WithLearnRate(0.01)), 0.0
	for range 40 {
		var err error
		if last, err = s.step.step(s.batch, adam); err != nil {
			t.Fatal(err)
		}
	}
	if !(last < 0.5*s.loss) {
		t.Errorf("the loss went from %g to %g", s.loss, last)
	}
}

// TestClusterTraining: the card has γ and κ, and the figures of validation are
// those of SSP-cluster.
func TestClusterTraining(t *testing.T) {
	dir := folder(t, "t1.las", "t2.las", "v1.las")
	file := dir + "/clusters.yaml"
	if err := os.WriteFile(file, []byte(clusterRecipe), 0o644); err != nil {
		t.Fatal(err)
	}
	host := newMemory()
	if err := Command(host, arguments(dir, "c.model", "--recipe", file)); err != nil {
		t.Fatal(err)
	}
	m := mustLoad(t, dir+"/c.model")
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
		if _, err := parseRecipe([]byte(smallRecipe + "loss: {" + text + "}\n")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
