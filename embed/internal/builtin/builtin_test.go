package builtin_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"superpoint/embed/internal/builtin"
)

func folder() builtin.Folder {
	return builtin.Folder{Kind: "model", Files: fstest.MapFS{
		"models/b.safetensors": {Data: []byte("2")},
		"models/a.safetensors": {Data: []byte("1")},
		"models/README.md":     {Data: []byte("not a model")},
	}}
}

func TestNames(t *testing.T) {
	if names := folder().Names(); !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("names %v", names)
	}
	none := builtin.Folder{Kind: "model", Files: fstest.MapFS{"models/README.md": {}}}
	if list := none.List(); list != "none" {
		t.Errorf("list %q", list)
	}
}

func ExampleFolder_Read() {
	file, _ := folder().Read("b")
	fmt.Printf("%s\n", file)
	_, err := folder().Read("README")
	fmt.Println(err)
	// Output:
	// 2
	// no built-in model "README"; there are a, b
}
