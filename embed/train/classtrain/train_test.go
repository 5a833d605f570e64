// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"superpoint/embed/classes"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// street is a made-up cloud: level superpoints, of which those with a high one
// near in plan are roofs' surroundings, which only messages of neighbors show.
func street(n int, seed uint64) *classes.Sample {
	r := rand.New(rand.NewPCG(seed, 0))
	names := classes.FeatureNames(0)
	f := &classes.Features{Names: names, Values: make([]float32, n*len(names)),
		Present: make([]bool, len(names)),
		Size:    make([]float32, n), Place: make([][3]float64, n)}
	for i := range names {
		f.Present[i] = i != slices.Index(names, "echo_mean")
	}
	g := &classes.Graph{Touching: make([]int32, n*classes.Fan), Near: make([]int32, n*classes.Fan)}
	s := &classes.Sample{Name: "street", Features: f, Graph: g, Label: make([]float32, n*3)}
	high := make([]bool, n)
	for k := range n {
		for i := range names {
			f.Row(k)[i] = float32(r.NormFloat64() / 3)
		}
		if high[k] = r.IntN(2) == 0; high[k] {
			f.Row(k)[0] += 2
		}
		f.Size[k], f.Place[k] = 10, [3]float64{float64(k) * 3, 0, 0}
	}
	for k := range n {
		next := (k + 1) % n
		for h := range classes.Fan {
			g.Touching[k*classes.Fan+h], g.Near[k*classes.Fan+h] = int32(k), int32(next)
		}
		class := 0
		if high[next] {
			class = 1
		}
		s.Label[k*3+class] = 10
	}
	return s
}

func testCard() *classes.Card {
	return &classes.Card{
		Format: classes.Format, Name: "test", Classes: []classes.Class{{Code: 2, Name: "ground"},
			{Code: 6, Name: "building"}, {Code: 5, Name: "tree"}},
		Width: 12, Rounds: 2, Temperature: 1,
	}
}

var each = []classes.Set{{0}, {1}, {1, 2}}

func quick() classes.Settings {
	return classes.Settings{Steps: 150, Batch: 96, Part: 48, Rate: 1e-2, Noise: 0.05, Drop: 0.1, Seed: 3}
}

// TestNetworkIsTheClassifiers compares the loss of gorgonia's graph with the one
// that the probabilities of package classes give, without and with label smoothing.
func TestNetworkIsTheClassifiers(t *testing.T) {
	for _, smooth := range []float64{0, 0.3} {
		networkIsTheClassifiers(t, smooth)
	}
}

func networkIsTheClassifiers(t *testing.T, smooth float64) {
	s := street(64, 1)
	m := must.Get(classes.New(testCard()))(t)
	tr := &trainer{Settings: classes.Settings{Batch: 64, Part: 64, Smooth: smooth},
		model: m, all: []*classes.Model{m}, samples: []*classes.Sample{s}, sets: each,
		cumulative: []float64{1}}
	standardise(m, tr.samples)
	r := rand.New(rand.NewPCG(1, 1))
	tr.initialise(r)
	for i := range m.Tensor("out.bias") {
		m.Tensor("out.bias")[i] = float32(i) / 3
	}
	b := newBatch(64, m.Inputs(), len(each))
	tr.fill(b, r)
	n := must.Get(newNet(tr, b))(t)
	p, _, err := m.Probabilities(parallel.Run{}, s.Features, s.Graph)
	must.OK(t, err)
	var want, total float64
	for k := range 64 {
		if heldOut(s, k) {
			continue
		}
		w := math.Sqrt(10)
		total += w
		right := float64(p[k*3])
		if s.Label[k*3] == 0 {
			right = float64(p[k*3+1])
		}
		want -= w * (1 - smooth) * math.Log(right)
		for c := range 3 {
			want -= w * smooth / 3 * math.Log(float64(p[k*3+c]))
		}
	}
	got, err := n.step(gorgonia.NewAdamSolver())
	must.OK(t, err)
	must.Hold(t, math.Abs(got-want/total) <= 1e-4, "loss: got %v, want %v within 1e-4", got, want/total)
}

