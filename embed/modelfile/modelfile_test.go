// SPDX-License-Identifier: BSD-3-Clause

package modelfile

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/maruel/safetensors"

	"superpoint/testdata/must"
)

func finite(name string, i int, v float32) error {
	if !(v >= -Largest && v <= Largest) {
		return Bad(name, i, v)
	}
	return nil
}

func TestFile(t *testing.T) {
	shapes := []Tensor{{"a", []int{2, 2}, ""}, {"b", []int{1}, ""}, {"c", []int{2}, "I8"},
		{"d", []int{1}, "U8"},
		{"e", []int{2}, "I16"}, {"f", []int{2}, "I32"}}
	values := Values{map[string][]float32{"a": {1, 2, 3, 4}, "b": {5}},
		map[string][]int32{"c": {-128, 127}, "d": {200}, "e": {-32768, 5}, "f": {1 << 30, -7}}}
	var given string
	file, err := Make(shapes, values, finite,
		func(sum string) ([]byte, error) { given = sum; return []byte("x: 1"), nil })
	must.OK(t, err)
	f, err := Parse(file, "")
	must.OK(t, err)
	must.Need(t, string(f.Card) == "x: 1", "f.Card is %q, want %q", string(f.Card), "x: 1")
	got, sum, err := f.Tensors(shapes, finite)
	must.OK(t, err)
	must.Equal(t, sum, given, "sum")
	must.Equal(t, got, values, "tensors that are read")
	must.Fail(f.Tensors(shapes[:1], finite))(t, "do not belong together")
	for _, wrong := range []Tensor{{"a", []int{4}, ""}, {"a", []int{2, 2}, "I32"}} {
		_, _, err := f.Tensors(append([]Tensor{wrong}, shapes[1:]...), finite)
		must.Hold(t, err != nil, "%v is accepted for %v", shapes[0], wrong)
	}
	for _, v := range []int32{-129, 128} {
		values.Integers["c"][0] = v
		must.Fail(Make(shapes, values, finite, nil))(t, fmt.Sprintf(`"c" holds %d at 0`, v))
	}
	values.Floats["b"][0] = 2 * Largest
	must.Fail(Make(shapes, values, finite, nil))(t, `"b" holds 2e+06 at 0`)
	var b bytes.Buffer
	must.OK(t,
		(&safetensors.File{Tensors: []safetensors.Tensor{{Name: "a", DType: safetensors.F32,
			Shape: []uint64{1},
			Data:  make([]byte, 4)}}}).Serialize(&b))
	_, err = Parse(b.Bytes(), "")
	must.Hold(t, errors.Is(err, ErrNoCard), "no card: %v", err)
	must.Fail(Parse(file[:len(file)-1], ""))(t)
	must.Fail(Parse(make([]byte, MaxFile+1), ""))(t, "a model may have")
	for format, words := range map[string]string{"superpoint-model/1": "it is a model; name it with the " +
		"option model",
		"superpoint-classes/2": "update the plugin, or train it again", "superpoint-classes/3": ""} {
		file := must.Get(Make(shapes[1:2], Values{Floats: map[string][]float32{"b": {5}}}, finite,
			func(string) ([]byte, error) { return []byte("format: " + format), nil }))(t)
		_, err := Parse(file, "superpoint-classes/3")
		must.Says(t, err, words, "%s", format)
	}
}
