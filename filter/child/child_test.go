package child

import (
	"errors"
	"slices"
	"testing"

	"superpoint/filter"
	"superpoint/filter/host"
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
		"reference\nPDAL: readers", ".las: no\n\nPROGRESS 40"} {
		if _, err := l.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if got := l.complaint(); got != "PDAL: readers.las: no\n\nPROGRESS 40" {
		t.Errorf("it complains %q", got)
	}
	if !slices.Equal(steps, []string{"embedding"}) || !slices.Equal(warnings, []string{"no reference"}) {
		t.Errorf("steps %q, warnings %q", steps, warnings)
	}
}

func TestFailuresNameARemedy(t *testing.T) {
	for text, want := range map[string]string{
		"Couldn't create writer stage of type 'writers.copc'.\nYou probably have a version": "this PDAL cannot write COPC, " +
			"PDAL 2.4 and newer can; choose an output that ends in .laz",
		"writers.copc: no room": "pdal pipeline: writers.copc: no room",
	} {
		if err := failure("pipeline", text); err.Error() != want {
			t.Errorf("%q becomes %q", text, err)
		}
	}
}

// inProcess answers as a host that runs pipelines.
type inProcess func(folder string, stages []byte, run bool, heard host.Heard) ([]byte, error)

func (f inProcess) Pipeline(folder string, stages []byte, run bool, heard host.Heard) ([]byte, error) {
	return f(folder, stages, run, heard)
}

func TestInside(t *testing.T) {
	var steps, warnings []string
	p := Process{
		Folder:   "there",
		Progress: func(step string, _ float64) { steps = append(steps, step) },
		Warn:     func(text string) { warnings = append(warnings, text) },
		Host: inProcess(func(folder string, stages []byte, run bool, heard host.Heard) ([]byte, error) {
			switch {
			case folder != "there" || string(stages) == `["wrong.laz"]`:
				return nil, errors.New("(pdal pipeline readers.las Warning) odd\nreaders.las: no file")
			case !run:
				return []byte(`{"log": "", "reader": "readers.las", "metadata": {"count": 3}, "schema": {"dimensions":
					[{"name": "X", "size": 8, "type": "floating"}]}}`), nil
			}
			heard.Progress("embedding", 1)
			heard.Log(filter.LogWarning, "no reference")
			heard.Log(filter.LogDebug, "nobody listens")
			return []byte(`{"log": "(pdal pipeline writers.las Warning) scaled\n", "metadata": {"stages": {}}}`), nil
		}),
	}
	told, err := p.Metadata(t.Context(), []any{"a.laz"})
	if err != nil || string(told) != `{"stages": {}}` || !slices.Equal(steps, []string{"embedding"}) ||
		!slices.Equal(warnings, []string{"no reference", "scaled"}) {
		t.Errorf("%s, steps %q, warnings %q, %v", told, steps, warnings, err)
	}
	s, err := p.Schema(t.Context(), "a.las")
	if count, _ := s.Number("count"); err != nil || s.Reader != "readers.las" || count != 3 ||
		!slices.Equal(s.Dimensions, []Field{{"X", "double"}}) {
		t.Errorf("%+v, %v", s, err)
	}
	if err := p.Pipeline(t.Context(), []any{"wrong.laz"}); err == nil ||
		err.Error() != "pdal pipeline: readers.las: no file" || warnings[len(warnings)-1] != "odd" {
		t.Errorf("error %v, warnings %q", err, warnings)
	}
}