// TestMessagesAreLearned trains on one street and looks at another, twice.
func TestMessagesAreLearned(t *testing.T) {
	var first *classes.Model
	for range 2 {
		m := must.Get(Train(Run{}, testCard(), []*classes.Sample{street(3000, 1)}, each, quick()))(t)
		if first == nil {
			first = m
			continue
		}
		must.Equal(t, m.Tensor("out.weight"), first.Tensor("out.weight"),
			`two trainings with the same seed differ: m.Tensor("out.weight")`)
		must.Equal(t, m.Card.Temperature, first.Card.Temperature,
			"two trainings with the same seed differ: m.Card.Temperature")
	}
	other := street(400, 2)
	p, _, err := first.Probabilities(parallel.Run{}, other.Features, other.Graph)
	must.OK(t, err)
	right := accuracy(p, other.Label, 3)
	must.Hold(t, right >= 0.93, "%.3f of another street are right", right)
	for _, w := range first.Card.Tensors() {
		for _, v := range first.Tensor(w.Name) {
			must.Need(t, !math.IsNaN(float64(v)), "%s is not a number", w.Name)
		}
	}
}

func accuracy(p, label []float32, c int) float64 {
	right := 0
	for k := range len(p) / c {
		row, truth := p[k*c:(k+1)*c], label[k*c:(k+1)*c]
		if slices.Index(row, slices.Max(row)) == slices.Index(truth, slices.Max(truth)) {
			right++
		}
	}
	return float64(right) * float64(c) / float64(len(p))
}

// TestLabelsOfSeveralClasses teaches buildings as "building or tree", and trees
// nowhere: all that is not ground must be one of the two.
func TestLabelsOfSeveralClasses(t *testing.T) {
	s := street(400, 1)
	for k := range 400 {
		s.Label[k*3+2], s.Label[k*3+1] = s.Label[k*3+1], 0
	}
	m := must.Get(Train(Run{}, testCard(), []*classes.Sample{s}, each, quick()))(t)
	p, _, err := m.Probabilities(parallel.Run{}, s.Features, s.Graph)
	must.OK(t, err)
	right := 0
	for k := range 400 {
		if (s.Label[k*3] > 0) == (p[k*3] == slices.Max(p[k*3:k*3+3])) { // at any temperature
			right++
		}
	}
	must.Hold(t, right >= 380, "ground is separated from the rest in %d of 400", right)
}

// TestTemperature has labels that are wrong three times in ten: a network that is surer than that is cooled
// down.
func TestTemperature(t *testing.T) {
	const n = 6000 // of 600, 32 were held out, and the share of the right ones off by 0.08 by chance
	s := street(n, 1)
	m := must.Get(Train(Run{}, testCard(), []*classes.Sample{s}, each, quick()))(t)
	for k := range n {
		if k%10 < 3 {
			s.Label[k*3], s.Label[k*3+1] = s.Label[k*3+1], s.Label[k*3]
		}
	}
	tr := &trainer{model: m, all: []*classes.Model{m}, without: []int{0},
		samples: []*classes.Sample{s}, sets: each}
	must.OK(t, tr.calibrate())
	p, _, err := m.Probabilities(parallel.Run{}, s.Features, s.Graph)
	must.OK(t, err)
	var kept, label []float32 // of held-out superpoints
	sum := 0.0
	for k := range n {
		if heldOut(s, k) {
			kept, label = append(kept, p[k*3:k*3+3]...), append(label, s.Label[k*3:k*3+3]...)
			sum += float64(slices.Max(p[k*3 : k*3+3]))
		}
	}
	sure, right := sum*3/float64(len(kept)), accuracy(kept, label, 3)
	must.Hold(t, len(kept) >= 3*500, "len(kept) is %v, want at least %v", len(kept), 3*500)
	must.Hold(t, math.Abs(sure-right) <= 0.05,
		"mean confidence: got %v, want %v within 0.05", sure, right)
	must.Hold(t, m.Card.Temperature > 1, "temperature: got %v, want more than 1", m.Card.Temperature)
}

