// SPDX-License-Identifier: BSD-3-Clause

package must

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// recorder is a test that keeps what is reported.
type recorder struct {
	testing.TB
	said string
}

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, values ...any) { r.said += fmt.Sprintf(format, values...) }

// report returns what Equal says of two values.
func report[T any](got, want T) string {
	var r recorder
	Equal(&r, got, want, "%s of %d", "value", 7)
	return r.said
}

// TestSays: an error needs words, and words an error that has them.
func TestSays(t *testing.T) {
	for _, c := range []struct{ err, words string }{{"", ""}, {"a fault", "fault"}, {"", "fault"},
		{"a fault", ""},
		{"a fault", "defect"}} {
		var r recorder
		err := errors.New(c.err)
		if c.err == "" {
			err = nil
		}
		Says(&r, err, c.words, "of %d", 7)
		if c.err == c.words || c.words == "fault" && c.err != "" {
			Hold(t, r.said == "", "%+v: said %q", c, r.said)
		} else {
			Hold(t, strings.HasPrefix(r.said, "of 7: "), "%+v: said %q", c, r.said)
		}
	}
}

func TestEqual(t *testing.T) {
	type pair struct {
		Name string
		Of   []int
	}
	long := strings.Repeat("same ", 1000)
	for _, c := range [][2]string{
		{report(1, 1) + report("", "") + report(0, math.Copysign(0, -1)), ""},
		{report(nil, []int{}) + report(map[int]bool{}, nil) + report[any](3, 3), ""},
		{report(pair{"a", []int{1}}, pair{"a", []int{1}}), ""},
		{report(math.NaN(), math.NaN()), "value of 7: got NaN, want NaN"},
		{report(float32(0.1), 0.2), "value of 7: got 0.1, want 0.2"},
		{report("a b", ""), `value of 7: got "a b", want ""`},
		{report([]string{"a b"}, nil), `value of 7: got ["a b"], want []`},
		{report[any](1, 1.0), "value of 7: got 1, want 1"},
	} {
		Hold(t, c[0] == c[1], "said %q, want %q", c[0], c[1])
	}
	said := report(pair{"a", []int{1}}, pair{"a", []int{2}})
	for _, words := range []string{"value of 7: differences (-want +got):", "-", "2,", "+", "1,"} {
		Hold(t, strings.Contains(said, words), "said %q, want %q in it", said, words)
	}
	Hold(t, !strings.Contains(said, `"b"`), "said %q, which no value has", said)
	said = report(long+"end", long+"END")
	Hold(t, len(said) < 1000, "said %d bytes", len(said))
	Hold(t, strings.Contains(said, "same end"), "said %q, want the first end", said)
	Hold(t, strings.Contains(said, "same END"), "said %q, want the second end", said)
}
