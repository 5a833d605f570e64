package cli_test

import (
	"fmt"

	"superpoint/embed/cli"
)

func ExampleParse() {
	var size float64
	f := cli.New("eval")
	cli.Float(f, &size, "target_size", 0, 1, 1e9, "wanted mean size")
	files, err := cli.Parse(f, []string{"a.laz", "--target_size", "100", "b.laz"})
	fmt.Println(files, size, err)
	_, err = cli.Parse(f, []string{"-target_size", "100"})
	fmt.Println(err)
	// Output:
	// [a.laz b.laz] 100 <nil>
	// -target_size: options have two dashes: --target_size; see pdal superpoint eval --help
}

func ExampleDidYouMean() {
	fmt.Println("there is no command segmnt" + cli.DidYouMean("segmnt", []string{"segment", "render"}))
	// Output: there is no command segmnt (did you mean segment?)
}
