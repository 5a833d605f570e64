package filter

import (
	"slices"
	"testing"
)

// A workspace gives the ids of a view that is segmented by itself, and measures
// as the option truth does.
func TestWorkspaceGivesTheSameIDs(t *testing.T) {
	view, _ := roof(2000, 4)
	options := `{"model":"geometric","truth":"Classification"}`
	alone := mustFilter(t, options)
	want := mustSegment(t, alone, view)
	w, err := NewWorkspace(Run{}, view, 20, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time with the graph of the first
		got, err := mustFilter(t, options).SegmentIn(Run{}, w)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.ID, want.ID) {
			t.Errorf("%d superpoints, by itself %d", got.Count, want.Count)
		}
	}
	report, err := w.Measure(Run{}, MetricsKNN, want.ID, view.Dimensions["Classification"], nil)
	if err != nil || report.OOA != alone.Summary().Metrics.OOA {
		t.Errorf("OOA %v, with the option %v: %v", report.OOA, alone.Summary().Metrics.OOA, err)
	}
}
