// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// plugins copies the built plugins, or other libraries of a pattern, to a new folder.
func plugins(t *testing.T, pattern string) string {
	t.Helper()
	folder := t.TempDir()
	for _, file := range must.Get(filepath.Glob(filepath.Join(filepath.Dir(launcher(t)), pattern)))(t) {
		put(t, filepath.Join(folder, filepath.Base(file)), string(must.Get(os.ReadFile(file))(t)))
	}
	return folder
}

// built are the plugins, without the Go libraries.
const built = "libpdal_plugin_*_superpoint.so"

// fake compiles a C library in place of libsuperpoint.so.
func fake(t *testing.T, folder, source string, flags ...string) {
	t.Helper()
	header := must.Get(filepath.Abs(filepath.Join("..", "..", "cexport")))(t)
	compile(t, "gcc", append([]string{"-shared", "-fPIC", "-I" + header, "-o",
		filepath.Join(folder, "libsuperpoint.so"), source}, flags...)...)
}

// TestBrokenLibraries replaces the library by one of another version, by one that lacks functions, by one
// that fails while it segments, and by none: an error, and no output. Listings need no library.
func TestBrokenLibraries(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	for _, c := range []struct{ source, flags, words string }{
		{"", "", "libsuperpoint.so|cmake --install"},
		{"testdata/fixed.c", "-DVERSION=4711", "ABI version 4711|same build"},
		{"testdata/fixed.c", "-DVERSION=SP_ABI_VERSION", "sp_open|same build"},
		{"testdata/fixed.c", "-DID=1 -DFAIL", "internal error: made for a test"},
	} {
		folder, out := plugins(t, built), filepath.Join(t.TempDir(), "out.laz")
		environment := []string{"SUPERPOINT_PLUGINS=" + folder}
		if c.source == "" {
			must.Say(t, pdal(t, environment, "--drivers").ok(t).stdout, "filters.superpoint")
			must.Say(t, pdal(t, environment, "--options", "filters.superpoint").ok(t).stdout,
				"regularization")
			refused(t, pdal(t, environment, "superpoint", "help"), "", "libsuperpoint.so")
		} else {
			fake(t, folder, c.source, strings.Fields(c.flags)...)
		}
		o := pipeline(t, environment, reader(in), superpoint(nil), writer(out))
		refused(t, o, out, append(strings.Split(c.words, "|"), "filters.superpoint")...)
	}
}

// TestHandlesAreClosed: a pipeline closes each handle of the library that its stages opened.
func TestHandlesAreClosed(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	folder := plugins(t, built)
	fake(t, folder, "testdata/fixed.c", "-DID=1", "-DCOUNT")
	for stages := 1; stages <= 2; stages++ {
		all := []any{reader(in)}
		for range stages {
			all = append(all, superpoint(nil))
		}
		all = append(all, stage{"type": "writers.null"})
		o := pipeline(t, []string{"SUPERPOINT_PLUGINS=" + folder}, all...).ok(t)
		handles := regexp.MustCompile(`handles: (\d+) opened, (\d+) closed`).FindStringSubmatch(o.stderr)
		must.Need(t, handles != nil, "no count of handles: %s", o.stderr)
		opened := must.Get(strconv.Atoi(handles[1]))(t)
		must.Hold(t, opened >= stages, "%d handles of %d stages", opened, stages)
		must.Equal(t, handles[2], handles[1], "handles that were closed, of %d stages", stages)
	}
}

// TestIdsAboveFloat uses a library that gives ids no real test could reach.
func TestIdsAboveFloat(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	folder := plugins(t, built)
	out := filepath.Join(t.TempDir(), "out.bpf")
	for _, c := range []struct {
		id   string
		warn bool
	}{{"16777216", false}, {"16777217", true}} {
		fake(t, folder, "testdata/fixed.c", "-DID="+c.id)
		o := pipeline(t, []string{"SUPERPOINT_PLUGINS=" + folder}, reader(in), superpoint(nil),
			stage{"type": "writers.bpf", "filename": out}).ok(t)
		must.Hold(t, strings.Contains(o.stderr, "bpf") == c.warn, "id %s: warning %q", c.id, o.stderr)
	}
}

