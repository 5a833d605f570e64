// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"os/exec"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestFarGroupsCanBeLeftOut: points without coordinates that round the positions of all others are an error
// without an output, and the command that it names makes a file that can be segmented.
func TestFarGroupsCanBeLeftOut(t *testing.T) {
	t.Parallel()
	p, at := scene(t)
	far := &las.Points{}
	for i := range p.Len() {
		far.X = append(far.X, 500000.001+p.X[i])
		far.Y = append(far.Y, 5500000.001+p.Y[i])
		far.Z = append(far.Z, p.Z[i])
	}
	for range 800 {
		far.X, far.Y, far.Z = append(far.X, 0), append(far.Y, 0), append(far.Z, 0)
	}
	must.OK(t, las.WriteFile(at("far.las"), far, 0.003))
	failed := try(t, "segment", "--classes", "aerial", at("far.las"), at("out.las"))
	must.Hold(t, failed.code == 1, "exit code %d", failed.code)
	must.Say(t, failed.stderr, "800 of ")
	runAdvice(t, strings.Replace(failed.stderr, "INPUT", at("far.las"), 1), at("near.las"))
	must.Equal(t, read(t, at("near.las")).Len(), p.Len(), "points that the command keeps")
	do(t, "segment", at("near.las"), at("out.las"))
}

// runAdvice runs the command of a message that says which points to leave out, with its OUTPUT.
func runAdvice(t *testing.T, message, output string) {
	t.Helper()
	_, command, found := strings.Cut(message, "leave them out first, with pdal ")
	must.Need(t, found, "no command: %s", message)
	command, _, _ = strings.Cut(command, "\n")
	command, _, _ = strings.Cut(command, ", or ")
	command = strings.Replace(command, "OUTPUT", output, 1)
	outcomeOf(t, exec.Command("sh", "-c", `"$0" `+command, launcher(t))).ok(t)
}
