// SPDX-License-Identifier: BSD-3-Clause

// Command tables generates files from the tables of packages filter and command: the options of the
// C++ stage, the fields of filter.Options, the tables of the pages, and the fields of the QGIS plugin.
// `go generate ./filter` runs it; its test fails if a generated file is old.
package main

import (
	"fmt"
	"os"

	"superpoint/pipelines/files/generated"
)

func files() []generated.File {
	const by = "go generate ./filter"
	return []generated.File{
		{Path: "filter/fields.go", Whole: optionFields()},
		{Path: "filter/pdal/options.inc", Whole: cplusplus()},
		{Path: "filter/pdal/commands.inc", Whole: commandNames()},
		{Path: "filter/pdal/kernels.md", By: by, Sections: commandOptions()},
		{Path: "pipelines/qgis/superpoint/options.json", Whole: fields()},
		{Path: "filter/pdal/filters.superpoint.md", By: by, Sections: map[string]string{
			"options": optionList(), "outputs": outputTable(),
		}},
	}
}

func main() {
	if err := generated.Write("..", files()); err != nil { // go generate runs in filter/
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}
