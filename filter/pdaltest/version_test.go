package pdaltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestPluginOfAnotherPdalRefuses builds the version check against the headers
// of this PDAL with another minor version, as after an upgrade of PDAL.
func TestPluginOfAnotherPdalRefuses(t *testing.T) {
	t.Parallel()
	cache := must.Get(os.ReadFile(filepath.Join(filepath.Dir(launcher(t)), "CMakeCache.txt")))(t)
	include := regexp.MustCompile(`(?m)^PDAL_INCLUDE:PATH=(.*)$`).FindSubmatch(cache)
	if include == nil {
		t.Fatal("CMakeCache.txt does not say where PDAL's headers are")
	}
	headers, folder := t.TempDir(), t.TempDir()
	must.OK(t, os.Mkdir(filepath.Join(headers, "pdal"), 0o777))
	for _, c := range []struct{ minor, words string }{{"99", "built for PDAL 2.99"}, {"PDAL_VERSION_MINOR", "accepted"}} {
		text := "#include_next <pdal/pdal_features.hpp>\n"
		if c.minor == "99" {
			text += "#undef PDAL_VERSION_MINOR\n#define PDAL_VERSION_MINOR 99\n"
		}
		must.OK(t, os.WriteFile(filepath.Join(headers, "pdal", "pdal_features.hpp"), []byte(text), 0o666))
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
