// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/testdata/must"
)

// quiet is a host that takes messages.
type quiet struct{ text strings.Builder }

func (q *quiet) Log(_ int, text string)   { q.text.WriteString(text + "\n") }
func (q *quiet) Progress(string, float64) {}
func (q *quiet) Stdout() io.Writer        { return &q.text }
func (q *quiet) Context() context.Context { return context.Background() }
func (q *quiet) Reference(text string) (georef.Reference, error) {
	return georef.Reference{WKT: text}, nil
}
func (q *quiet) Same(a, b georef.Reference) (bool, error)     { return a.Same(b), nil }
func (q *quiet) Convert(string, string, ...string) error      { return os.ErrInvalid }
func (q *quiet) Read(string, []string) (*host.Columns, error) { return nil, os.ErrInvalid }

// cloud writes an empty LAS 1.4 file.
func cloud(t *testing.T, path string) {
	t.Helper()
	head := make([]byte, 375)
	copy(head, "LASF")
	head[25] = 4
	must.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.OK(t, os.WriteFile(path, head, 0o666))
}

// A plan is for one version of the filter and for the files that its options name.
func TestPlansThatAreOld(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	model := must.Get(os.ReadFile("../../../embed/models/aerial.safetensors"))(t)
	path := filepath.Join(folder, "mine")
	must.OK(t, os.WriteFile(path, model, 0o666))
	p := goodPlan(t)
	p.Options["model"] = path
	must.Fail(p.checkCurrent())(t, "option model")
	p.Content = map[string]string{"model": "f"}
	must.Fail(p.checkCurrent())(t, path+" has changed")
	p.Options["model"] = "aerial"
	must.Fail(p.checkCurrent())(t, "aerial has changed") // the model of another build
	p.Content["model"] = must.Get(embed.Builtin("aerial"))(t).Sum()
	must.OK(t, p.checkCurrent())
	p.Software = "0"
	must.Fail(p.checkCurrent())(t, filter.Version)
}

// Sources are refused that hold the same points, or whose times have another beginning.
func TestSourcesThatDoNotGoTogether(t *testing.T) {
	t.Parallel()
	of := func(path, content, gps string) *inspected {
		return &inspected{source: source{Path: path, Content: content}, gps: gps}
	}
	for _, c := range []struct {
		all   []*inspected
		words string
	}{
		{[]*inspected{of("a", "1", ""), of("b", "2", gpsWeek), of("c", "3", gpsWeek)}, ""},
		{[]*inspected{of("a", "1", ""), of("b", "2", ""), of("link", "1", "")}, "a and link have the same points"},
		{[]*inspected{of("a", "1", ""), of("b", "2", gpsStandard), of("c", "3", gpsWeek)}, "filters.gpstimeconvert"},
	} {
		err := compatible(new(quiet), c.all)
		if c.words == "" && err != nil || c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)) {
			t.Errorf("%q: %v", c.words, err)
		}
	}
}

// Results have the names of sources, which must differ.
func TestNamesOfResults(t *testing.T) {
	t.Parallel()
	for second, want := range map[string]string{
		"/data/b.LAS":      "a.laz b.LAS",
		"/data/b.copc.laz": "a.laz b.laz",
		"/data/b.txt":      "a.laz b.laz",
		"/other/a.laz":     "/other/a.laz may both become a.laz; rename one of them",
		"/other/a.las":     "/other/a.las may both become a.las; rename one of them",
	} {
		p := goodPlan(t)
		p.Sources[1].Path, p.Results = second, nil
		got := fmt.Sprint(p.nameResults(nil))
		if got == fmt.Sprint(nil) {
			got = strings.Join(p.Results, " ")
		}
		if !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", second, got)
		}
	}
	p := goodPlan(t)
	p.Buffer, p.Results = 1, nil
	if err := p.nameResults(nil); err != nil || len(p.Results) != 1 || p.written() != p.Sources[0].Points {
		t.Errorf("with a buffer: %v, %v", p.Results, err)
	}
	for _, wrong := range []int{0, -1, len(p.Sources)} {
		p.Buffer = wrong
		must.Fail(p.checkResults())(t)
	}
}

// TestBoundsOfUnroundedCoordinates tests that bounds in a header become those of the points, and that those of other
// files do not change.
func TestBoundsOfUnroundedCoordinates(t *testing.T) {
	given := [3]float64{500_000.0051, 4_999_999.9949, -0.0749}
	i := inspected{las: true, scale: [3]float64{.01, .01, .01}, offset: [3]float64{500_000}, least: given, most: given}
	i.roundBounds()
	points := [3]float64{1*.01 + 500_000, 499_999_999 * .01, -7 * .01}
	if i.least != points || i.most != points {
		t.Errorf("%v to %v", i.least, i.most)
	}
	other := inspected{scale: i.scale, least: given, most: given}
	if other.roundBounds(); other.least != given || other.most != given {
		t.Errorf("%v to %v without a header of LAS", other.least, other.most)
	}
}

// TestTimesOfSources: the first bit of the global encoding tells standard time from weeks, in formats with a time.
func TestTimesOfSources(t *testing.T) {
	for given, want := range map[[2]int]string{{1, 1}: gpsStandard, {1, 0}: gpsWeek, {6, 17}: gpsStandard, {6,
		16}: gpsWeek,
		{6, 2}: gpsWeek, {2, 1}: ""} {
		number := func(v int) json.Number { return json.Number(strconv.Itoa(v)) }
		i := inspected{las: true}
		i.header(&pdalprocess.Schema{Metadata: map[string]any{"dataformat_id": number(given[0]),
			"global_encoding": number(given[1])}})
		if i.gps != want || i.format != given[0] {
			t.Errorf("format %d, encoding %b: format %d, time %v, want %v", given[0], given[1], i.format, i.gps, want)
		}
	}
}
