// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestNoNetworkAndNoOtherFiles watches the system calls of a pipeline: no
// socket to another machine is opened, and nothing is written but the output.
func TestNoNetworkAndNoOtherFiles(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed (apt-get install strace)")
	}
	in, _ := houseFile(t, 0, 0, 1)
	folder := t.TempDir()
	out, log := filepath.Join(folder, "out.las"), filepath.Join(folder, "trace")
	file := pipelineFile(t, reader(in), stage{"type": "filters.superpoint"}, writer(out))
	text, err := exec.Command(strace, "-f", "-qq", "-e",
		"trace=network,open,openat,creat,rename,renameat,unlink,unlinkat,mkdir,execve", "-o", log, launcher(t), "pipeline",
		file).CombinedOutput()
	if err != nil {
		if strings.Contains(string(text), "ptrace") {
			t.Skipf("this system does not let strace trace: %s", text)
		}
		t.Fatalf("%v\n%s", err, text)
	}
	trace := must.Get(os.ReadFile(log))(t)
	writes := regexp.MustCompile(`open(at)?\(.*"([^"]+)".*O_(WRONLY|RDWR|CREAT)`)
	changes := regexp.MustCompile(`^\d+ +(rename|unlink|mkdir|creat)\w*\(`)
	network := regexp.MustCompile(`^\d+ +(socket\(AF_INET|connect\(|bind\(|sendto\()`)
	for line := range strings.Lines(string(trace)) {
		switch m := writes.FindStringSubmatch(line); {
		case network.MatchString(line):
			t.Errorf("network: %s", line)
		case m != nil && m[2] != out && !strings.HasPrefix(m[2], "/dev/") && !strings.HasPrefix(m[2], "/proc/self/") &&
			!strings.Contains(line, "ENOENT"):
			t.Errorf("a file beside the output: %s", line)
		case changes.MatchString(line) && !strings.Contains(line, out):
			t.Errorf("a change beside the output: %s", line)
		}
	}
}
