package style

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// files calls see with every file of the checkout but what was built or fetched.
func files(t *testing.T, see func(name string, text []byte)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if e.IsDir() && (strings.HasPrefix(e.Name(), ".") && !slices.Contains([]string{"..", ".ci"}, e.Name()) ||
			slices.Contains([]string{"build", "out", "report"}, name)) {
			return filepath.SkipDir
		}
		if !e.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		see(filepath.ToSlash(name), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sources calls see with every Go file of the checkout.
func sources(t *testing.T, see func(name string, text []byte)) {
	t.Helper()
	read := 0
	files(t, func(name string, text []byte) {
		if strings.HasSuffix(name, ".go") {
			read++
			see(name, text)
		}
	})
	if read < 400 {
		t.Errorf("only %d files were read", read)
	}
}

func TestGoIsFormatted(t *testing.T) {
	sources(t, func(name string, text []byte) {
		formatted, err := format.Source(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(formatted, text) {
			t.Errorf("%s: run gofmt -w on it", name)
		}
	})
}
