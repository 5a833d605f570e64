package classrules_test

import (
	"fmt"
	"os"
	"path/filepath"

	"superpoint/filter/classrules"
)

// Which labels of files stand for which classes, counted from 0; old files call
// buildings and trees one thing.
func ExampleRead() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "rules.yaml")
	text := `
classes: [{code: 2, name: ground}, {code: 5, name: tree}, {code: 6, name: building}]
labels:
  - {files: "old*", codes: {1: [building, tree], 2: [ground]}}
  - {files: "*", codes: {2: [ground], 5: [tree], 6: [building]}}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
	rules, err := classrules.Read(path)
	if err != nil {
		panic(err)
	}
	for _, file := range []string{"new.laz", "old.laz"} {
		meaning, err := rules.Meaning(file, []float64{2, 1, 6})
		fmt.Print(file, ":")
		for _, set := range meaning {
			if set >= 0 {
				fmt.Print(" ", rules.Sets[set])
			} else {
				fmt.Print(" none")
			}
		}
		fmt.Println("", err)
	}
	// Output:
	// new.laz: [0] none [2] <nil>
	// old.laz: [0] [1 2] none <nil>
}
