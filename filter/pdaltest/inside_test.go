package pdaltest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSegmentInThisProcess does a small file as one of one, in the command's own
// process, and as one of two, in another: results, warnings and errors are the same.
func TestSegmentInThisProcess(t *testing.T) {
	folder := t.TempDir()
	in, other := cloudFile(t, folder, "in.las", 4, 3), filepath.Join(folder, "other.las")
	text, err := os.ReadFile(in)
	if err == nil {
		err = os.WriteFile(other, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.las", "b.laz"} {
		alone, among := filepath.Join(folder, "alone #[1] é", name), filepath.Join(folder, "among")
		options := []string{"--classes", "aerial", "--spacing", "1", "--color", "true", "--where", "Z >= -5"}
		one := segment(t, append(options, in, alone)...).ok(t)
		two := segment(t, append(options, in, other, among, "--force")...).ok(t)
		if name == "a.las" {
			a, errA := os.ReadFile(alone)
			b, errB := os.ReadFile(filepath.Join(among, "in.las"))
			if errA != nil || errB != nil || !slices.Equal(a, b) {
				t.Errorf("the file alone (%d bytes) differs from the same among others (%d): %v %v", len(a), len(b), errA, errB)
			}
		}
		if !strings.Contains(one.stdout, "\n  classes: ") || !strings.Contains(one.stdout, "; mean confidence 0.") {
			t.Errorf("no counts of classes in %q", one.stdout)
		}
		if one.stderr == "" || !strings.Contains(two.stderr, one.stderr) {
			t.Errorf("alone it warns %q, among others %q", one.stderr, two.stderr)
		}
	}
	for _, options := range [][]string{{"--where", "Wrong ("}, {"--truth", "Missing"}, {"--max_edge", "-1"}} {
		said := func(inputs ...string) string {
			o := segment(t, slices.Concat(options, inputs, []string{filepath.Join(folder, "failed") + "/"})...)
			line, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(o.stderr, "PDAL: segment: ")), "\n")
			if o.code != 1 {
				t.Errorf("%v: exit code %d", options, o.code)
			}
			_, line, _ = strings.Cut(line, "in.las: ")
			return line
		}
		if alone, among := said(in), said(in, other); alone != among {
			t.Errorf("%v: alone %q, among others %q", options, alone, among)
		}
	}
	if left := remains(t, folder); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// TestSegmentStartsNothing looks for other processes of a command, at its first
// progress: there are none for one small file, and there is one for each of several.
func TestSegmentStartsNothing(t *testing.T) {
	folder := t.TempDir()
	in, other := cloudFile(t, folder, "in.las", 4, 3), cloudFile(t, folder, "other.las", 4, 3)
	for want, inputs := range [][]string{{in}, {in, other}} {
		c, lines := started(t, append(append([]string{"superpoint", "segment"}, inputs...), filepath.Join(folder, "out")+"/",
			"--force")...)
		found := -1
		for lines.Scan() {
			if found < 0 && strings.HasPrefix(lines.Text(), "PROGRESS ") {
				found = children(t, c.Process.Pid)
			}
		}
		if err := c.Wait(); err != nil || found != want {
			t.Errorf("%d files: %d processes beside the command, not %d: %v", len(inputs), found, want, err)
		}
	}
}

// children counts the processes that a process has started, by any thread.
func children(t *testing.T, pid int) (n int) {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(lists) == 0 {
		t.Fatalf("process %d has no threads: %v", pid, err)
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		n += len(strings.Fields(string(text)))
	}
	return n
}
