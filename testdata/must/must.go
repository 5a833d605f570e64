// SPDX-License-Identifier: BSD-3-Clause

// Package must ends a test at an error of a function that it needs but does not test, and states what has to
// hold.
package must

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		Say(t, err.Error(), words...)
	}
}

// Say reports each of the words that a text does not have. The test continues.
func Say(t testing.TB, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		Hold(t, strings.Contains(text, word), "got %q, want %q in it", text, word)
	}
}

// Says reports an error that does not have the words, or any error if there are none, after words as for
// t.Errorf that say of what. The test continues.
func Says(t testing.TB, err error, words, format string, values ...any) {
	t.Helper()
	if (err == nil) != (words == "") || err != nil && !strings.Contains(err.Error(), words) {
		t.Errorf(format+": error %v, want %q in it", append(values, err, words)...)
	}
}

// Hold reports, in words as for t.Errorf, that a condition does not hold. The test continues.
func Hold(t testing.TB, condition bool, format string, values ...any) {
	if !condition {
		t.Helper()
		t.Errorf(format, values...)
	}
}

// Need is Hold that ends the test at once, where the condition is needed by what follows, or would fail many
// times.
func Need(t testing.TB, condition bool, format string, values ...any) {
	if !condition {
		t.Helper()
		t.Fatalf(format, values...)
	}
}

// Equal reports a value that is not the wanted one, after words as for t.Errorf that say what the value is: a
// number, a word or a list of thousands of entries with both values, others with their differences. All slices and
// maps without entries are equal; NaN equals nothing. The test continues.
func Equal[T any](t testing.TB, got, want T, format string, values ...any) {
	if reflect.DeepEqual(got, want) || empty(got) && empty(want) {
		return
	}
	t.Helper()
	what := fmt.Sprintf(format, values...)
	if difference := differences(got, want); difference != "" {
		t.Errorf("%s: differences (-want +got):\n%s", what, difference)
		return
	}
	g, w := texts(got, want)
	t.Errorf("%s: got %s, want %s", what, g, w)
}

func empty(value any) bool {
	v := reflect.ValueOf(value)
	return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
}

// mostCompared is the size of texts of values whose differences are listed; go-cmp needs seconds for more.
const mostCompared = 100_000

// differences returns the differences of two values that have parts, or "".
func differences[T any](got, want T) string {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if !g.IsValid() || !w.IsValid() || !hasParts(g) || !hasParts(w) {
		return ""
	}
	if len(fmt.Sprintf("%+v%+v", got, want)) > mostCompared {
		return ""
	}
	all := cmp.Exporter(func(reflect.Type) bool { return true })
	return cmp.Diff(want, got, all)
}

// hasParts reports whether a value has several parts, or a text several lines.
func hasParts(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return true
	case reflect.Slice, reflect.Array:
		return v.Len() > 1
	case reflect.String:
		return strings.Contains(v.String(), "\n")
	}
	return false
}

// texts returns two values as texts; of long ones 400 bytes around the first difference.
func texts(values ...any) (string, string) {
	var text [2]string
	for i, v := range values {
		switch v.(type) {
		case string, []string, []byte:
			text[i] = fmt.Sprintf("%q", v)
		default:
			text[i] = fmt.Sprintf("%+v", v)
		}
	}
	from := 0
	for from < min(len(text[0]), len(text[1])) && text[0][from] == text[1][from] {
		from++
	}
	for i, all := range text {
		if from := max(0, from-100); len(all) > 400 {
			text[i] = fmt.Sprintf("%d bytes, …%s…", len(all), all[from:min(from+400, len(all))])
		}
	}
	return text[0], text[1]
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