func TestLibraryExportsOnlyItsHeader(t *testing.T) {
	t.Parallel()
	header := must.Get(os.ReadFile(filepath.Join("..", "..", "cexport", "superpoint.h")))(t)
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^\w.*?\b(sp_\w+)\([^*]`).FindAllStringSubmatch(
		string(header), -1) {
		want = append(want, m[1])
	}
	slices.Sort(want)
	must.Need(t, len(want) >= 9, "%d functions in superpoint.h: %v, want at least 9", len(want), want)
	must.Need(t, len(want) <= 10, "%d functions in superpoint.h: %v, want at most 10", len(want), want)
	for _, name := range []string{"libsuperpoint.so", "libsuperpoint_train.so"} {
		path := filepath.Join(filepath.Dir(launcher(t)), name)
		text := must.Get(exec.Command("nm", "-D", "--defined-only", "--format=just-symbols",
			path).Output())(t)
		must.Equal(t, strings.Fields(string(text)), want, "functions of superpoint.h that %s exports", name)
		section := must.Get(exec.Command("readelf", "-d", path).Output())(t)
		must.Hold(t, strings.Contains(string(section), "soname: ["+name+"]"),
			"%s has no SONAME of its own", path)
	}
}

// TestInstalledPlugin installs to a prefix and uses the plugin from there.
func TestInstalledPlugin(t *testing.T) {
	t.Parallel()
	prefix := t.TempDir()
	compile(t, "cmake", "--install", filepath.Dir(launcher(t)), "--prefix", prefix)
	found, err := filepath.Glob(filepath.Join(prefix, "lib*", "libpdal_plugin_filter_superpoint.so"))
	must.Need(t, err == nil, "installed plugins: %v", err)
	must.Need(t, len(found) == 1, "installed plugins: len(found) is %v, want 1", len(found))
	in, _ := houseFile(t, 0, 0, 1)
	out := filepath.Join(t.TempDir(), "out.las")
	pipeline(t, []string{"SUPERPOINT_PLUGINS=" + filepath.Dir(found[0])}, reader(in), superpoint(nil),
		writer(out)).ok(t)
	dense(t, ids(t, read(t, out), "SuperpointID"))
	folder := t.TempDir()
	compile(t, "cmake", "-S", "../..", "-B", folder, "-DCMAKE_INSTALL_LIBDIR=lib",
		"-DPDAL_ROOT="+cached(t, "PDAL_ROOT"))
	rules := string(must.Get(os.ReadFile(filepath.Join(folder, "cmake_install.cmake")))(t))
	must.Hold(t, strings.Contains(rules, `"${CMAKE_INSTALL_PREFIX}/lib" TYPE`),
		"conda's recipe: not to lib: %s", rules)
}

// TestPluginOfAnotherPdalRefuses builds the version check against the headers
// of this PDAL with another minor version, as after an upgrade of PDAL.
func TestPluginOfAnotherPdalRefuses(t *testing.T) {
	t.Parallel()
	headers, folder := t.TempDir(), t.TempDir()
	must.OK(t, os.Mkdir(filepath.Join(headers, "pdal"), 0o777))
	for _, c := range []struct{ minor, words string }{{"99", "built for PDAL 2.99"},
		{"PDAL_VERSION_MINOR", "accepted"}} {
		text := "#include_next <pdal/pdal_features.hpp>\n"
		if c.minor == "99" {
			text += "#undef PDAL_VERSION_MINOR\n#define PDAL_VERSION_MINOR 99\n"
		}
		must.OK(t, os.WriteFile(filepath.Join(headers, "pdal", "pdal_features.hpp"), []byte(text), 0o666))
		plugin := filepath.Join(folder, "libpdal_plugin_filter_superpoint.so")
		compile(t, "g++", "-std=c++17", "-shared", "-fPIC", "-I../pdal", "-isystem", headers, "-isystem",
			cached(t, "PDAL_INCLUDE"), "-o", plugin, "testdata/other.cpp")
		o := pdal(t, []string{"SUPERPOINT_PLUGINS=" + folder}, "--options", "filters.superpoint").ok(t)
		must.Say(t, o.stderr, c.words)
	}
}

// TestLibrariesAreOfNoFolder: builds in two folders give equal libraries, so none has a path of this machine,
// a state of git, or Go's build id, a hash of flags with paths.
func TestLibrariesAreOfNoFolder(t *testing.T) {
	t.Parallel()
	top := must.Get(filepath.Abs(filepath.Join("..", "..")))(t)
	words := []string{top, "vcs.revision", "CGO_CFLAGS", "-ldflags"}
	for _, name := range []string{"GOROOT", "GOMODCACHE", "GOCACHE"} {
		words = append(words,
			strings.TrimSpace(string(must.Get(exec.Command("go", "env", name).Output())(t))))
	}
	found := must.Get(filepath.Glob(filepath.Join(filepath.Dir(launcher(t)), "libsuperpoint*.so")))(t)
	must.Need(t, len(found) >= 2, "libraries: %v", found)
	for _, path := range found {
		text := must.Get(os.ReadFile(path))(t)
		for _, word := range words {
			must.Hold(t, !bytes.Contains(text, []byte(word)), "%s holds %q", filepath.Base(path), word)
		}
		must.Hold(t, !bytes.Contains(must.Get(exec.Command("readelf", "-SW", path).Output())(t),
			[]byte(".note.go.buildid")),
			"%s has a build id of Go", filepath.Base(path))
	}
}

// full returns how often to repeat something: few times in everyday tests, often when SUPERPOINT_FULL is set.
func full(few, often int) int {
	if os.Getenv("SUPERPOINT_FULL") != "" {
		return often
	}
	return few
}

// compiled compiles a host of libsuperpoint.so into a folder of its own, in which it is to run.
func compiled(t *testing.T, source string, flags ...string) (program string) {
	t.Helper()
	build := filepath.Dir(launcher(t))
	program = filepath.Join(t.TempDir(), "host")
	args := append([]string{"-O1", "-Wall", "-Werror", "-I../../cexport", "-o", program, source,
		filepath.Join(build, "libsuperpoint.so"), "-Wl,-rpath," + build, "-lm", "-lpthread"}, flags...)
	compile(t, "gcc", args...)
	return program
}

// succeeds runs a host, which prints at the end that all is well.
func succeeds(t *testing.T, program string, args ...string) {
	t.Helper()
	o := in(t, filepath.Dir(program), program, args...).ok(t)
	must.Hold(t, strings.HasSuffix(o.stdout, "all well\n"), "%v: %s", args, o.stdout)
}

// TestSmallHost runs a host: null pointers, stale handles, wrong lengths, a cloud, commands.
func TestSmallHost(t *testing.T) {
	t.Parallel()
	succeeds(t, compiled(t, "testdata/boundary.c", "-Wextra"), t.TempDir())
}

// TestBoundaryCorpus runs the calls of the C boundary that libFuzzer kept because they reach different code
// (testdata/fuzz-abi.sh), on four threads; each line of the corpus is one in hexadecimal digits.
func TestBoundaryCorpus(t *testing.T) {
	t.Parallel()
	program := compiled(t, "testdata/abi_fuzz.c", "-DREPLAY")
	text := must.Get(os.ReadFile("testdata/abi_corpus.txt"))(t)
	folder, corpus := t.TempDir(), []string(nil)
	for i, line := range strings.Fields(string(text)) {
		corpus = append(corpus, filepath.Join(folder, strconv.Itoa(i)))
		must.OK(t, os.WriteFile(corpus[i], must.Get(hex.DecodeString(line))(t), 0o600))
	}
	must.Need(t, len(corpus) >= 50, "%d inputs", len(corpus))
	succeeds(t, program, corpus...)
	must.Equal(t, len(must.Get(filepath.Glob(filepath.Join(filepath.Dir(program), "*")))(t)), 1,
		"files beside the program, which writes none")
}

// TestLauncherOfACopy: the launcher of a copied build loads the plugins beside it, also by a link. A copy
// without plugins loads the plugins of the build that it was made for.
func TestLauncherOfACopy(t *testing.T) {
	t.Parallel()
	text := string(must.Get(os.ReadFile(launcher(t)))(t))
	if !strings.HasPrefix(text, "#!") {
		t.Skipf("%s is a program, not the launcher of a build", launcher(t))
	}
	program := regexp.MustCompile(`(?m)^exec '.*' "\$@"$`)
	must.Need(t, program.MatchString(text), "%s runs no program: %s", launcher(t), text)
	text = program.ReplaceAllLiteralString(text, `printf '%s' "$PDAL_DRIVER_PATH"`)
	top := t.TempDir()
	copied, alone := filepath.Join(top, "l'été 1", "build"), filepath.Join(top, "alone")
	put(t, filepath.Join(copied, "pdal"), text)
	put(t, filepath.Join(copied, "libpdal_plugin_filter_superpoint.so"), "")
	put(t, filepath.Join(alone, "pdal"), text)
	must.OK(t, os.Symlink(filepath.Join(copied, "pdal"), filepath.Join(top, "pdal")))
	made := filepath.Dir(launcher(t))
	for script, want := range map[string]string{filepath.Join(copied, "pdal"): copied,
		filepath.Join(top, "pdal"):   copied,
		filepath.Join(alone, "pdal"): made} {
		command := exec.Command(script)
		command.Env = []string{"PATH=" + os.Getenv("PATH")}
		out, err := command.CombinedOutput()
		folder, _, _ := strings.Cut(string(out), ":")
		must.Need(t, err == nil, "%s: %v", script, err)
		must.Equal(t, folder, want, "%s: folder", script)
	}
}

// TestMovedCheckoutIsConfiguredAgain runs configure.sh with a cmake that only writes the files which
// configure.sh reads: in a new folder, again, after the folder was moved to one with a space, after another
// PDAL was installed, and after it was removed.
func TestMovedCheckoutIsConfiguredAgain(t *testing.T) {
	top := t.TempDir()
	programs, here := filepath.Join(top, "bin"), filepath.Join(top, "checkout")
	script := must.Get(os.ReadFile("../pdal/configure.sh"))(t)
	put(t, programs+"/pdal", "#!/bin/sh\nexit 0\n")
	put(t, top+"/include/pdal/pdal_features.hpp", "2.2")
	put(t, programs+"/cmake",
		"#!/bin/sh\nprintf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\nPDAL_PROGRAM:FILEPATH=%s\\n"+
			"PDAL_INCLUDE:PATH=%s\\n' \"$PWD\" \"$PDAL\" ../include >build/CMakeCache.txt\n"+
			"touch build/Makefile; echo once >>../runs\n")
	put(t, here+"/filter/pdal/configure.sh", string(script))
	put(t, here+"/filter/pdal/need-cmake.sh", "#!/bin/sh\nexit 0\n")
	put(t, here+"/filter/pdal/find-pdal.sh", "#!/bin/sh\necho system\n")

	runs := 0
	configure := func(again bool, message string) {
		t.Helper()
		command := exec.Command(filepath.Join(here, "filter/pdal/configure.sh"), "build")
		command.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"),
			"PDAL="+filepath.Join(programs, "pdal"))
		out, err := command.CombinedOutput()
		must.Need(t, err == nil, "%v: %q, want %q: %v", err, out, message, err)
		must.Need(t, strings.Contains(string(out), message),
			"%v: %q, want %q: no %q", err, out, message, message)
		if message == "" {
			must.Need(t, len(out) == 0, "%v: %q, want %q: len(out) is not 0", err, out, message)
		}
		if again {
			runs++
		}
		text, _ := os.ReadFile(filepath.Join(top, "runs"))
		n := strings.Count(string(text), "once")
		must.Need(t, n == runs, "cmake ran %d times, want %d", n, runs)
	}
	configure(true, "the first build takes a few minutes")
	configure(false, "")
	put(t, here+"/build/libsuperpoint.so", "compiled")
	moved := filepath.Join(top, "l'été 1")
	must.OK(t, os.Rename(here, moved))
	old := here
	here = moved
	configure(true, "build was made in "+old+"; this checkout is "+moved+": building again")
	must.Get(os.Stat(filepath.Join(moved, "build/libsuperpoint.so")))(t)
	configure(false, "")
	put(t, top+"/include/pdal/pdal_features.hpp", "2.10")
	configure(true, "build was made for another version of PDAL: building again")
	configure(false, "")
	must.OK(t, os.Rename(filepath.Join(programs, "pdal"), filepath.Join(programs, "pdal-gone")))
	configure(true, "which is gone: building again")
}
