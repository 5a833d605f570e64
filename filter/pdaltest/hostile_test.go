package pdaltest

import (
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// full returns how often to repeat something: few times in everyday tests,
// often when SUPERPOINT_FULL is set.
func full(few, often int) int {
	if os.Getenv("SUPERPOINT_FULL") != "" {
		return often
	}
	return few
}

// TestHostileHost calls libsuperpoint.so from four threads in random ways.
func TestHostileHost(t *testing.T) {
	library := filepath.Join(filepath.Dir(launcher(t)), "libsuperpoint.so")
	folder := t.TempDir()
	program := filepath.Join(folder, "hostile")
	out, err := exec.Command("gcc", "-O1", "-Wall", "-Werror", "-I../../cexport", "-o", program, "testdata/hostile.c",
		library, "-lm", "-lpthread").CombinedOutput()
	if err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	for seed := range full(1, 10) {
		command := exec.Command(program, strconv.Itoa(full(150, 5000)), strconv.Itoa(seed))
		command.Dir = folder
		command.Env = append(command.Environ(), "LD_LIBRARY_PATH="+filepath.Dir(library))
		out, err = command.Output()
		t.Logf("seed %d: %s", seed, out)
		if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "all well") {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("files were written: %v, %v", left, err)
	}
}

// TestSmallHost runs the host that packages/test-windows.sh runs under Windows, too.
func TestSmallHost(t *testing.T) {
	library := filepath.Join(filepath.Dir(launcher(t)), "libsuperpoint.so")
	folder := t.TempDir()
	program := filepath.Join(folder, "boundary")
	out, err := exec.Command("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-I../../cexport", "-o", program,
		"../pdal/packages/boundary.c", library, "-Wl,-rpath,"+filepath.Dir(library)).CombinedOutput()
	if err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	in, _ := houseFile(t, 0, 0, 1)
	out, err = exec.Command(program, in, folder).CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "all well") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestBoundaryCorpus runs what libFuzzer kept (testdata/fuzz-abi.sh): calls of the
// C boundary that reach different code; each line of the corpus is one in hexadecimal digits.
func TestBoundaryCorpus(t *testing.T) {
	library := filepath.Join(filepath.Dir(launcher(t)), "libsuperpoint.so")
	program := filepath.Join(t.TempDir(), "replay")
	out, err := exec.Command("gcc", "-O1", "-Wall", "-Werror", "-DREPLAY", "-I../../cexport", "-o", program,
		"testdata/abi_fuzz.c", library).CombinedOutput()
	if err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	text, err := os.ReadFile("testdata/abi_corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	folder, corpus := t.TempDir(), []string(nil)
	for i, line := range strings.Fields(string(text)) {
		input, err := hex.DecodeString(line)
		if err != nil {
			t.Fatal(err)
		}
		corpus = append(corpus, filepath.Join(folder, strconv.Itoa(i)))
		if err := os.WriteFile(corpus[i], input, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if len(corpus) < 50 {
		t.Fatalf("%d inputs", len(corpus))
	}
	command := exec.Command(program, corpus...)
	command.Env = append(command.Environ(), "LD_LIBRARY_PATH="+filepath.Dir(library))
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
