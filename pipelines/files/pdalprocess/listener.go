// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// listener splits a child's standard error into lines.
type listener struct {
	Process
	line []byte // the incomplete last line
	rest strings.Builder
}

func (l *listener) Write(b []byte) (int, error) {
	l.line = append(l.line, b...)
	for {
		end := bytes.IndexByte(l.line, '\n')
		if end < 0 {
			return len(b), nil
		}
		l.hear(string(l.line[:end]))
		l.line = l.line[end+1:]
	}
}

func (l *listener) hear(line string) {
	// readers.las then reads the WKT all the same
	if strings.Contains(line, "Global encoding WKT flag not set") ||
		// names of dimensions, such as the names in a file of PDAL 2.2
		strings.HasSuffix(line, " is deprecated") {
		return
	}
	if step, fraction, ok := progressLine(line); ok && l.Progress != nil {
		l.Progress(step, fraction)
		return
	}
	if text, ok := strings.CutPrefix(line, "METADATA "); ok && l.Stage != nil {
		l.Stage([]byte(text))
		return
	}
	if _, text, ok := strings.Cut(line, " Warning) "); ok && strings.HasPrefix(line, "(pdal ") &&
		l.Warn != nil {
		l.Warn(text)
		return
	}
	l.rest.WriteString(line + "\n")
}

// complaint returns the lines that are neither progress nor warnings.
func (l *listener) complaint() string {
	if len(l.line) > 0 {
		l.hear(string(l.line))
		l.line = nil
	}
	return strings.TrimSpace(l.rest.String())
}

// errors returns the lines that report errors, of a process that succeeded.
func (l *listener) errors(command string) string {
	var all []string
	for line := range strings.SplitSeq(l.complaint(), "\n") {
		if text, warn := errorOf(command, line); !warn && text != "" {
			all = append(all, text)
		} else if warn && l.Warn != nil {
			l.Warn(text)
		}
	}
	return strings.Join(all, "\n")
}

// progressLine parses "PROGRESS embedding 40", in percent, to a fraction.
func progressLine(line string) (step string, fraction float64, ok bool) {
	text, ok := strings.CutPrefix(line, "PROGRESS ")
	at := strings.LastIndexByte(text, ' ')
	if !ok || at < 0 {
		return "", 0, false
	}
	percent, err := strconv.Atoi(text[at+1:])
	return text[:at], float64(percent) / 100, err == nil
}

// loggedError matches what PDAL and GDAL log as an error, also if the process then succeeds.
var loggedError = regexp.MustCompile(`^(?:\(pdal[^)]* Error\)|ERROR \d+:|PDAL:)\s*(.*)`)

// toleratedError is a message that PDAL and GDAL log as an error although no point and no value is lost or
// changed.
type toleratedError struct {
	of   *regexp.Regexp
	warn bool // the user should know
}

var tolerated = [...]toleratedError{ // read only
	// readers.text skips lines that are empty but for blanks or the end of a line of Windows; sources.Inspect
	// has refused all other lines that it would skip.
	{regexp.MustCompile(`(?i)Line \d+ in '.*\.(txt|csv)' contains 1 fields when \d+ were expected`), false},
	// writers.las takes the first; the references of files were compared before, by their meaning and not by
	// their text.
	{regexp.MustCompile(`with multiple point spatial references`), false},
	// A plugin that the pipeline does not need; if it does, the process fails.
	{regexp.MustCompile(`Can't load library`), false},
	// The metadata have the reference also as a PROJ string, which not every reference has; nothing reads it.
	{regexp.MustCompile(`(?i)proj_as_proj_string|No PROJ\.4 translation|exportToProj4`), false},
	// Readers and the metadata have GDAL read the reference several times, pdal info of PDAL 2.10 also
	// without PDAL's log. If it is not replaced by override_srs, the stage refuses it; points are not
	// affected.
	{regexp.MustCompile(
		`^(?:info \(pdal \S+(?: \S+)?|\w+ \(pdal \S+ readers\.(?:las|copc)) Error\) GDAL failure \(1\)|` +
			`^info ERROR 1:`), false},
	// A spatial reference that cannot be read is no reference, about which the stage warns; points are not
	// affected.
	{regexp.MustCompile(`Could not create an SRS|Geotiff directory contains`), true},
}

// errorOf returns the error that a line of a pdal command reports, and whether the user should get it as a
// warning instead. Both are empty for other lines and tolerated errors.
func errorOf(command, line string) (text string, warn bool) {
	m := loggedError.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	for _, t := range tolerated {
		if t.of.MatchString(command + " " + line) {
			if !t.warn {
				return "", false
			}
			return m[1], true
		}
	}
	return strings.TrimSpace(line), false
}
