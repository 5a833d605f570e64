package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/las"
)

// TestKindsScript makes two small clouds by the script that training uses, and
// refuses a kind that it does not know.
func TestKindsScript(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("./kinds.sh", dir, "2", "5", "3000", "home", "table").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, points := range map[string]int{"sim_home_5.las": 3000, "sim_home_6.las": 3000, "sim_table_5.las": 1500,
		"sim_table_6.las": 1500} {
		p, err := las.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		objects := map[uint16]bool{}
		for _, id := range p.PointSourceID {
			objects[id] = true
		}
		if p.Len() != points || len(objects) < 5 {
			t.Errorf("%s: %d points and %d objects, want %d points", name, p.Len(), len(objects), points)
		}
	}
	// recipes and evidence are of these bytes
	for name, want := range map[string]string{"sim_home_5.las": "19b0aec89c1cd469",
		"sim_table_5.las": "5bbb433ef8ee0ca0"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if got := fmt.Sprintf("%x", sha256.Sum256(text))[:16]; err != nil || got != want {
			t.Errorf("%s has the digest %s, want %s (%v)", name, got, want, err)
		}
	}
	if out, err := exec.Command("./kinds.sh", dir, "1", "5", "3000", "castle").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "castle") {
		t.Errorf("kind castle: %v, %s", err, out)
	}
}
