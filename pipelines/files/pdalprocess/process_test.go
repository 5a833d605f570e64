// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

func TestListener(t *testing.T) {
	var steps, warnings []string
	l := &listener{Process: Process{
		Progress: func(step string, fraction float64) {
			if fraction != 0.4 {
				t.Errorf("%s at %v", step, fraction)
			}
			steps = append(steps, step)
		},
		Warn: func(text string) { warnings = append(warnings, text) },
	}}
	for _, part := range []string{"PROGRESS embed", "ding 40\n(pdal pipeline filters.superpoint Warning) no " +
		"reference\nPDAL: readers", ".las: no\n(pdal pipeline readers.las Error) Global encoding WKT flag " +
		"not set for point format 6 - 10.\n\nPROGRESS 40"} {
		must.Get(l.Write([]byte(part)))(t)
	}
	if got := l.complaint(); got != "PDAL: readers.las: no\n\nPROGRESS 40" {
		t.Errorf("it complains %q", got)
	}
	if !slices.Equal(steps, []string{"embedding"}) || !slices.Equal(warnings, []string{"no reference"}) {
		t.Errorf("steps %q, warnings %q", steps, warnings)
	}
}

// What a process logs as an error is one, also if it succeeds, but for a few messages.
func TestErrorsOfSuccess(t *testing.T) {
	for _, c := range [][2]string{
		{"(pdal pipeline readers.x Error) 3 points were lost", "pdal pipeline: (pdal pipeline readers.x Error) 3 points"},
		{"(pdal pipeline Error) GDAL failure (1) no such thing", "GDAL failure (1) no such thing"},
		{"ERROR 4: no such file", "ERROR 4: no such file"},
		{"(pdal pipeline writers.las Error) writers.las: done of LASwritePoint failed", "is the disk full?"},
		{"(pdal x Error) Can't convert field 'a' to numeric value on line 3 in 'b'", "line 3: 'a' is not a number; correct"},
		{"(pdal pipeline readers.pts Error) Line 3 in 'a.pts' contains 1 fields when 3 were expected.  Ignoring.", "Line 3"},
		{"(pdal pipeline readers.text Error) Line 3 in 'a.txt' contains 2 fields when 3 were expected.  Ignoring", "Line 3"},

		{"(pdal pipeline readers.text Error) Line 3 in 'A.CSV' contains 1 fields when 3 were expected.  Ignoring", ""},
		{"(pdal info readers.las Error) Global encoding WKT flag not set for point format 6 - 10.", ""},
		{"(pdal pipeline Warning) Dimension ClassFlags is deprecated", ""},
		{"(pdal writers.las Error) writers.las: Attempting to write 'a' with multiple point spatial references.", ""},
		{"(pdal pipeline Error) Can't load library /x/libpdal_plugin_filter_y.so: no such file", ""},
		{"(pdal info Error) GDAL failure (1) PROJ: proj_as_proj_string: Unsupported conversion method", ""},
		{"(pdal info readers.las Error) GDAL failure (1) compound CRS should have at least 2 components", ""},
		{"(pdal pipeline readers.gdal Error) GDAL failure (1) no such thing", "no such thing"},
		{"ERROR 1: write failed", "ERROR 1: write failed"},
		{"info: ERROR 1: missing ]", ""},
		{"a line that is no error", ""},
		{"(pdal pipeline readers.las Error) Could not create an SRS: bad", "warning"},
		{"(pdal pipeline Error) Geotiff directory contains key 3072 with short entry and more than one value.", "warning"},
	} {
		line, want, command := c[0], c[1], "pipeline"
		if of, after, is := strings.Cut(line, "info: "); is && of == "" {
			line, command = after, "info"
		} else if strings.HasPrefix(line, "(pdal info") {
			command = "info"
		}
		t.Setenv("SUPERPOINT_PDAL", program(t, `echo "`+line+`" >&2; echo done`))
		warned := ""
		out, err := Process{Warn: func(text string) { warned = text }}.run(t.Context(), nil, command)
		switch {
		case want == "" || want == "warning":
			if err != nil || string(out) != "done\n" || (warned != "") != (want == "warning") {
				t.Errorf("%s: %q, warning %q, %v", line, out, warned, err)
			}
		case err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v", line, err)
		}
	}
}

// A process that crashes, as PDAL 2.10 on damaged LAZ, has a remedy.
func TestCrash(t *testing.T) {
	t.Setenv("SUPERPOINT_PDAL", program(t, "kill -SEGV $$"))
	must.Fail(Process{}.run(t.Context(), nil, "info"))(t, "PDAL crashed (segmentation fault)", "copy or download it again")
}

// program returns a program that runs a script of sh instead of pdal.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake")
	must.OK(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o777))
	return path
}

// TestInfoOnce: pdal describes a file once, until it changes; failures are tried again.
func TestInfoOnce(t *testing.T) {
	cloud := filepath.Join(t.TempDir(), "cloud.xyz")
	calls, ready := cloud+".calls", cloud+".ready"
	t.Setenv("SUPERPOINT_PDAL", program(t, "echo call >>"+calls+"; [ -e "+ready+" ] && wc -c <"+cloud))
	for _, c := range []struct{ path, text, want string }{
		{cloud, "1 2 3\n", ""}, {ready, "", ""}, {cloud, "1 2 3\n", "6"}, {cloud, "", "6"},
		{cloud, "1 2 3\n4 5 6\n", "12"}, {cloud, "", "12"},
	} {
		if c.text != "" || c.path == ready {
			must.OK(t, os.WriteFile(c.path, []byte(c.text), 0o666))
		}
		if c.path == ready {
			continue
		}
		text, err := Process{}.info(t.Context(), cloud)
		if strings.TrimSpace(string(text)) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q, %v, want %q", text, err, c.want)
		}
	}
	if got := strings.Count(string(must.Get(os.ReadFile(calls))(t)), "call"); got != 3 {
		t.Errorf("%d processes, want 3", got)
	}
}
