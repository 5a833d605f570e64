// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/maruel/safetensors"

	"superpoint/embed/modelfile"
	"superpoint/testdata/must"
)

// randomModel fills a model with reproducible weights of a trained network's size.
func randomModel(t testing.TB, card *Card, seed uint64) *Model {
	t.Helper()
	m := must.Get(NewModel(card))(t)
	m.Randomize(seed)
	return m
}

func TestModelSurvivesItsFile(t *testing.T) {
	m := randomModel(t, PaperCard(), 1)
	file := must.Get(m.Save())(t)
	back := must.Get(Load(file))(t)
	for _, l := range m.Card.Layers().All() {
		for i, v := range m.Weights(l).Weight {
			must.Need(t, back.Tensor(l.Name + ".weight")[i] == v, "%s weight %d changed", l.Name, i)
		}
	}
	again, _ := back.Save()
	must.Equal(t, file, again, "saving a loaded model gave another file: file")
	must.Equal(t, back.Sum(), m.Sum(), "saving a loaded model gave another file: back.Sum()")
	must.Equal(t, len(back.Sum()), 16, "saving a loaded model gave another file: len(back.Sum())")
	must.Hold(t, len(file) <= 70_000, "%d bytes", len(file))
}

func TestLoadNamesTheFault(t *testing.T) {
	m := randomModel(t, PaperCard(), 2)
	file := must.Get(m.Save())(t)
	header := int(binary.LittleEndian.Uint64(file)) + 8
	changed := func(change func(f *safetensors.File)) []byte {
		f := must.Get(safetensors.Parse(bytes.Clone(file)))(t)
		change(f)
		var b bytes.Buffer
		must.OK(t, f.Serialize(&b))
		return b.Bytes()
	}
	flipped := bytes.Clone(file)
	flipped[header+5] ^= 1
	nan := changed(func(f *safetensors.File) {
		binary.LittleEndian.PutUint32(f.Tensors[0].Data[4:], math.Float32bits(float32(math.NaN())))
	})
	for _, test := range map[string]struct {
		file []byte
		say  string
	}{
		"empty":           {nil, "safetensors"},
		"text":            {[]byte("hello, this is no model at all"), "safetensors"},
		"LAS":             {append([]byte("LASF"), make([]byte, 400)...), "safetensors"},
		"truncated":       {file[:len(file)-1], "safetensors"},
		"truncated early": {file[:header/2], "safetensors"},
		"flipped bit":     {flipped, "weights_sha256"},
		"NaN":             {nan, "NaN"},
		"no card": {changed(
			func(f *safetensors.File) { f.Metadata = map[string]string{"format": "pt"} }), "card"},
		"renamed": {changed(func(f *safetensors.File) { f.Tensors[3].Name = "other" }), "other"},
		"double": {changed(func(f *safetensors.File) { f.Tensors[3].Name = f.Tensors[2].Name }),
			"st.conv.0"},
		"missing": {changed(func(f *safetensors.File) { f.Tensors = f.Tensors[:9] }), "tensors"},
		"reshaped": {changed(func(f *safetensors.File) { f.Tensors[0].Shape = []uint64{2, 16} }),
			"st.conv.0.weight"},
		"half floats": {changed(func(f *safetensors.File) {
			f.Tensors[0].DType, f.Tensors[0].Shape = "F16",
				[]uint64{16, 4}
		}), "F16"},
		"huge": {make([]byte, modelfile.MaxFile+1), "bytes"},
	} {
		must.Fail(Load(test.file))(t, test.say)
	}
}

func TestSaveRefusesUselessWeights(t *testing.T) {
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1)), 1e30} {
		m := randomModel(t, PaperCard(), 3)
		m.Tensor("lpe.fc.0.weight")[7] = v
		must.Fail(m.Save())(t, "lpe.fc.0.weight")
	}
	m := randomModel(t, PaperCard(), 3)
	m.Tensor("lpe.fc.0.variance")[7] = -1
	must.Fail(m.Save())(t) // a negative variance
}

func FuzzModel(f *testing.F) {
	file := must.Get(randomModel(f, PaperCard(), 4).Save())(f)
	f.Add(file)
	f.Add(file[:100])
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := Load(file)
		if err != nil {
			return
		}
		must.OK(t, m.Card.Validate())
		must.Get(m.Save())(t)
	})
}

