package whole

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	if err := Write(path, text("one")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := Write(path, func(w io.Writer) error { io.WriteString(w, "tw"); return broken }); err != broken {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "one" {
		t.Errorf("%q, %v after an error", got, err)
	}
	link := filepath.Join(folder, "link")
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, text("three")); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if got, _ := os.ReadFile(path); string(got) != "three" {
		t.Errorf("%q through a link", got)
	}
	if left, _ := os.ReadDir(folder); len(left) != 2 {
		t.Errorf("files left behind: %v", left)
	}
	if Write(folder, text("x")) == nil || Write(filepath.Join(folder, "none", "a"), text("x")) == nil {
		t.Error("a folder was written to")
	}
}

func TestDevicesStay(t *testing.T) {
	for device, fails := range map[string]bool{"/dev/null": false, "/dev/full": true} {
		info, err := os.Stat(device)
		if err != nil || info.Mode()&os.ModeDevice == 0 {
			t.Skip(device + " is no device here")
		}
		if err := Write(device, text("x")); (err != nil) != fails {
			t.Errorf("%s: %v", device, err)
		}
		if info, err = os.Stat(device); err != nil || info.Mode()&os.ModeDevice == 0 {
			t.Fatalf("%s is now %v, %v", device, info.Mode(), err)
		}
	}
}
