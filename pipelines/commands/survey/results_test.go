// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/pipelines/files/las"
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

// Sources are refused that hold the same points.
func TestSourcesThatDoNotGoTogether(t *testing.T) {
	t.Parallel()
	of := func(path, content string) *inspected { return &inspected{source: source{Path: path, Content: content}} }
	must.OK(t, compatible(new(quiet), []*inspected{of("a", "1"), of("b", "2"), of("c", "3")}))
	must.Fail(0, compatible(new(quiet), []*inspected{of("a", "1"), of("b", "2"), of("link", "1")}))(t,
		"a and link have the same points")
}

// Results have the names of sources, which must differ.
func TestNamesOfResults(t *testing.T) {
	t.Parallel()
	for second, want := range map[string]string{
		"/data/b.LAS":      "a.laz b.LAS",
		"/data/b.copc.laz": "a.laz b.laz",
		"/other/a.laz":     "/other/a.laz may both become a.laz; rename one of them",
		"/other/a.las":     "/other/a.las may both become a.las; rename one of them",
	} {
		p := goodPlan(t)
		p.Sources[1].Path, p.Results = second, nil
		got := fmt.Sprint(p.nameResults())
		if got == fmt.Sprint(nil) {
			got = strings.Join(p.Results, " ")
		}
		if !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", second, got)
		}
	}
}

// TestBoundsOfUnroundedCoordinates tests that bounds in a header become those of the points.
func TestBoundsOfUnroundedCoordinates(t *testing.T) {
	given := [3]float64{500_000.0051, 4_999_999.9949, -0.0749}
	on := &las.Lattice{Scale: [3]float64{.01, .01, .01}, Offset: [3]float64{500_000}}
	i := inspected{about: &pdalprocess.Schema{Lattice: on}, least: given, most: given}
	i.roundBounds()
	points := [3]float64{1*.01 + 500_000, 499_999_999 * .01, -7 * .01}
	if i.least != points || i.most != points {
		t.Errorf("%v to %v", i.least, i.most)
	}
}
