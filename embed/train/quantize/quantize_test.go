// SPDX-License-Identifier: BSD-3-Clause

package quantize_test

import (
	"math"
	"testing"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/embed/lpe/reference"
	"superpoint/embed/train/quantize"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// stairs returns a cloud of steps, a wall and scattered points, without random numbers.
func stairs(n int, scatter float64) (*embed.Input, error) {
	var xyz [3][]float64
	for i := range n {
		part := func(step float64) float64 { return math.Mod(float64(i)*step, 1) }
		u, v, w := part(0.754877666), part(0.569840291), part(0.819172513)
		p := [3]float64{20 * u, 12 * v, math.Floor(6*v)/2 + scatter*w*w}
		switch i % 5 {
		case 0:
			p[0], p[2] = 10+0.05*w, 5*w
		case 1:
			p[2] = 3 * w
		}
		for a := range 3 {
			xyz[a] = append(xyz[a], math.Round(1000*p[a])/1000)
		}
	}
	cloud, err := neighbor.New(xyz[0], xyz[1], xyz[2], parallel.Run{})
	if err != nil {
		return nil, err
	}
	lists, err := cloud.Nearest(20, parallel.Run{})
	return &embed.Input{Cloud: cloud, Neighbors: lists}, err
}

func embedded(t *testing.T, m *embed.Model, in *embed.Input) []float32 {
	t.Helper()
	e := must.Get(lpe.New(m))(t)
	return must.Get(e.Embed(parallel.Run{}, in))(t)
}

// The integer network of a trained model is close to the float network, which package reference computes, on
// a cloud that it was not calibrated on, and it is the same after saving and loading.
func TestModelIsNearTheFloatNetwork(t *testing.T) {
	t.Parallel()
	m := must.Get(embed.Builtin("any"))(t)
	file := must.Get(m.Save())(t)
	m = must.Get(embed.Load(file))(t)
	var clouds []*embed.Inputs
	for _, scatter := range []float64{0.02, 0.1, 0.4} {
		cloud := must.Get(stairs(1500, scatter))(t)
		in := must.Get(embed.NewInputs(parallel.Run{}, m.Card, cloud))(t)
		clouds = append(clouds, in)
	}
	in := must.Get(stairs(1500, 0.05))(t)
	must.OK(t, quantize.Model(parallel.Run{}, m, clouds))
	inputs := must.Get(embed.NewInputs(parallel.Run{}, m.Card, in))(t)
	got, mean := embedded(t, m, in), 0.0
	set := make([]float32, inputs.Neighbors*inputs.NeighborChannels)
	point := make([]float32, inputs.PointChannels)
	for i := range inputs.Len() {
		inputs.Gather(i, set, point)
		square := 0.0
		for d, want := range reference.Embed(m, set, point) {
			square += math.Pow(float64(got[4*i+d])-want, 2)
		}
		mean += 2 * math.Asin(math.Sqrt(square)/2) * 180 / math.Pi / float64(inputs.Len())
	}
	t.Logf("%.2f° on average", mean)
	must.Hold(t, mean > 0,
		"embeddings of the integer network are %.2f° from the float network's, want more than 0",
		mean)
	must.Hold(t, mean < 1,
		"embeddings of the integer network are %.2f° from the float network's, want less than 1",
		mean)
	file = must.Get(m.Save())(t)
	m = must.Get(embed.Load(file))(t)
	for i, v := range embedded(t, m, in) {
		must.Need(t, v == got[i], "value %d is %v after saving and loading, %v before", i, v, got[i])
	}
}

// Weights that are not finite, which the last step of a training can leave, are errors. No unit suffices for
// them.
func TestValuesNotFinite(t *testing.T) {
	t.Parallel()
	for _, layer := range []string{"st.conv.0", "st.fc.2", "lpe.fc.2"} {
		m := must.Get(embed.Builtin("any"))(t)
		in := must.Get(embed.NewInputs(parallel.Run{}, m.Card, must.Get(stairs(100, 0.1))(t)))(t)
		m.Tensor(layer + ".weight")[0] = float32(math.NaN())
		must.Fail(quantize.Model(parallel.Run{}, m, []*embed.Inputs{in}))(t, "lower optimise.rate")
	}
}
