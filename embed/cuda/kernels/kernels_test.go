package kernels

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every PTX file was made from the sources as they are.
func TestPTXIsThatOfTheSources(t *testing.T) {
	header, err := os.ReadFile("device.h")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("*.cu")
	if err != nil || len(sources) != len(Names()) {
		t.Fatalf("%d sources, %d modules (%v)", len(sources), len(Names()), err)
	}
	entry := regexp.MustCompile(`(?m)^\.visible \.entry (\w+)\(`)
	for _, source := range sources {
		name := strings.TrimSuffix(source, ".cu")
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		ptx, err := PTX(name)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("// sources: %x\n", sha256.Sum256(append(slices.Clone(header), text...)))
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
