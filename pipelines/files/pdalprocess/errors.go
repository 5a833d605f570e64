// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"regexp"
	"strings"
)

// loggedError matches what PDAL and GDAL log as an error, also if the process then succeeds.
var loggedError = regexp.MustCompile(`^(?:\(pdal[^)]* Error\)|ERROR \d+:|PDAL:)\s*(.*)`)

// tolerated are messages that PDAL and GDAL log as errors although no point and no value is lost or changed.
var tolerated = []struct {
	of   *regexp.Regexp
	warn bool // the user should know
}{
	// readers.text skips lines that are empty but for blanks or the end of a line of Windows; sources.Inspect has
	// refused all other lines that it would skip.
	{regexp.MustCompile(`(?i)Line \d+ in '.*\.(txt|csv)' contains 1 fields when \d+ were expected`), false},
	// writers.las takes the first; the references of files were compared before, by their meaning and not by their text.
	{regexp.MustCompile(`with multiple point spatial references`), false},
	// A plugin that the pipeline does not need; if it does, the process fails.
	{regexp.MustCompile(`Can't load library`), false},
	// The metadata have the reference also as a PROJ string, which not every reference has; nothing reads it.
	{regexp.MustCompile(`(?i)proj_as_proj_string|No PROJ\.4 translation|exportToProj4`), false},
	// Readers and the metadata have GDAL read the reference several times, pdal info of PDAL 2.10 also without PDAL's log.
	// If it is not replaced by override_srs, the stage refuses it; points are not affected.
	{regexp.MustCompile(`^(?:info \(pdal \S+(?: \S+)?|\w+ \(pdal \S+ readers\.(?:las|copc)) Error\) GDAL failure \(1\)|` +
		`^info ERROR 1:`), false},
	// A spatial reference that cannot be read is no reference, about which the stage warns; points are not affected.
	{regexp.MustCompile(`Could not create an SRS|Geotiff directory contains`), true},
}

// errorOf returns the error that a line of a pdal command reports, and whether the user should get it as a warning
// instead. Both are empty for other lines and tolerated errors.
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
