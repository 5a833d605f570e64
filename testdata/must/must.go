// SPDX-License-Identifier: BSD-3-Clause

// Package must ends a test at an error of a function that the test needs but does not test, and states what has to hold.
package must

import (
	"strings"
	"testing"
)

// OK fails the test at once if err is not nil.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns the value, or fails the test at once if err is not nil, as in
// must.Get(os.ReadFile(path))(t).
func Get[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		OK(t, err)
		return value
	}
}

// Fail reports a call that does not fail with an error that has all the words, as in
// must.Fail(os.ReadFile(path))(t, "no such file"). The test continues.
func Fail(results ...any) func(t testing.TB, words ...string) {
	return func(t testing.TB, words ...string) {
		t.Helper()
		err, _ := results[len(results)-1].(error)
		if err == nil {
			t.Errorf("no error, want one with %q", words)
			return
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("error %q, want %q in it", err, word)
			}
		}
	}
}

// Hold reports, in words as those of t.Errorf, that a condition does not hold. The test continues.
func Hold(t testing.TB, condition bool, format string, values ...any) {
	t.Helper()
	if !condition {
		t.Errorf(format, values...)
	}
}

// Slope returns the central difference of a function of x by entry i, which it changes and restores.
func Slope(x []float64, i int, f func() float64) float64 {
	const h = 1e-6
	at := x[i]
	defer func() { x[i] = at }()
	x[i] = at + h
	up := f()
	x[i] = at - h
	return (up - f()) / (2 * h)
}