// TestTemperatureIsThatOfTheMedianSurvey has a classifier whose logits are 3, 0, 0 everywhere, and surveys of
// which 9, 8 and no tenths are of its class: the likelihood is greatest at the one at which its confidence is
// 0.8, 3/ln 8. Half of the points are on decks, whose confidence is at most 0.6 whatever the temperature. Two
// further surveys, which every network has learned, do not count.
func TestTemperatureIsThatOfTheMedianSurvey(t *testing.T) {
	m := must.Get(classes.New(testCard()))(t)
	m.Tensor("out.bias")[0] = 3
	tr := &trainer{model: m, all: []*classes.Model{m, m}, sets: each}
	for k, right := range []float32{9, 8, 0, 0, 0} {
		s := street(10, 1)
		s.Survey = fmt.Sprint(k)
		clear(s.Label)
		for level := range s.Levels {
			s.Levels[level] = make([]float32, len(s.Label))
		}
		for i := range 10 {
			s.Levels[classes.Low][i*3], s.Levels[classes.Low][i*3+1] = right, 10-right
			s.Levels[classes.OnDeck][i*3], s.Levels[classes.OnDeck][i*3+1] = 6, 4
		}
		network := k % 2
		if k >= 3 {
			network = nobody
		}
		tr.samples, tr.without = append(tr.samples, s), append(tr.without, network)
	}
	must.OK(t, tr.calibrate())
	got, want := m.Card.Temperature, 3/math.Log(8)
	must.Hold(t, math.Abs(got-want) <= 0.025, "temperature %v, want the one nearest to %.4f", got, want)
}

func TestRefusals(t *testing.T) {
	must.Fail(Train(Run{}, testCard(), nil, each, quick()))(t) // no samples
	s := street(20, 1)
	// a class that the card does not have
	must.Fail(Train(Run{}, testCard(), []*classes.Sample{s}, []classes.Set{{0}, {1}, {9}}, quick()))(t)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	known := street(20, 2)
	known.Always = true
	_, err := Train(Run{}, testCard(), []*classes.Sample{known}, each, quick())
	must.Says(t, err, "take always from", "all are learned")
	_, err = Train(Run{Context: ctx}, testCard(), []*classes.Sample{s}, each, quick())
	must.Hold(t, err == context.Canceled, "cancelled: %v", err)
}

// TestWeightOfSamples counts how often samples are picked.
func TestWeightOfSamples(t *testing.T) {
	one, other := street(64, 1), street(64, 2)
	other.Weight = 3
	tr := &trainer{samples: []*classes.Sample{one, other}}
	tr.cumulate()
	r, picked := rand.New(rand.NewPCG(1, 2)), 0
	for range 4000 {
		picked += tr.pick(r)
	}
	must.Hold(t, picked >= 2900,
		"of 4000 times the sample of weight 3 is picked %d times, beside one of weight 1, want at least 2900",
		picked)
	must.Hold(t, picked <= 3100,
		"of 4000 times the sample of weight 3 is picked %d times, beside one of weight 1, want at most 3100",
		picked)
}

// TestJoin compares logits, but for a constant, with the mean of the networks'.
func TestJoin(t *testing.T) {
	s := street(40, 1)
	settings := quick()
	settings.Steps = 20
	var all []*classes.Model
	var want []float64
	for seed := range uint64(3) {
		settings.Seed = seed + 1
		m := must.Get(Train(Run{}, testCard(), []*classes.Sample{s}, each, settings))(t)
		m.Card.Temperature = 1
		p, _, err := m.Probabilities(parallel.Run{}, s.Features, s.Graph)
		must.OK(t, err)
		want = append(want, make([]float64, len(p)-len(want))...)
		for i := range p {
			want[i] += math.Log(float64(p[i])/float64(p[i/3*3])) / 3
		}
		all = append(all, m)
	}
	joined := must.Get(join(all))(t)
	p, hidden, err := joined.Probabilities(parallel.Run{}, s.Features, s.Graph)
	must.OK(t, err)
	must.Need(t, len(hidden) == 40*2*36, "hidden: got %v, want %v", len(hidden), 40*2*36)
	for i := range p {
		got := math.Log(float64(p[i]) / float64(p[i/3*3]))
		must.Need(t, math.Abs(got-want[i]) <= 1e-4, "logit %d is %v, want %v", i, got, want[i])
	}
	must.Get(joined.Save())(t)
}

