package sources_test

import (
	"fmt"
	"os"
	"path/filepath"

	"superpoint/filter/sources"
)

// The point clouds of a folder.
func ExampleFiles() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	for _, name := range []string{"b.laz", "a.las", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			panic(err)
		}
	}
	files, err := sources.Files([]string{folder})
	for _, f := range files {
		fmt.Println(filepath.Base(f))
	}
	fmt.Println(err)
	// Output:
	// a.las
	// b.laz
	// <nil>
}
