package pdaltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestPluginOfAnotherPdalRefuses builds the version check against the headers
// of this PDAL with another minor version, as after an upgrade of PDAL.
func TestPluginOfAnotherPdalRefuses(t *testing.T) {
	t.Parallel()
	headers, folder := t.TempDir(), t.TempDir()
	must.OK(t, os.Mkdir(filepath.Join(headers, "pdal"), 0o777))
	for _, c := range []struct{ minor, words string }{{"99", "built for PDAL 2.99"}, {"PDAL_VERSION_MINOR", "accepted"}} {
		text := "#include_next <pdal/pdal_features.hpp>\n"
		if c.minor == "99" {
			text += "#undef PDAL_VERSION_MINOR\n#define PDAL_VERSION_MINOR 99\n"
		}
		must.OK(t, os.WriteFile(filepath.Join(headers, "pdal", "pdal_features.hpp"), []byte(text), 0o666))
		plugin := filepath.Join(folder, "libpdal_plugin_filter_superpoint.so")
		compile(t, "g++", "-std=c++17", "-shared", "-fPIC", "-I../pdal", "-isystem", headers, "-isystem",
			cached(t, "PDAL_INCLUDE"), "-o", plugin, "testdata/other.cpp")
		o := pdal(t, []string{"SUPERPOINT_PLUGINS=" + folder}, "--options", "filters.superpoint").ok(t)
		if !strings.Contains(o.stderr, c.words) {
			t.Errorf("minor version %s: %q, want %q", c.minor, o.stderr, c.words)
		}
	}
}
