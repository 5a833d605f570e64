// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLongErrorsAreShortened(t *testing.T) {
	for _, char := range []string{"x", "λ", "\xff"} {
		value := strings.Repeat(char, 1<<20)
		text := shortenError("option model: " + value + "; give a path")
		if len(text) > maxErrorBytes+100 || !strings.HasPrefix(text, "option model: ") ||
			!strings.HasSuffix(text, "; give a path") {
			t.Errorf("%d bytes: %.60q … %q", len(text), text, text[len(text)-60:])
		}
		if !utf8.ValidString(value) != !utf8.ValidString(text) && utf8.ValidString(value) {
			t.Error("characters were cut in two")
		}
	}
	if short := "option knn: 2.5 is not a whole number"; shortenError(short) != short {
		t.Error(shortenError(short))
	}
}
