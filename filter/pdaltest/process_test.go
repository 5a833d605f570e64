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

// cached returns a path from CMakeCache.txt, or "".
func cached(t testing.TB, name string) string {
	t.Helper()
	cache := must.Get(os.ReadFile(filepath.Join(filepath.Dir(launcher(t)), "CMakeCache.txt")))(t)
	m := regexp.MustCompile(`(?m)^` + name + `:\w+=(.*)$`).FindSubmatch(cache)
	if m == nil || strings.HasSuffix(string(m[1]), "NOTFOUND") {
		return ""
	}
	return string(m[1])
}

// TestManyPipelinesInOneProcess runs the stage again and again in one process,
// one after another and two at once, and watches memory and descriptors.
func TestManyPipelinesInOneProcess(t *testing.T) {
	program := filepath.Join(t.TempDir(), "repeat")
	args := []string{"-std=c++17", "-O1", "-isystem", cached(t, "PDAL_INCLUDE"), "-o", program, "testdata/repeat.cpp",
		"-Wl,--allow-shlib-undefined", "-pthread"}
	libraries := []string{cached(t, "PDAL_BASE"), cached(t, "PDAL_UTIL")} // before PDAL 2.6
	if libraries[0] == "" {
		libraries = []string{cached(t, "PDAL_CPP")}
	}
	compile(t, "g++", append(args, libraries...)...)
	in, _ := houseFile(t, 0, 0, 1)
	file := pipelineFile(t, reader(in), superpoint(nil), stage{"type": "writers.null"})
	out, err := exec.Command(tool(t, `exec "`+program+`" "$@"`), file,
		map[bool]string{false: "24", true: "1000"}[full(0, 1) == 1]).CombinedOutput()
	t.Logf("%s", out)
	if err != nil || !strings.Contains(string(out), "all well") {
		t.Errorf("%v", err)
	}
}
