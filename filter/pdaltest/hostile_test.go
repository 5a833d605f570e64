// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// full returns how often to repeat something: few times in everyday tests,
// often when SUPERPOINT_FULL is set.
func full(few, often int) int {
	if os.Getenv("SUPERPOINT_FULL") != "" {
		return often
	}
	return few
}

// compiled compiles a host of libsuperpoint.so into a folder of its own, in which it is to run.
func compiled(t *testing.T, source string, flags ...string) (program string) {
	t.Helper()
	build := filepath.Dir(launcher(t))
	program = filepath.Join(t.TempDir(), "host")
	args := append([]string{"-O1", "-Wall", "-Werror", "-I../../cexport", "-o", program, source,
		filepath.Join(build, "libsuperpoint.so"), "-Wl,-rpath," + build, "-lm", "-lpthread"}, flags...)
	compile(t, "gcc", args...)
	return program
}

// succeeds runs a host, which says in the end that all is well.
func succeeds(t *testing.T, program string, args ...string) {
	t.Helper()
	command := exec.Command(program, args...)
	command.Dir = filepath.Dir(program)
	out, err := command.CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "all well") {
		t.Errorf("%v: %v\n%s", args, err, out)
	}
}

// TestSmallHost runs a host: null pointers, stale handles, wrong lengths, a cloud, commands.
func TestSmallHost(t *testing.T) {
	t.Parallel()
	succeeds(t, compiled(t, "testdata/boundary.c", "-Wextra"), t.TempDir())
}

// TestBoundaryCorpus runs the calls of the C boundary that libFuzzer kept because they reach
// different code (testdata/fuzz-abi.sh), on four threads; each line of the corpus is one in
// hexadecimal digits.
func TestBoundaryCorpus(t *testing.T) {
	t.Parallel()
	program := compiled(t, "testdata/abi_fuzz.c", "-DREPLAY")
	text := must.Get(os.ReadFile("testdata/abi_corpus.txt"))(t)
	folder, corpus := t.TempDir(), []string(nil)
	for i, line := range strings.Fields(string(text)) {
		corpus = append(corpus, filepath.Join(folder, strconv.Itoa(i)))
		must.OK(t, os.WriteFile(corpus[i], must.Get(hex.DecodeString(line))(t), 0o600))
	}
	if len(corpus) < 50 {
		t.Fatalf("%d inputs", len(corpus))
	}
	succeeds(t, program, corpus...)
	if left := must.Get(filepath.Glob(filepath.Join(filepath.Dir(program), "*")))(t); len(left) != 1 {
		t.Errorf("files were written: %v", left)
	}
}
