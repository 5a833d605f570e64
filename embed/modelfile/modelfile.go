// SPDX-License-Identifier: BSD-3-Clause

// Package modelfile reads and writes model files: one safetensors file of float32 and
// integer tensors, little-endian, whose metadata has a card, a YAML text, under the key
// card. Callers interpret the card. Sizes, names, shapes and values are checked before
// anything is used, and nothing in a file is executed.
package modelfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/maruel/safetensors"
)

// MaxFile is the largest file that is read, in bytes; built-in ones take 60 to 160 kB.
const MaxFile = 64 << 20

// cardKey is the metadata key that holds the card.
const cardKey = "card"

// Largest bounds a weight, so that sums of products stay finite in float32.
const Largest = 1e6

// ErrNoCard is the error of a safetensors file without a superpoint card.
var ErrNoCard = errors.New("a safetensors file without a card")

// Tensor describes one tensor of a model.
type Tensor struct {
	Name  string
	Shape []int
	Type  safetensors.DType // "" is F32; I8, U8, I16 and I32 are integers
}

// Values holds the values of tensors by name: F32 tensors in Floats, others in Integers.
type Values struct {
	Floats   map[string][]float32
	Integers map[string][]int32
}

// integer is an integer type: its size in bytes and its range.
type integer struct {
	bytes     int
	low, high int64
}

var integers = map[safetensors.DType]integer{
	safetensors.I8: {1, math.MinInt8, math.MaxInt8}, safetensors.U8: {1, 0, math.MaxUint8},
	safetensors.I16: {2, math.MinInt16, math.MaxInt16}, safetensors.I32: {4, math.MinInt32, math.MaxInt32},
}

func (t Tensor) dtype() safetensors.DType {
	if t.Type == "" {
		return safetensors.F32
	}
	return t.Type
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

// Check returns an error if value i of a tensor is not valid, or nil.
type Check func(name string, i int, v float32) error

// Bad returns the error of a value that is not valid.
func Bad(name string, i int, v float32) error {
	return fmt.Errorf("tensor %q holds %v at %d; training diverged or the file is damaged", name, v, i)
}

// File is a parsed file whose tensors are not decoded yet.
type File struct {
	Card    []byte
	tensors []safetensors.Tensor
}

// Parse parses a file and its metadata. It returns ErrNoCard if there is no card, and other
// errors if the file is too large, not a complete safetensors file, or its card of another format.
func Parse(file []byte, format string) (*File, error) {
	if bytes.HasPrefix(file, []byte("LASF")) {
		return nil, errors.New("it is a point cloud; name a .safetensors file made by `superpoint train`")
	}
	if len(file) > MaxFile {
		return nil, fmt.Errorf("%d bytes are more than the %d a model may have", len(file), MaxFile)
	}
	f, err := safetensors.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("not a complete safetensors file (%w); copy or make it again", err)
	}
	text, ok := f.Metadata[cardKey]
	if !ok {
		return nil, ErrNoCard
	}
	return &File{[]byte(text), f.Tensors}, checkFormat(text, format)
}

var formatLine = regexp.MustCompile(`(?m)^format: *(([\w-]+)/\S+)`)

// checkFormat fails if a card names another format. Cards without a format are left to the caller.
func checkFormat(card, want string) error {
	uses := map[string]string{"superpoint-model": "a model; name it with the option model",
		"superpoint-classes": "a classifier; name it with the option classes"}
	m := formatLine.FindStringSubmatch(card)
	switch {
	case m == nil || m[1] == want:
		return nil
	case strings.HasPrefix(want, m[2]+"/"):
		return fmt.Errorf("its format is %s, and this version reads %s; update the plugin, or train it again",
			m[1], want)
	case uses[m[2]] != "":
		return fmt.Errorf("it is %s", uses[m[2]])
	}
	return nil
}

// Tensors returns the values of the tensors that a card describes, in file order, and
// the SHA-256 of their bytes. check is called for floats only; all integers are valid. It
// returns an error if names, types or shapes differ from want.
func (f *File) Tensors(want []Tensor, check Check) (values Values, sum string, err error) {
	if len(f.tensors) != len(want) {
		return values, "", fmt.Errorf(
			"%d tensors where its card describes %d; file and card do not belong together",
			len(f.tensors), len(want))
	}
	values = Values{map[string][]float32{}, map[string][]int32{}}
	hash := sha256.New()
	for i, t := range want {
		if err := t.read(&f.tensors[i], values, check); err != nil {
			return values, "", err
		}
		hash.Write(f.tensors[i].Data)
	}
	return values, hex.EncodeToString(hash.Sum(nil)), nil
}

// read checks a stored tensor against its description and decodes it.
func (t Tensor) read(s *safetensors.Tensor, to Values, check Check) error {
	if s.Name != t.Name || s.DType != t.dtype() || !slices.Equal(s.Shape, t.shape()) {
		return fmt.Errorf(
			"tensor %q is %s %v where the card describes %q %s %v; file and card do not belong together",
			s.Name, s.DType, s.Shape, t.Name, t.dtype(), t.Shape)
	}
	if whole, ok := integers[t.Type]; ok {
		values := make([]int32, t.Size())
		for i := range values {
			values[i] = whole.decode(s.Data[i*whole.bytes:])
		}
		to.Integers[t.Name] = values
		return nil
	}
	values := make([]float32, t.Size())
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.Data[4*i:]))
		if err := check(t.Name, i, values[i]); err != nil {
			return err
		}
	}
	to.Floats[t.Name] = values
	return nil
}

func (n integer) decode(data []byte) int32 {
	switch {
	case n.bytes == 4:
		return int32(binary.LittleEndian.Uint32(data))
	case n.bytes == 2:
		return int32(int16(binary.LittleEndian.Uint16(data)))
	case n.low < 0:
		return int32(int8(data[0]))
	}
	return int32(data[0])
}

// encode returns the bytes of a tensor.
func (t Tensor) encode(values Values, check Check) ([]byte, error) {
	whole, ok := integers[t.Type]
	if !ok {
		all := values.Floats[t.Name]
		data := make([]byte, 0, 4*len(all))
		for i, v := range all {
			if err := check(t.Name, i, v); err != nil {
				return nil, err
			}
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		return data, t.complete(len(all))
	}
	all := values.Integers[t.Name]
	data := make([]byte, 0, 4*len(all))
	for i, v := range all {
		if int64(v) < whole.low || int64(v) > whole.high {
			return nil, fmt.Errorf("tensor %q holds %d at %d, outside %s", t.Name, v, i, t.Type)
		}
		data = append(data, binary.LittleEndian.AppendUint32(nil, uint32(v))[:whole.bytes]...)
	}
	return data, t.complete(len(all))
}

func (t Tensor) complete(values int) error {
	if values != t.Size() {
		return fmt.Errorf("tensor %q has %d values for shape %v", t.Name, values, t.Shape)
	}
	return nil
}

// Make returns the file of tensors. It calls card with the SHA-256 of their bytes.
func Make(tensors []Tensor, values Values, check Check, card func(sum string) ([]byte, error)) (
	[]byte, error) {
	f := safetensors.File{}
	hash := sha256.New()
	for _, t := range tensors {
		data, err := t.encode(values, check)
		if err != nil {
			return nil, err
		}
		hash.Write(data)
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: t.Name, DType: t.dtype(),
			Shape: t.shape(), Data: data})
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