// TestDamagedFilesAreErrors flips and removes bytes; a model that still loads can be saved.
func TestDamagedFilesAreErrors(t *testing.T) {
	file := must.Get(randomModel(t, PaperCard(), 5).Save())(t)
	header := int(binary.LittleEndian.Uint64(file)) + 8
	r := rand.New(rand.NewPCG(6, 7))
	for i := range 2000 {
		damaged := bytes.Clone(file)
		if i%10 == 0 {
			damaged = damaged[:r.IntN(len(file))]
		} else {
			damaged[r.IntN(header)] ^= byte(1 + r.IntN(255))
		}
		m, err := Load(damaged)
		if err != nil {
			continue
		}
		_, err = m.Save()
		must.Hold(t, err == nil, "a loaded model cannot be saved: %v", err)
	}
}

func TestBuiltinModelsLoadUnderTheirNames(t *testing.T) {
	for _, name := range Builtins() {
		m, err := Builtin(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		must.Equal(t, m.Card.Name, name, "%s: m.Card.Name", name)
		must.Hold(t, m.Card.Weights != "", "%s: m.Card.Weights is empty", name)
		must.Hold(t, len(m.Card.Training.Data) != 0, "%s: len(m.Card.Training.Data) is 0", name)
	}
}

// TestFormerNames: a model that was replaced by another one is that one.
func TestFormerNames(t *testing.T) {
	former := must.Get(Builtin("indoor"))(t)
	must.Equal(t, former.Card.Name, "any", "model of a former name")
	must.Hold(t, IsBuiltin("indoor"), "the former name is not that of a built-in model")
	must.Hold(t, !slices.Contains(Builtins(), "indoor"), "the former name is listed")
}

func TestUnknownBuiltin(t *testing.T) {
	must.Fail(Builtin("README"))(t, `no built-in model "README"; there are aerial, any, paper`)
	must.Fail(Builtin("../models/README.md"))(t, "no built-in model")
	must.Fail(Auto([]string{"GpsTime"}))(t, "GpsTime")
}

// TestIntegersOfEveryLayer: the integer network of a model is the one that was set, in each layer, also
// where there was another one before.
func TestIntegersOfEveryLayer(t *testing.T) {
	from, to := randomModel(t, PaperCard(), 1), randomModel(t, PaperCard(), 1)
	must.OK(t, from.RandomizeIntegers(3))
	must.OK(t, to.RandomizeIntegers(4))
	want := from.Integers()
	must.Equal(t, len(want), len(from.Card.IntegerLayers()), "layers")
	must.OK(t, to.SetIntegers(from.Card.Integer, want))
	for i, got := range to.Integers() {
		must.Need(t, len(want[i].Weight) > 0, "layer %s has no weights", got.Name)
		must.Equal(t, got.Weight, want[i].Weight, "weights of layer %s", got.Name)
		must.Equal(t, got.Bias, want[i].Bias, "biases of layer %s", got.Name)
		must.Equal(t, got.Shift, want[i].Shift, "shifts of layer %s", got.Name)
	}
}

// TestIntegersOfBadLayersAreNotSet: a fault in the last layer leaves all layers as they were.
func TestIntegersOfBadLayersAreNotSet(t *testing.T) {
	from, to := randomModel(t, PaperCard(), 1), randomModel(t, PaperCard(), 1)
	must.OK(t, from.RandomizeIntegers(3))
	must.OK(t, to.RandomizeIntegers(4))
	before := to.Integers()
	layers := from.Integers()
	last := &layers[len(layers)-1]
	last.Bias = slices.Clone(last.Bias)
	last.Bias[0] = mostBias
	must.Hold(t, to.SetIntegers(from.Card.Integer, layers) != nil, "a bias beyond its bound is set")
	for i, got := range to.Integers() {
		must.Equal(t, got.Weight, before[i].Weight, "weights of layer %s", got.Name)
		must.Equal(t, got.Bias, before[i].Bias, "biases of layer %s", got.Name)
		must.Equal(t, got.Shift, before[i].Shift, "shifts of layer %s", got.Name)
	}
}
