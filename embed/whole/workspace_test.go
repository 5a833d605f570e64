package whole

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWhatKilledProcessesLeftIsRemoved makes what a process leaves that SIGKILL
// ended: a folder with a file that nobody locks.
func TestWhatKilledProcessesLeftIsRemoved(t *testing.T) {
	parent := t.TempDir()
	old := time.Now().Add(-2 * young)
	left := func(name string, age time.Time) string {
		folder := filepath.Join(parent, name)
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{lockName, "half.laz"} {
			if err := os.WriteFile(filepath.Join(folder, file), nil, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(filepath.Join(folder, file), age, age); err != nil {
				t.Fatal(err)
			}
		}
		return folder
	}
	dead, fresh, foreign := left(workPrefix+"dead", old), left(workPrefix+"fresh", time.Now()), left(".superpoint-mine",
		old)
	alive, done, err := Workspace(parent)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(alive, lockName), old, old); err != nil {
		t.Fatal(err)
	}
	_, doneToo, err := Workspace(parent)
	if err != nil {
		t.Fatal(err)
	}
	for folder, there := range map[string]bool{dead: false, fresh: true, foreign: true, alive: true} {
		if _, err := os.Stat(folder); (err == nil) != there {
			t.Errorf("%s: %v", filepath.Base(folder), err)
		}
	}
	done()
	doneToo()
	if entries, _ := os.ReadDir(parent); len(entries) != 2 {
		t.Errorf("%v left over", entries)
	}
}
