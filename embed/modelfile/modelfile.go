// Package modelfile is the format of model files: one safetensors file of float32
// tensors, little-endian, whose metadata holds a card, a YAML text, under the key
// card. What a card says is its reader's; sizes, names, shapes and values are checked
// before anything is used, and nothing in a file is executed.
package modelfile

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

// MaxFile is the largest file that is read, in bytes; built-in ones take 60 to 160 kB.
const MaxFile = 64 << 20

// cardKey is the metadata key that holds the card.
const cardKey = "card"

// Largest bounds a weight, so that sums of products stay finite in float32.
const Largest = 1e6

// ErrNoCard is the error of a safetensors file that is none of ours.
var ErrNoCard = errors.New("a safetensors file without a card")

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

func (t Tensor) shape() []uint64 {
	shape := make([]uint64, len(t.Shape))
	for i, n := range t.Shape {
		shape[i] = uint64(n)
	}
	return shape
}

// Check tells whether value i of a tensor is one that a model may have.
type Check func(name string, i int, v float32) error

// Bad is the error of a value that is not.
func Bad(name string, i int, v float32) error {
	return fmt.Errorf("tensor %q holds %v at %d; training went wrong or the file is damaged", name, v, i)
}

// File is a file whose card is read and whose tensors are not yet.
type File struct {
	Card    []byte
	tensors []safetensors.Tensor
}

// Parse reads a file as far as its card. It fails with ErrNoCard if there is none.
func Parse(file []byte) (*File, error) {
	if len(file) > MaxFile {
		return nil, fmt.Errorf("%d bytes are more than the %d a model may have", len(file), MaxFile)
	}
	f, err := safetensors.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("not a whole safetensors file (%w); copy or make it again", err)
	}
	text, ok := f.Metadata[cardKey]
	if !ok {
		return nil, ErrNoCard
	}
	return &File{[]byte(text), f.Tensors}, nil
}

// Tensors returns the values of the tensors that a card describes, in file order, and
// the SHA-256 of their bytes.
func (f *File) Tensors(want []Tensor, check Check) (values map[string][]float32, sum string, err error) {
	if len(f.tensors) != len(want) {
		return nil, "", fmt.Errorf("%d tensors where its card describes %d; file and card do not belong together",
			len(f.tensors), len(want))
	}
	values, hash := map[string][]float32{}, sha256.New()
	for i, t := range want {
		if values[t.Name], err = t.read(&f.tensors[i], check); err != nil {
			return nil, "", err
		}
		hash.Write(f.tensors[i].Data)
	}
	return values, hex.EncodeToString(hash.Sum(nil)), nil
}

// read checks a stored tensor against its description and decodes it.
func (t Tensor) read(s *safetensors.Tensor, check Check) ([]float32, error) {
	if s.Name != t.Name || s.DType != safetensors.F32 || !slices.Equal(s.Shape, t.shape()) {
		return nil, fmt.Errorf("tensor %q is %s %v where the card describes %q F32 %v; file and card do not belong together",
			s.Name, s.DType, s.Shape, t.Name, t.Shape)
	}
	values := make([]float32, t.Size())
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.Data[4*i:]))
		if err := check(t.Name, i, values[i]); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Make returns the file of tensors. The card is asked for once the SHA-256 of their
// bytes is known.
func Make(tensors []Tensor, values map[string][]float32, check Check,
	card func(sum string) ([]byte, error)) ([]byte, error) {
	f := safetensors.File{}
	hash := sha256.New()
	for _, t := range tensors {
		all := values[t.Name]
		if len(all) != t.Size() {
			return nil, fmt.Errorf("tensor %q has %d values for shape %v", t.Name, len(all), t.Shape)
		}
		data := make([]byte, 0, 4*len(all))
		for i, v := range all {
			if err := check(t.Name, i, v); err != nil {
				return nil, err
			}
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		hash.Write(data)
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: t.Name, DType: safetensors.F32, Shape: t.shape(), Data: data})
	}
	text, err := card(hex.EncodeToString(hash.Sum(nil)))
	if err != nil {
		return nil, err
	}
	f.Metadata = map[string]string{cardKey: string(text)}
	var b bytes.Buffer
	if err := f.Serialize(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Sum returns the first 16 hexadecimal digits of a file's SHA-256.
func Sum(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])[:16]
}
