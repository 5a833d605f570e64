// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"superpoint/testdata/must"
)

// limited runs pdal under a limit of the shell and fails the test unless it
// ends soon, by a result or by an error in words.
func limited(t *testing.T, ulimit string, environment []string, args ...string) (code int, text string) {
	t.Helper()
	command := exec.Command("sh", append([]string{"-c", ulimit + `; exec "$@"`, "sh", launcher(t)}, args...)...)
	command.Env = append(os.Environ(), environment...)
	var said strings.Builder
	command.Stdout, command.Stderr = &said, &said
	must.OK(t, command.Start())
	hung := time.AfterFunc(2*time.Minute, func() { command.Process.Kill() })
	defer hung.Stop()
	code, text = ended(t, command.Wait()), said.String()
	word := regexp.MustCompile(`ulimit|memory|threads`)
	if code != 0 && (code != 1 || !word.MatchString(text) || strings.Contains(text, "goroutine ") ||
		strings.Contains(text, "std::bad_alloc")) {
		t.Errorf("%s %v, %v: exit code %d\n%.600s", ulimit, environment, args, code, text)
	}
	return code, text
}

// everyCommand returns arguments for each command, with outputs in a folder.
func everyCommand(t *testing.T, folder, in string) map[string][]string {
	t.Helper()
	out := func(name string) string { return filepath.Join(folder, name) }
	return map[string][]string{
		"segment": {"--model", "geometric", in, out("segment.las")},
		"eval":    {"--model", "geometric", "--truth", "Classification", in},
		"compare": {"--output", out("compare"), in},
		"info":    {in},
		"render":  {in, out("r.png")},
		"outline": {in, out("o.geojson")},
		"mesh":    {"--planarity", "0", "--residual", "9", in, out("m.stl")},
		"table":   {in, out("t.csv")},
		"graph":   {in, out("g.csv")},
		"propose": {in, out("p.csv")},
		"objects": {in, out("objects.gpkg")},
		"map":     {in, out("map")},

		"classify": {"--labels", labelsFile(t, out("labels.csv")), in, out("classified.las")},

		"survey plan": {"--output", out("tiles"), in}, "survey run": {out("tiles")},

		"train": {"--input", in, "--output", out("model")},
	}
}

// labelsFile writes labels of two superpoints.
func labelsFile(t *testing.T, path string) string {
	t.Helper()
	must.OK(t, os.WriteFile(path, []byte("id,label\n1,ground\n2,building\n"), 0o600))
	return path
}

// TestLimits runs the stage and a command, which load the library in one place, where there is too little address
// space, data and threads for it, and where there is just about enough. Every command has arguments for other tests.
func TestLimits(t *testing.T) {
	t.Parallel()
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, faux(full(30_000, 200_000)), superpoint(nil), writer(in)).ok(t)
	given := everyCommand(t, t.TempDir(), in)
	listed := regexp.MustCompile(`(?m)^  ([a-z]+(?: [a-z]+)?)  `).FindAllStringSubmatch(do(t, "help").stdout, -1)
	if len(listed) < 10 {
		t.Fatalf("%d commands", len(listed))
	}
	for _, c := range listed {
		if given[c[1]] == nil {
			t.Errorf("no arguments for the command %s", c[1])
		}
	}
	few := []string{"ulimit -v 400000", "ulimit -d 120000", "ulimit -d 204800"} // below 80,000 PDAL 2.10 aborts by itself
	// no such limit for root, for which there is TestFewThreads
	if os.Getuid() != 0 {
		few = append(few, "ulimit -u 5")
	}
	enough := []string{"ulimit -v 700000", "ulimit -v 1200000", "ulimit -v 1900000", "ulimit -v 2300000",
		"ulimit -v 2600000"}
	for megabytes := 240; full(0, 1) == 1 && megabytes < 600; megabytes += 30 {
		enough = append(enough, fmt.Sprintf("ulimit -v %d000", 1700+2*megabytes), fmt.Sprintf("ulimit -d %d000", megabytes))
	}
	codes := map[int]int{}
	for _, args := range [][]string{
		{"pipeline", pipelineFile(t, in, superpoint(nil), stage{"type": "writers.null"})},
		append([]string{"superpoint", "table"}, given["table"]...),
	} {
		for _, limit := range few {
			option, _, _ := strings.Cut(strings.TrimPrefix(limit, "ulimit "), " ")
			if code, text := limited(t, limit, nil, args...); code != 1 || !strings.Contains(text, "(ulimit "+option) {
				t.Errorf("%v under %s: exit code %d, %.300s", args, limit, code, text)
			}
		}
		for _, limit := range enough {
			code, _ := limited(t, limit, nil, args...)
			codes[code]++
		}
	}
	t.Logf("exit codes where there may be enough: %v", codes)
}

// TestLargerViewUnderLimits gives views to options that take much memory, under
// address space that is enough to begin with.
func TestLargerViewUnderLimits(t *testing.T) {
	t.Parallel()
	for _, options := range []stage{{"delaunay": true}, {"solver": "cut-pursuit"}, {"knn": 64, "adjacency_knn": 64}} {
		file := pipelineFile(t, faux(full(250_000, 1_000_000)), superpoint(options), stage{"type": "writers.null"})
		if code, text := limited(t, "ulimit -v 2400000", nil, "pipeline", file); code != 1 ||
			!strings.Contains(text, "ulimit -v") {
			t.Errorf("%v: exit code %d, %s", options, code, text)
		}
	}
}

// TestFewThreads refuses threads after the first few, as `ulimit -u` does to
// users other than root.
func TestFewThreads(t *testing.T) {
	library := filepath.Join(t.TempDir(), "few.so")
	compile(t, "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, "testdata/fewthreads.c", "-ldl")
	file := pipelineFile(t, faux(3000), superpoint(nil), stage{"type": "writers.null"})
	codes := map[int]int{}
	for _, threads := range []int{0, 1, 4, 250} {
		script := tool(t, fmt.Sprintf(`GOMAXPROCS=300 THREADS=%d LD_PRELOAD=%s exec "$PDAL" "$@"`, threads, library))
		out, err := exec.Command(script, "pipeline", file).CombinedOutput()
		code := ended(t, err)
		codes[code]++
		if code != 0 && (code != 1 || !strings.Contains(string(out), "threads more")) {
			t.Errorf("%d threads: exit code %d\n%.600s", threads, code, out)
		}
	}
	if codes[0] != 1 || codes[1] != 3 {
		t.Errorf("exit codes %v", codes)
	}
	refused(t, pdal(t, []string{"GOMAXPROCS=100000"}, "pipeline", file), "", "GOMAXPROCS is 100000", "threads")
}
