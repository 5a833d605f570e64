// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"superpoint/embed/classes"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/testdata/must"
)

// site is a place of the program that looks whether the run is cancelled: its innermost callers.
type site [8]uintptr

// looks is a context that knows who looked at it, and that is cancelled from one look on.
type looks struct {
	context.Context
	first map[site]int // the first look of each site
	count int
	last  int // the first look that finds the run cancelled; 0 for none
}

func (l *looks) Err() error {
	var from site
	runtime.Callers(2, from[:])
	l.count++
	if _, known := l.first[from]; !known {
		l.first[from] = l.count
	}
	if l.last > 0 && l.count >= l.last {
		return context.Canceled
	}
	return nil
}

// TestCancelAnywhere cancels each method at every place that looks: each then returns that it was cancelled,
// and never a panic, which would be reported to users as a bug.
func TestCancelAnywhere(t *testing.T) {
	view, _ := roof(300, 7)
	alone := func(run steps.Run, f *Filter) error {
		_, err := f.Segment(run, view)
		return err
	}
	sharing := func(run steps.Run, f *Filter) error { // as eval and compare do
		w, err := workspace.New(run, view, classes.ShapeNeighbors, 1, nil)
		if err == nil {
			_, err = f.SegmentIn(run, w)
		}
		if err == nil {
			_, err = w.Measure(run, workspace.MetricsKNN, make([]uint32, view.Len()),
				make([]float64, view.Len()), nil)
		}
		return err
	}
	withClasses := tried{`"classes":"aerial"`, true}
	done := map[site]bool{}
	for _, m := range append(everyMethod(t), withClasses) {
		o := must.Get(parseOptions([]byte(`{"threads":1,` + m.options + `}`)))(t)
		cancelEverywhere(t, o, alone, done)
		cancelEverywhere(t, o, sharing, done)
	}
	must.Hold(t, len(done) > 300, "%d places were tried", len(done))
}

// cancelEverywhere runs a computation, and again for each place that looked and is not among those tried,
// cancelled there.
func cancelEverywhere(t *testing.T, o *option.Options, way func(steps.Run, *Filter) error,
	tried map[site]bool) {
	t.Helper()
	all := &looks{Context: t.Context(), first: map[site]int{}}
	must.OK(t, way(steps.Run{Context: all}, must.Get(New(o, nil))(t)))
	for from, look := range all.first {
		if tried[from] {
			continue
		}
		tried[from] = true
		ctx := &looks{Context: t.Context(), first: map[site]int{}, last: look}
		err := recovered(func() error { return way(steps.Run{Context: ctx}, must.Get(New(o, nil))(t)) })
		frame, _ := runtime.CallersFrames(from[3:]).Next()
		must.Hold(t, errors.Is(err, context.Canceled), "cancelled in %s, line %d: %v", frame.Function,
			frame.Line, err)
	}
}

// recovered returns the error of a call, or its panic as an error of another kind.
func recovered(call func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errors.New("a panic")
		}
	}()
	return call()
}
