// SPDX-License-Identifier: BSD-3-Clause

// Command evidence writes RESULTS.md, its figure and the tables of choosing.md from cells/, of comparisons:
//
//	go run ./pipelines/evidence                     the pages
//	go run ./pipelines/evidence keep NAME RESULTS…  results.csv of compare → cells/NAME.csv
//	go run ./pipelines/evidence classes …           measures classes of superpoints; see -h
//	go run ./pipelines/evidence jitter FILE…        how superpoints change when points move by a unit
//
// measure.sh, classes.sh and the commands in embed/train/recipes/ablation.yaml measure.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"superpoint/pipelines/files/generated"
)

// classesName is the command that measures classes.
const classesName = "classes"

// home is the folder of the page, from the top of the checkout.
const home = "pipelines/evidence"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "evidence:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		all, err := files(home)
		if err != nil {
			return err
		}
		return generated.Write(".", all)
	}
	switch rest := args[1:]; {
	case args[0] == "keep" && len(rest) > 1:
		return keep(filepath.Join(home, "cells", rest[0]+".csv"), rest[1:])
	case args[0] == classesName:
		return classesCommand(rest)
	case args[0] == "label":
		return labelCommand(rest)
	case args[0] == "jitter" && len(rest) > 0:
		return jitterCommand(rest)
	}
	return fmt.Errorf("arguments %q; give none, or keep, classes, label or jitter with theirs", args)
}
