package benchmarks_test

import (
	"fmt"
	"os"
	"path/filepath"

	"superpoint/filter/benchmarks"
)

// A room of S3DIS with two objects.
func ExampleReader() {
	dir, err := os.MkdirTemp("", "s3dis")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	room := filepath.Join(dir, "Area_1", "office_1")
	if err := os.MkdirAll(filepath.Join(room, "Annotations"), 0o755); err != nil {
		panic(err)
	}
	for name, text := range map[string]string{
		"chair_1": "1 2 0.5 90 80 70\n",
		"floor_1": "1 2 0 200 200 190\n1 3 0 200 200 190\n",
	} {
		if err := os.WriteFile(filepath.Join(room, "Annotations", name+".txt"), []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
	c, err := benchmarks.Reader{}.Read(room, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Z, c.Dimensions["Classification"], c.Dimensions["PointSourceId"])
	// Output: [0.5 0 0] [9 2 2] [1 2 2]
}
