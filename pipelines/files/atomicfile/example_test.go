// SPDX-License-Identifier: BSD-3-Clause

package atomicfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"superpoint/pipelines/files/atomicfile"
)

// An output appears under its name when it is complete. The same command may replace it as long as nobody
// changed it.
func ExampleFiles_Output() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "table.csv")
	write := func() error {
		output, err := new(atomicfile.Files).Output(path)
		if err != nil {
			return err
		}
		return output.Write(atomicfile.Bytes([]byte("id\n1\n")))
	}
	fmt.Println("first:", write())
	fmt.Println("again:", write())
	if err := os.WriteFile(path, []byte("edited"), 0o666); err != nil {
		panic(err)
	}
	fmt.Println("after an edit:", strings.Contains(write().Error(), "--force"))
	// Output:
	// first: <nil>
	// again: <nil>
	// after an edit: true
}

// No output is one of the inputs, whatever their names.
func ExampleFiles_Input() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "cloud.las")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		panic(err)
	}
	var files atomicfile.Files
	files.Input(path)
	_, err = files.Output(filepath.Join(folder, ".", "cloud.las"))
	fmt.Println(err != nil)
	// Output: true
}
