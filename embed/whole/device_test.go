package whole

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestStandardOutput writes to /dev/stdout in a child whose standard output is a
// file that something else wrote to before, and a pipe.
func TestStandardOutput(t *testing.T) {
	if os.Getenv("WHOLE_CHILD") != "" {
		if err := Write("/dev/stdout", text("ours\n")); err != nil {
			t.Fatal(err)
		}
		os.Exit(0)
	}
	if _, err := os.Stat("/dev/stdout"); err != nil {
		t.Skip("this system has no /dev/stdout")
	}
	child := func() *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run", "TestStandardOutput$")
		c.Env = append(os.Environ(), "WHOLE_CHILD=1")
		return c
	}
	if out, err := child().Output(); err != nil || string(out) != "ours\n" {
		t.Errorf("through a pipe: %q, %v", out, err)
	}
	path := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.WriteString(f, "before\n"); err != nil {
		t.Fatal(err)
	}
	c := child()
	c.Stdout = f
	if err := c.Run(); err != nil {
		t.Error(err)
	}
	if _, err := io.WriteString(f, "after\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "before\nours\nafter\n" {
		t.Errorf("in a file: %q, %v", got, err)
	}
}
