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

// Outputs that belong together are made in the work folder of a set, and get their places at once.
func ExampleNewSet() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	var files atomicfile.Files
	var outputs []*atomicfile.Output
	for _, name := range []string{"counts.csv", "report.html"} {
		output, err := files.Output(filepath.Join(folder, name))
		if err != nil {
			panic(err)
		}
		outputs = append(outputs, output)
	}
	set, err := atomicfile.NewSet(folder, outputs...)
	if err != nil {
		panic(err)
	}
	defer set.Close()
	there := func() (count int) {
		for _, output := range outputs {
			if _, err := os.Stat(output.Path()); err == nil {
				count++
			}
		}
		return count
	}
	for _, output := range outputs {
		if err := os.WriteFile(set.Path(output), []byte("made"), 0o666); err != nil {
			panic(err)
		}
	}
	fmt.Println("while they are made:", there())
	fmt.Println("commit:", set.Commit())
	fmt.Println("after it:", there())
	// Output:
	// while they are made: 0
	// commit: <nil>
	// after it: 2
}
