// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"superpoint/filter"
	"superpoint/pipelines/commands/command"
)

// scriptHost is a host of stepsHost's file that writes to the standard output and error of a process.
type scriptHost struct{ stepsHost }

func (*scriptHost) Stdout() io.Writer        { return os.Stdout }
func (*scriptHost) Progress(string, float64) {}

func (*scriptHost) Log(_ int, text string) { fmt.Fprintln(os.Stderr, text) }

func (h *scriptHost) Read(path string, dimensions []string) (*command.Columns, error) {
	fmt.Fprintln(os.Stderr, "read", path)
	return h.stepsHost.Read(path, dimensions)
}

// superpoint runs a command as `pdal superpoint` does.
func superpoint() {
	if err := Run(&scriptHost{}, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"superpoint": superpoint})
}

// TestScripts runs testdata/scripts: commands, and what they print. The language is described at
// https://pkg.go.dev/github.com/rogpeppe/go-internal/testscript.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/scripts",
		Setup: func(e *testscript.Env) error {
			e.Setenv("VERSION", filter.Version)
			return nil
		},
	})
}
