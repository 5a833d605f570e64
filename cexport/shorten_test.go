// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"superpoint/testdata/must"
)

func TestLongErrorsAreShortened(t *testing.T) {
	for _, char := range []string{"x", "λ", "\xff"} {
		value := strings.Repeat(char, 1<<20)
		text := shortenError("option model: " + value + "; give a path")
		must.Hold(t, len(text) <= maxErrorBytes+100 && strings.HasPrefix(text, "option model: ") &&
			strings.HasSuffix(text, "; give a path"), "%d bytes: %.60q … %q", len(text), text, text[len(text)-60:])
		must.Hold(t, !utf8.ValidString(value) == !utf8.ValidString(text) || !utf8.ValidString(value),
			"characters were cut in two")
	}
	if short := "option knn: 2.5 is not a whole number"; shortenError(short) != short {
		t.Error(shortenError(short))
	}
}