// TestDeal: each survey has one network that does not learn it.
func TestDeal(t *testing.T) {
	var samples []*classes.Sample
	for k, survey := range []string{"a", "a", "b", "c", "a", "b", "d"} {
		samples = append(samples, &classes.Sample{Survey: survey, Name: "1122334"[k : k+1]})
	}
	for networks, want := range map[int][]int{3: {0, 0, 1, 2, 0, 1, 0}, 1: {0, 0, 0, 0, 0, 0, 0}} {
		without, used := deal(samples, networks)
		must.Hold(t, used == networks, "%v of %d, want %v: used is not networks", without, used, want)
		must.Hold(t, slices.Equal(without, want),
			"%v of %d, want %v: without is not want", without, used, want)
	}
	// fewer surveys than networks: by tile, and at most as many networks as tiles
	samples = samples[:5]
	for networks, want := range map[int][]int{4: {0, 0, 1, 1, 2}, 9: {0, 0, 1, 1, 2}} {
		without, used := deal(samples, networks)
		must.Hold(t, used == 3, "%v of %d, want %v: used is not 3", without, used, want)
		must.Hold(t, slices.Equal(without, want),
			"%v of %d, want %v: without is not want", without, used, want)
	}
}

// TestAlways: a sample that every network learns has no network without it, takes no survey's place, and
// no figures.
func TestAlways(t *testing.T) {
	settings := quick()
	settings.Networks = 2
	var samples []*classes.Sample
	for k, survey := range []string{"simulated", "a", "b"} {
		s := street(900, uint64(k+1))
		s.Survey, s.Kind = survey, survey
		s.Always = k == 0
		samples = append(samples, s)
	}
	without, used := deal(samples, 2)
	must.Equal(t, without, []int{nobody, 0, 1}, "networks that learn without each sample")
	must.Equal(t, used, 2, "networks")
	must.Equal(t, Surveys(samples), 2, "surveys that are left out")

	m := must.Get(Train(Run{}, testCard(), samples, each, settings))(t)
	for name := range m.Card.Training.Figures {
		is := strings.HasPrefix(name, "simulated")
		must.Hold(t, !is, "figure %q of a sample that all have learned", name)
	}
}

// TestSurveysLeftOut has two surveys that agree and one whose labels are the opposite: the figures of that
// one, by the network that has not learned it, are near 0, those of the others near 1, and it does not make
// them uncertain.
func TestSurveysLeftOut(t *testing.T) {
	settings := quick()
	settings.Networks = 3
	const n = 1800 // so many that noise in the features is not learned
	var samples []*classes.Sample
	for k := range 3 {
		s := street(n, uint64(k+1))
		s.Survey, s.Kind = fmt.Sprint("street ", k), fmt.Sprint("street ", k)
		s.Weight = []float64{1, 1, 0.1}[k]
		for i := range n {
			if k == 2 {
				s.Label[i*3], s.Label[i*3+1] = s.Label[i*3+1], s.Label[i*3]
			}
		}
		samples = append(samples, s)
	}
	m := must.Get(Train(Run{}, testCard(), samples, each, settings))(t)
	figures := m.Card.Training.Figures
	for k, want := range []float64{1, 1, 0} {
		for _, class := range []string{"ground", "building"} {
			got, known := figures[fmt.Sprintf("street %d: IoU of %s", k, class)]
			must.Hold(t, known, "street %d: IoU of %s is %v: known is false", k, class, got)
			must.Hold(t, math.Abs(got-want) <= 0.3,
				"street %d: IoU of %s is %v: want math.Abs(got-want) at most 0.3", k, class, got)
		}
		gap := figures[fmt.Sprintf("street %d: calibration error", k)]
		must.Hold(t, (gap > 0.5) == (k == 2), "street %d: the calibration error is %v", k, gap)
	}
	must.Equal(t, m.Card.Networks, 3, "networks")
	must.Hold(t, m.Card.Temperature <= 2, "temperature: got %v, want at most 2", m.Card.Temperature)
}
