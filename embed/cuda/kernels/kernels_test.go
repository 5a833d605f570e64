package kernels

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every PTX file was made from the sources as they are.
func TestPTXIsThatOfTheSources(t *testing.T) {
	sources, err := fs.Glob(Sources(), "*.cu")
	if err != nil || len(sources) != len(Names()) {
		t.Fatalf("%d sources, %d modules (%v)", len(sources), len(Names()), err)
	}
	include := regexp.MustCompile(`(?m)^#include "(.*)"$`)
	entry := regexp.MustCompile(`(?m)^\.visible \.entry (\w+)\(`)
	for _, source := range sources {
		name := strings.TrimSuffix(source, ".cu")
		text, err := fs.ReadFile(Sources(), source)
		if err != nil {
			t.Fatal(err)
		}
		ptx, err := PTX(name)
		if err != nil {
			t.Fatal(err)
		}
		hash := sha256.New()
		for _, m := range include.FindAllSubmatch(text, -1) {
			header, err := os.ReadFile(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			hash.Write(header)
		}
		hash.Write(text)
		want := fmt.Sprintf("// sources: %x\n", hash.Sum(nil))
		if !strings.HasPrefix(ptx, want) {
			t.Errorf("%s.ptx was not made from %s as it is; run go generate ./embed/cuda/kernels", name, source)
		}
		if !strings.Contains(ptx, ".target sm_70") {
			t.Errorf("%s.ptx is not for compute_70", name)
		}
		var found []string
		for _, m := range entry.FindAllStringSubmatch(ptx, -1) {
			found = append(found, m[1])
		}
		slices.Sort(found)
		if !slices.Equal(found, slices.Sorted(slices.Values(Names()[name]))) {
			t.Errorf("%s.ptx has the kernels %v", name, found)
		}
	}
}

// What a kernel may take: 168 registers leave three blocks of 128 threads on a
// multiprocessor, and a few bytes spilled at the entry of a kernel cost nothing.
const (
	mostRegisters = 168
	mostSpilled   = 16
)

// registers.txt is that of the PTX files, and no kernel takes too much.
func TestRegisters(t *testing.T) {
	all := sha256.New()
	files, err := filepath.Glob("*.ptx")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	text, err := os.ReadFile("registers.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), fmt.Sprintf("# %x\n", all.Sum(nil))) {
		t.Error("registers.txt is not that of the PTX files; run go generate ./embed/cuda/kernels")
	}
	found := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var kernel, gpu string
		var registers, spilled, frame int
		if line[0] == '#' {
			continue
		}
		if _, err := fmt.Sscan(line, &kernel, &gpu, &registers, &spilled, &frame); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		found[kernel]++
		if registers > mostRegisters || spilled > mostSpilled {
			t.Errorf("%s on %s takes %d registers a thread and spills %d bytes; at most %d and %d", kernel, gpu, registers,
				spilled, mostRegisters, mostSpilled)
		}
	}
	for module, names := range Names() {
		for _, name := range names {
			if found[name] != 3 {
				t.Errorf("%s of %s is there for %d GPUs, not 3", name, module, found[name])
			}
		}
	}
}
