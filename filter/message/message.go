// SPDX-License-Identifier: BSD-3-Clause

// Package message has the log of the filter: texts with a level, and numbers in them.
package message

import (
	"math"
	"strconv"
	"strings"
)

// Levels of messages, numbered as in PDAL.
const (
	Error   = 0
	Warning = 1
	Info    = 2
	Debug   = 3
)

// Log receives messages for the user. It may be called from any goroutine.
type Log func(level int, text string)

// Of returns a log whose texts begin with the name of a file.
func (l Log) Of(file string) Log {
	return func(level int, text string) { l(level, file+": "+text) }
}

// Warn logs a warning.
func (l Log) Warn(text string) { l(Warning, text) }

// Count returns a number with its noun, as in "1 point" and "1,234 points".
func Count[N int | int64 | uint64](n N, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		noun += "e"
	}
	return Thousands(int64(n)) + " " + noun + "s"
}

// Place writes coordinates in metres or feet, to hundredths, without an exponent.
func Place(at [3]float64) string {
	var texts [3]string
	for axis, v := range at {
		texts[axis] = strconv.FormatFloat(math.Round(100*v)/100+0, 'f', -1, 64) // + 0: no −0
	}
	return "(" + strings.Join(texts[:], ", ") + ")"
}

// Thousands writes a number with separators, as in 1,234,567.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, r := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String()
}
