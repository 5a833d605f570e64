package train

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"superpoint/embed/train/backprop"
	"superpoint/partition/parallel"
	"superpoint/partition/softcluster"
)

const clusterRecipe = smallRecipe + "loss: {kind: clusters, clusters: {size: 60, embedding: 4, compactness: 0.01}}\n"

// TestClusterGradient compares the gradient that leaves the gorgonia graph with
// central differences of SSP-cluster's loss, network and all, in float64.
func TestClusterGradient(t *testing.T) {
	r, err := ParseRecipe([]byte(clusterRecipe))
	if err != nil {
		t.Fatal(err)
	}
	one, err := (&source{host: newMemory(), truth: "Classification"}).read("cloud_1.las", r, nil)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := backprop.NewPlain[float64](r.Card())
	if err != nil {
		t.Fatal(err)
	}
	net, err := backprop.New(r.Card())
	if err != nil {
		t.Fatal(err)
	}
	params := net.Initial(rand.New(rand.NewPCG(3, 3)))
	b, err := newBatcher(r, newLoader(r, []*labelled{one}), 1).make(parallel.Run{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	step, err := newStepper(r, onCPU{net}, params, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	defer step.close()
	var grad []float32
	loss, err := step.step(b, solverFunc(func(w, g []float32) { grad = slices.Clone(g) }))
	if err != nil {
		t.Fatal(err)
	}
	wide := &backprop.Batch[float64]{Points: b.Points, Set: widen(b.Set), Point: widen(b.Point)}
	p := widen(params)
	value := func() (sum float64) {
		e, err := exact.Forward(parallel.Run{}, p, wide)
		if err != nil {
			t.Fatal(err)
		}
		from := 0
		for _, to := range b.ends {
			label, labels := own(b.object[from:to])
			share := float64(to-from) / float64(b.Points)
			v, err := softcluster.Value(parallel.Run{}, r.clusters(), b.cloud(from, to), e[4*from:4*to], 4, label, labels,
				share, make([]float64, 4*(to-from)))
			if err != nil {
				t.Fatal(err)
			}
			sum, from = sum+share*v, to
		}
		return sum
	}
	if want := value(); math.Abs(loss-want) > 1e-4*want {
		t.Errorf("the graph's loss is %g, computed by hand %g", loss, want)
	}
	for i := 0; i < len(p); i += 61 {
		const h = 1e-6
		old := p[i]
		p[i] = old + h
		up := value()
		p[i] = old - h
		down := value()
		p[i] = old
		if want := (up - down) / (2 * h); math.Abs(want-float64(grad[i])) > 5e-3*(0.05+math.Abs(want)) {
			t.Errorf("gradient %d is %g, differences give %g", i, grad[i], want)
		}
	}
}

// TestClustersLearn: training lowers the loss, the card has γ and κ, and the
// figures of validation are those of SSP-cluster.
func TestClustersLearn(t *testing.T) {
	dir := folder(t, "t1.las", "t2.las", "v1.las")
	file := dir + "/clusters.yaml"
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(clusterRecipe, "epochs: 4", "epochs: 8")), 0o644); err != nil {
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
	state, err := loadState(dir + "/c.model" + CheckpointSuffix)
	if err != nil {
		t.Fatal(err)
	}
	first, last := state.History[0].Loss, state.History[len(state.History)-1].Loss
	if !(last < 0.8*first) {
		t.Errorf("the loss went from %g to %g", first, last)
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
		if _, err := ParseRecipe([]byte(smallRecipe + "loss: {" + text + "}\n")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
