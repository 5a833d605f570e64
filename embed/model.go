package embed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/maruel/safetensors"
)

// maxModel is the largest model file that is read, in bytes; the paper's
// network takes 60 kB.
const maxModel = 64 << 20

// cardKey is the metadata key that holds the card.
const cardKey = "card"

// Model is a card and the tensors it describes. A model file is one
// safetensors file whose metadata holds the card as YAML.
type Model struct {
	Card    *Card
	tensors map[string][]float32
	sum     string
}

// NewModel returns a model of the card's shape with all weights 0, gammas and
// variances 1.
func NewModel(card *Card) (*Model, error) {
	if err := card.Validate(); err != nil {
		return nil, err
	}
	m := &Model{Card: card, tensors: map[string][]float32{}}
	for _, t := range card.tensors() {
		v := make([]float32, t.size())
		if bytes.HasSuffix([]byte(t.name), []byte(".gamma")) || bytes.HasSuffix([]byte(t.name), []byte(".variance")) {
			for i := range v {
				v[i] = 1
			}
		}
		m.tensors[t.name] = v
	}
	return m, nil
}

// Tensor returns a tensor's values, row major, to read or to train; nil if the
// card's network has none of that name.
func (m *Model) Tensor(name string) []float32 { return m.tensors[name] }

// Weights are the tensors of one layer; all but the first two are nil without
// normalisation.
type Weights struct {
	Layer
	Weight, Bias, Gamma, Beta, Mean, Variance []float32
}

// Weights returns a layer's tensors.
func (m *Model) Weights(l Layer) Weights {
	t := func(part string) []float32 { return m.tensors[l.Name+part] }
	return Weights{l, t(".weight"), t(".bias"), t(".gamma"), t(".beta"), t(".mean"), t(".variance")}
}

// Sum returns the first 16 hexadecimal digits of the SHA-256 of the file the
// model was loaded from or saved to last, or "".
func (m *Model) Sum() string { return m.sum }

// Load reads a model file. Sizes, names, shapes, the checksum and every value
// are checked before anything is used.
func Load(file []byte) (*Model, error) {
	m, err := load(file)
	if err != nil {
		return nil, fmt.Errorf("model file: %w", err)
	}
	return m, nil
}

func load(file []byte) (*Model, error) {
	if len(file) > maxModel {
		return nil, fmt.Errorf("%d bytes are more than the %d a model may have", len(file), maxModel)
	}
	f, err := safetensors.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("not a whole safetensors file (%w); copy or make it again", err)
	}
	text, ok := f.Metadata[cardKey]
	if !ok {
		return nil, errors.New("a safetensors file without a superpoint model card; use one made by \"superpoint train\"")
	}
	card, err := ParseCard([]byte(text))
	if err != nil {
		return nil, err
	}
	m := &Model{Card: card, tensors: map[string][]float32{}, sum: checksum(file)[:16]}
	want := card.tensors()
	if len(f.Tensors) != len(want) {
		return nil, fmt.Errorf("%d tensors where its card describes %d; file and card do not belong together",
			len(f.Tensors), len(want))
	}
	hash := sha256.New()
	for i, t := range want {
		values, err := t.read(&f.Tensors[i])
		if err != nil {
			return nil, err
		}
		hash.Write(f.Tensors[i].Data)
		m.tensors[t.name] = values
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); card.Weights != "" && sum != card.Weights {
		return nil, &CardError{"weights_sha256", card.Weights, "but the weights have " + sum +
			": the file was changed or damaged; get it again"}
	}
	return m, nil
}

// read checks a stored tensor against its description and decodes it.
func (t tensor) read(s *safetensors.Tensor) ([]float32, error) {
	shape := make([]uint64, len(t.shape))
	for i, n := range t.shape {
		shape[i] = uint64(n)
	}
	if s.Name != t.name || s.DType != safetensors.F32 || !slices.Equal(s.Shape, shape) {
		return nil, fmt.Errorf("tensor %q is %s %v where the card describes %q F32 %v; file and card do not belong together",
			s.Name, s.DType, s.Shape, t.name, t.shape)
	}
	values := make([]float32, t.size())
	variance := bytes.HasSuffix([]byte(t.name), []byte(".variance"))
	for i := range values {
		v := math.Float32frombits(binary.LittleEndian.Uint32(s.Data[4*i:]))
		if err := usable(t.name, i, v, variance); err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

// largest bounds a weight, so that sums of products stay finite in float32.
const largest = 1e6

func usable(name string, i int, v float32, variance bool) error {
	limit := float32(largest)
	if variance {
		limit = math.MaxFloat32 // only ever divided by
	}
	if !(v >= -limit && v <= limit) || variance && v < 0 {
		return fmt.Errorf("tensor %q holds %v at %d; training went wrong or the file is damaged", name, v, i)
	}
	return nil
}

// Save returns the model as a file that Load reads. It fills in the card's
// dimensions and checksum.
func (m *Model) Save() ([]byte, error) {
	f := safetensors.File{}
	hash := sha256.New()
	for _, t := range m.Card.tensors() {
		values := m.tensors[t.name]
		if len(values) != t.size() {
			return nil, fmt.Errorf("saving model %q: tensor %q has %d values for shape %v", m.Card.Name, t.name, len(values),
				t.shape)
		}
		data := make([]byte, 0, 4*len(values))
		for i, v := range values {
			if err := usable(t.name, i, v, bytes.HasSuffix([]byte(t.name), []byte(".variance"))); err != nil {
				return nil, fmt.Errorf("saving model %q: %w", m.Card.Name, err)
			}
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		hash.Write(data)
		shape := make([]uint64, len(t.shape))
		for i, n := range t.shape {
			shape[i] = uint64(n)
		}
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: t.name, DType: safetensors.F32, Shape: shape, Data: data})
	}
	m.Card.Dimensions = m.Card.Requires()
	m.Card.Weights = hex.EncodeToString(hash.Sum(nil))
	if err := m.Card.Validate(); err != nil {
		return nil, err
	}
	text, err := m.Card.YAML()
	if err != nil {
		return nil, err
	}
	f.Metadata = map[string]string{cardKey: string(text)}
	var b bytes.Buffer
	if err := f.Serialize(&b); err != nil {
		return nil, fmt.Errorf("saving model %q: %w", m.Card.Name, err)
	}
	m.sum = checksum(b.Bytes())[:16]
	return b.Bytes(), nil
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Randomize sets every tensor to reproducible values of a trained network's
// size: weights and biases as before training (He et al. 2015,
// doi:10.1109/ICCV.2015.123), statistics as of a mildly spread input. Tests and
// benchmarks use it; training begins with its own.
func (m *Model) Randomize(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for _, l := range m.Card.Layers().All() {
		w := m.Weights(l)
		spread := math.Sqrt(2 / float64(l.In))
		for i := range w.Weight {
			w.Weight[i] = float32(r.NormFloat64() * spread)
		}
		for i := range l.Out {
			w.Bias[i] = float32(r.NormFloat64() * 0.1)
			if l.Norm {
				w.Gamma[i] = float32(0.8 + 0.4*r.Float64())
				if r.IntN(8) == 0 {
					w.Gamma[i] = -w.Gamma[i] // training may turn a sign
				}
				w.Beta[i] = float32(r.NormFloat64() * 0.1)
				w.Mean[i] = float32(r.NormFloat64() * 0.1)
				w.Variance[i] = float32(0.5 + r.Float64())
			}
		}
	}
}
