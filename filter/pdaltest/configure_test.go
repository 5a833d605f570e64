// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestMovedCheckoutIsConfiguredAgain runs configure.sh with a cmake that only
// writes what configure.sh looks at: in a new folder, again, after the folder was
// moved to one with a space, after another PDAL came, and after that has gone.
func TestMovedCheckoutIsConfiguredAgain(t *testing.T) {
	top := t.TempDir()
	programs, here := filepath.Join(top, "bin"), filepath.Join(top, "checkout")
	script := must.Get(os.ReadFile("../pdal/configure.sh"))(t)
	put := func(text string, path ...string) {
		t.Helper()
		file := filepath.Join(path...)
		must.OK(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.OK(t, os.WriteFile(file, []byte(text), 0o777))
	}
	put("#!/bin/sh\nexit 0\n", programs, "pdal")
	put("2.2", top, "include/pdal/pdal_features.hpp")
	put("#!/bin/sh\nprintf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\nPDAL_PROGRAM:FILEPATH=%s\\nPDAL_INCLUDE:PATH=%s\\n' "+
		"\"$PWD\" \"$PDAL\" ../include >build/CMakeCache.txt\n"+
		"touch build/Makefile; echo once >>../runs\n", programs, "cmake")
	put(string(script), here, "filter/pdal/configure.sh")
	put("#!/bin/sh\nexit 0\n", here, "filter/pdal/need-cmake.sh")
	put("#!/bin/sh\necho system\n", here, "filter/pdal/find-pdal.sh")

	runs := 0
	configure := func(again bool, message string) {
		t.Helper()
		command := exec.Command(filepath.Join(here, "filter/pdal/configure.sh"), "build")
		command.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "PDAL="+filepath.Join(programs, "pdal"))
		out, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(out), message) || message == "" && len(out) > 0 {
			t.Fatalf("%v: %q, want %q", err, out, message)
		}
		if again {
			runs++
		}
		text, _ := os.ReadFile(filepath.Join(top, "runs"))
		if n := strings.Count(string(text), "once"); n != runs {
			t.Fatalf("cmake ran %d times, want %d", n, runs)
		}
	}
	configure(true, "the first build takes a few minutes")
	configure(false, "")
	put("compiled", here, "build/libsuperpoint.so")
	moved := filepath.Join(top, "l'été 1")
	must.OK(t, os.Rename(here, moved))
	old := here
	here = moved
	configure(true, "build was made in "+old+"; this checkout is "+moved+": building again")
	must.Get(os.Stat(filepath.Join(moved, "build/libsuperpoint.so")))(t)
	configure(false, "")
	put("2.10", top, "include/pdal/pdal_features.hpp")
	configure(true, "build was made for another version of PDAL: building again")
	configure(false, "")
	must.OK(t, os.Rename(filepath.Join(programs, "pdal"), filepath.Join(programs, "pdal-gone")))
	configure(true, "which is gone: building again")
}
