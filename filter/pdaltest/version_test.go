package pdaltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPluginOfAnotherPdalRefuses builds the version check against the headers
// of this PDAL with another minor version, as after an upgrade of PDAL.
func TestPluginOfAnotherPdalRefuses(t *testing.T) {
	t.Parallel()
	cache, err := os.ReadFile(filepath.Join(filepath.Dir(launcher(t)), "CMakeCache.txt"))
	if err != nil {
		t.Fatal(err)
	}
	include := regexp.MustCompile(`(?m)^PDAL_INCLUDE:PATH=(.*)$`).FindSubmatch(cache)
	if include == nil {
		t.Fatal("CMakeCache.txt does not say where PDAL's headers are")
	}
	headers, folder := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(headers, "pdal"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ minor, words string }{{"99", "built for PDAL 2.99"}, {"PDAL_VERSION_MINOR", "accepted"}} {
		text := "#include_next <pdal/pdal_features.hpp>\n"
		if c.minor == "99" {
			text += "#undef PDAL_VERSION_MINOR\n#define PDAL_VERSION_MINOR 99\n"
		}
		if err := os.WriteFile(filepath.Join(headers, "pdal", "pdal_features.hpp"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		plugin := filepath.Join(folder, "libpdal_plugin_filter_superpoint.so")
		out, err := exec.Command("g++", "-std=c++17", "-shared", "-fPIC", "-I../pdal", "-isystem", headers,
			"-isystem", string(include[1]), "-o", plugin, "testdata/other.cpp").CombinedOutput()
		if err != nil {
			t.Fatalf("g++: %v\n%s", err, out)
		}
		o := pdal(t, []string{"SUPERPOINT_PLUGINS=" + folder}, "--options", "filters.superpoint").ok(t)
		if !strings.Contains(o.stderr, c.words) {
			t.Errorf("minor version %s: %q, want %q", c.minor, o.stderr, c.words)
		}
	}
}
