package whole

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.gpkg")
	write := func(text string, err error) func(string) error {
		return func(temporary string) error {
			if filepath.Ext(temporary) != ".gpkg" {
				t.Errorf("temporary name %s", temporary)
			}
			if e := os.WriteFile(temporary, []byte(text), 0o644); e != nil {
				return e
			}
			return err
		}
	}
	if err := File(path, write("one", nil)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := File(path, write("two", broken)); err != broken {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "one" {
		t.Errorf("%q, %v after an error", got, err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v, %v left over", left, err)
	}
	if err := File("/dev/null", write("", nil)); err == nil || !strings.Contains(err.Error(), "name a file") {
		t.Errorf("a device: %v", err)
	}
	if err := File(filepath.Join(folder, "none", "a"), write("", nil)); err == nil {
		t.Error("a folder that is missing is no error")
	}
}
