package pdaltest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestABI drives libsuperpoint.so from C: null pointers, stale handles, wrong
// lengths, and a small cloud.
func TestABI(t *testing.T) {
	library := filepath.Join(filepath.Dir(launcher(t)), "libsuperpoint.so")
	program := filepath.Join(t.TempDir(), "host")
	out, err := exec.Command("gcc", "-Wall", "-Werror", "-I../../cexport", "-o", program, "testdata/host.c", library,
		"-lm", "-lpthread").CombinedOutput()
	if err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	command := exec.Command(program)
	command.Env = append(command.Environ(), "LD_LIBRARY_PATH="+filepath.Dir(library))
	out, err = command.CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "all well") {
		t.Errorf("%v\n%s", err, out)
	}
}
