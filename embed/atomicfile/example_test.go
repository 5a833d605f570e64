package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"superpoint/embed/atomicfile"
)

// A file is there whole or not at all: what fails leaves the old one.
func ExampleWrite() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "table.csv")
	write := func(text string, problem error) error {
		return atomicfile.Write(name, func(w io.Writer) error {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
			return problem
		})
	}
	fmt.Println(write("complete", nil))
	fmt.Println(write("half", errors.New("the disk is full")) != nil)
	text, err := os.ReadFile(name)
	fmt.Println(string(text), err)
	// Output:
	// <nil>
	// true
	// complete <nil>
}
