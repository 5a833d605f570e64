package classes

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/maruel/safetensors"
)

// Model is a classifier: a card and its tensors. A file of it is one safetensors
// file whose metadata holds the card as YAML under the key card.
type Model struct {
	Card    *Card
	tensors map[string][]float32
	sum     string
}

// maxModel is the largest file that is read, in bytes; the built-in one takes
// 160 kB.
const maxModel = 64 << 20

const cardKey = "card"

// Tensor describes one tensor of a model.
type Tensor struct {
	Name  string
	Shape []int
}

// Size returns the number of values.
func (t Tensor) Size() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Tensors lists the tensors of a card in file order: what features are
// standardised by, then weights (in × out) and biases. The first layer reads the
// features and, for each, whether it is absent.
func (c *Card) Tensors() []Tensor {
	f, w := len(FeatureNames(c.Embedding.Dim)), c.Width
	all := []Tensor{{"mean", []int{f}}, {"deviation", []int{f}}, {"in.weight", []int{2 * f, w}}, {"in.bias", []int{w}}}
	for r := range c.Rounds {
		all = append(all, Tensor{fmt.Sprintf("round.%d.weight", r), []int{3 * w, w}},
			Tensor{fmt.Sprintf("round.%d.bias", r), []int{w}})
	}
	return append(all, Tensor{"out.weight", []int{2 * w, len(c.Classes)}}, Tensor{"out.bias", []int{len(c.Classes)}})
}

// New returns a model of the card's shape, all 0 but deviations of 1.
func New(card *Card) (*Model, error) {
	if err := card.Validate(); err != nil {
		return nil, err
	}
	m := &Model{Card: card, tensors: map[string][]float32{}}
	for _, t := range card.Tensors() {
		m.tensors[t.Name] = make([]float32, t.Size())
	}
	for i := range m.tensors["deviation"] {
		m.tensors["deviation"][i] = 1
	}
	return m, nil
}

// Tensor returns a tensor's values, row major, to read or to train.
func (m *Model) Tensor(name string) []float32 { return m.tensors[name] }

// Sum returns the first 16 hexadecimal digits of the SHA-256 of the file the
// model was loaded from or saved to last, or "".
func (m *Model) Sum() string { return m.sum }

// Load reads a model file. Sizes, names, shapes, the checksum and every value are
// checked before anything is used.
func Load(file []byte) (*Model, error) {
	m, err := load(file)
	if err != nil {
		return nil, fmt.Errorf("classes: %w", err)
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
		return nil, errors.New("a safetensors file without a card; use one made by \"superpoint train --classes\"")
	}
	card, err := ParseCard([]byte(text))
	if err != nil {
		return nil, err
	}
	m := &Model{Card: card, tensors: map[string][]float32{}, sum: hexSum(file)[:16]}
	want := card.Tensors()
	if len(f.Tensors) != len(want) {
		return nil, fmt.Errorf("%d tensors where its card describes %d; file and card do not belong together",
			len(f.Tensors), len(want))
	}
	hash := sha256.New()
	for i, t := range want {
		if m.tensors[t.Name], err = t.read(&f.Tensors[i]); err != nil {
			return nil, err
		}
		hash.Write(f.Tensors[i].Data)
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != card.Weights {
		return nil, fmt.Errorf("the card says that the weights have the SHA-256 %q, but it is %s: the file was changed or "+
			"damaged; get it again", card.Weights, sum)
	}
	return m, nil
}

func (t Tensor) shape() []uint64 {
	shape := make([]uint64, len(t.Shape))
	for i, n := range t.Shape {
		shape[i] = uint64(n)
	}
	return shape
}

// read checks a stored tensor against its description and decodes it.
func (t Tensor) read(s *safetensors.Tensor) ([]float32, error) {
	if s.Name != t.Name || s.DType != safetensors.F32 || !slices.Equal(s.Shape, t.shape()) {
		return nil, fmt.Errorf("tensor %q is %s %v where the card describes %q F32 %v; file and card do not belong together",
			s.Name, s.DType, s.Shape, t.Name, t.Shape)
	}
	values := make([]float32, t.Size())
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.Data[4*i:]))
	}
	return values, t.check(values)
}

// largest bounds a weight, so that sums of products stay finite in float32.
const largest = 1e6

func (t Tensor) check(values []float32) error {
	for i, v := range values {
		if !(v >= -largest && v <= largest) || t.Name == "deviation" && !(v > 0) {
			return fmt.Errorf("tensor %q holds %v at %d; training went wrong or the file is damaged", t.Name, v, i)
		}
	}
	return nil
}

// Save returns the model as a file that Load reads. It fills in the card's
// features and checksum.
func (m *Model) Save() ([]byte, error) {
	f := safetensors.File{}
	hash := sha256.New()
	for _, t := range m.Card.Tensors() {
		values := m.tensors[t.Name]
		if err := t.check(values); err != nil {
			return nil, fmt.Errorf("saving classes %q: %w", m.Card.Name, err)
		}
		data := make([]byte, 0, 4*len(values))
		for _, v := range values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		hash.Write(data)
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: t.Name, DType: safetensors.F32, Shape: t.shape(), Data: data})
	}
	m.Card.Features = FeatureNames(m.Card.Embedding.Dim)
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
		return nil, fmt.Errorf("saving classes %q: %w", m.Card.Name, err)
	}
	m.sum = hexSum(b.Bytes())[:16]
	return b.Bytes(), nil
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
