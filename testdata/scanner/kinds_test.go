package main

import (
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
	if out, err := exec.Command("./kinds.sh", dir, "1", "5", "3000", "castle").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "castle") {
		t.Errorf("kind castle: %v, %s", err, out)
	}
}
