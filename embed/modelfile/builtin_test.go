// SPDX-License-Identifier: BSD-3-Clause

package modelfile

import (
	"slices"
	"testing"
	"testing/fstest"

	"superpoint/testdata/must"
)

func builtins() Folder {
	return Folder{Kind: "model", Files: fstest.MapFS{
		"models/b.safetensors": {Data: []byte("2")},
		"models/a.safetensors": {Data: []byte("1")},
		"models/README.md":     {Data: []byte("not a model")},
	}}
}

func TestNames(t *testing.T) {
	if names := builtins().Names(); !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("names %v", names)
	}
}

func TestLoad(t *testing.T) {
	same := func(file []byte) (*[]byte, error) { return &file, nil }
	if file := must.Get(Load(builtins(), "b", same))(t); string(*file) != "2" {
		t.Errorf("%s", *file)
	}
	must.Fail(Load(builtins(), "README", same))(t, `no built-in model "README"; there are a, b`)
}
