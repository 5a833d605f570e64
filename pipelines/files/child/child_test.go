package child

import (
	"slices"
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
		"reference\nPDAL: readers", ".las: no\n\nPROGRESS 40"} {
		must.Get(l.Write([]byte(part)))(t)
	}
	if got := l.complaint(); got != "PDAL: readers.las: no\n\nPROGRESS 40" {
		t.Errorf("it complains %q", got)
	}
	if !slices.Equal(steps, []string{"embedding"}) || !slices.Equal(warnings, []string{"no reference"}) {
		t.Errorf("steps %q, warnings %q", steps, warnings)
	}
}
