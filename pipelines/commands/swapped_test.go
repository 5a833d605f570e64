// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/job"
	"superpoint/testdata/must"
)

// swapHost is a host whose file another program replaces while it is read.
type swapHost struct {
	stepsHost
	swaps int // how many times
}

func (h *swapHost) Read(path string, dimensions []string) (*command.Columns, error) {
	if h.reads < h.swaps {
		must.OK(h.t, os.WriteFile("new", fmt.Append(nil, "points of reading ", h.reads), 0o666))
		must.OK(h.t, os.Rename("new", path))
	}
	return h.stepsHost.Read(path, dimensions)
}

// TestSwappedInputs: each command that reads files in this process reads a file that changed meanwhile once
// more, and fails without an output if it changes each time.
func TestSwappedInputs(t *testing.T) {
	for _, args := range []string{
		"table steps out.csv",
		"graph steps out.csv",
		"outline steps out.geojson",
		"objects steps out.geojson",
		"mesh steps out.stl",
		"render --id SuperpointID steps out.png",
		"eval --id Segment --output out.csv steps",
		"compare --systems id:Segment --output out steps",
	} {
		for _, swaps := range []int{0, 1, 1000} {
			if strings.HasPrefix(args, "compare") && swaps == 1 {
				continue // it has the hash of the first content
			}
			t.Run(fmt.Sprintf("%s, %d swaps", args, swaps), func(t *testing.T) {
				t.Chdir(t.TempDir())
				must.OK(t, os.WriteFile("steps", []byte("points"), 0o666))
				h := &swapHost{stepsHost: stepsHost{t: t, points: 1200}, swaps: swaps}
				err := Run(h, strings.Fields(args))
				text := fmt.Sprint(err, h.said)
				if swaps < 1000 {
					must.OK(t, err)
					must.Hold(t, h.reads > swaps, "%d readings after %d swaps", h.reads, swaps)
					return
				}
				must.Hold(t, strings.Contains(text, "changed while it was read"), "%s", text)
				for _, name := range []string{"out.csv", "out.geojson", "out.stl", "out.png",
					"out/summary.md"} {
					_, err := os.Stat(name)
					must.Hold(t, os.IsNotExist(err), "there is %s", name)
				}
			})
		}
	}
}

// TestInputSwappedBeforeTheOutput: an output of a file that changed after it was read does not get its place.
func TestInputSwappedBeforeTheOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	must.OK(t, os.WriteFile("steps", []byte("points"), 0o666))
	a := command.NewArguments("table", nil)
	to := must.Get(a.Open([]string{"steps"}, "out.csv"))(t)
	must.OK(t, a.Pinned.Read("steps", func() error { return nil }))
	must.OK(t,
		to.File(func(temporary string) error { return os.WriteFile(temporary, []byte("of points"), 0o666) }))
	must.OK(t, os.WriteFile("steps", []byte("others"), 0o666))
	err := to.File(func(temporary string) error {
		return os.WriteFile(temporary,
			[]byte("of others"), 0o666)
	})
	must.Fail(0, err)(t, "steps", job.ErrChanged.Error())
	must.Equal(t, string(must.Get(os.ReadFile("out.csv"))(t)), "of points", "the output")
}
