// Command imports draws which packages import the machine room of the GPU, and which
// kernels lie where: go run ./embed/cuda/imports >embed/cuda/imports.svg
//
// Drawn are the packages that -of names, those that import one of them, and those
// with a kernel. An arrow is an import in code, not in a test; one that other arrows
// imply is left out. A package stands above all that it imports.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	top := flag.String("top", ".", "folder with the sources")
	of := flag.String("of", "partition/device", "packages of the machine, divided by commas")
	flag.Parse()
	rooms, err := read(*top)
	if err == nil {
		_, err = os.Stdout.WriteString(picture(choose(rooms, strings.Split(*of, ","))))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "imports:", err)
		os.Exit(1)
	}
}
