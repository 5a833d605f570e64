// SPDX-License-Identifier: BSD-3-Clause

// Package realdata reads the labelled clouds in ../shared/data, beside the repository, through
// PDAL. A test is skipped, with a message, if its cloud or PDAL is missing. Coordinates are
// those of the file, in metres.
package realdata

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// Root returns the folder that holds go.mod, searched upwards from the working
// directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = up
	}
}

// Folder returns ../shared/data beside the repository.
func Folder() (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "..", "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("the labelled clouds are not in ../shared/data beside the repository: %w", err)
	}
	return dir, nil
}

// PDAL returns the command of the built launcher build/pdal, else of the first
// pdal on the PATH.
func PDAL() (string, error) {
	if root, err := Root(); err == nil {
		launcher := filepath.Join(root, "build", "pdal")
		if info, err := os.Stat(launcher); err == nil && !info.IsDir() {
			return launcher, nil
		}
	}
	if path, err := exec.LookPath("pdal"); err == nil {
		return path, nil
	}
	return "", errors.New("no pdal: neither build/pdal (run \"make\") nor one on the PATH")
}

// Translate converts between LAS and LAZ, keeping every dimension.
func Translate(from, to, extra string) error {
	pdal, err := PDAL()
	if err != nil {
		return err
	}
	args := []string{"translate", from, to}
	if !strings.HasSuffix(from, ".bpf") {
		args = append(args, "--readers.las.use_eb_vlr=true")
	}
	args = append(args, "--writers.las.minor_version=4", "--writers.las.forward=all")
	if extra != "" {
		args = append(args, "--writers.las.extra_dims="+extra)
	}
	if out, err := exec.Command(pdal, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", pdal, strings.Join(args, " "), err, out)
	}
	return nil
}

// Read returns the cloud of a path below ../shared/data such as
// "val/ahn3_cropped_2.laz", or skips the test where that folder is missing.
func Read(t testing.TB, name string) *las.Points {
	t.Helper()
	dir, err := Folder()
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".laz") {
		if _, err := PDAL(); err != nil {
			t.Skip(err)
		}
		raw := filepath.Join(t.TempDir(), "cloud.las")
		must.OK(t, Translate(path, raw, "all"))
		path = raw
	}
	return must.Get(las.ReadFile(path))(t)
}
