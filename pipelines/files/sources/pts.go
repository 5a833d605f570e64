// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"superpoint/filter/message"
)

// inspectPTS returns the number of points of a PTS file: a line with their number, and a line of numbers for
// each, as many as readers.pts knows. That reader stops after the number, whatever follows, and takes the
// first point for the number if there is none.
func inspectPTS(l *lines) (points int64, err error) {
	first, _, err := l.next()
	if err != nil {
		return 0, err
	}
	stated, err := ptsCount(string(first))
	if err != nil {
		return 0, fmt.Errorf("line 1: %w", err)
	}
	t := &textReader{separator: ' ', pts: true}
	for {
		line, more, err := l.next()
		if err != nil {
			return 0, err
		}
		if !more {
			return points, checkPTSCount(stated, points)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := t.ptsLine(line); err != nil {
			return 0, fmt.Errorf("line %d: %w", l.number, err)
		}
		points++
	}
}

// ptsCount returns the number of points in the first line.
func ptsCount(line string) (int64, error) {
	text := strings.TrimSpace(line)
	if err := checkText(line); err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && n >= 0 {
		return n, nil
	}
	if strings.ContainsFunc(text, isLetter) {
		return 0, fmt.Errorf(
			"'%s' is not the number of points; replace the line by that number, for example by (sed 1d IN | "+
				"wc -l; sed 1d IN) > OUT.pts", text)
	}
	return 0, fmt.Errorf(
		"'%s' is not the number of points, which PTS begins with; add it, for example by (wc -l < IN; cat "+
			"IN) > OUT.pts", text)
}

// ptsColumns are the columns that readers.pts knows, by their number.
func ptsColumns(n int) []string {
	all := []string{"X", "Y", "Z", "Intensity", "Red", "Green", "Blue"}
	if n == 3 || n == 4 || n == len(all) {
		return all[:n]
	}
	return nil
}

// ptsLine checks a line of a point; the first one determines the columns.
func (t *textReader) ptsLine(line []byte) error {
	const mark = '\t'
	fields := bytes.Fields(line)
	if bytes.IndexByte(line, mark) >= 0 {
		return errors.New(
			"its columns are separated by tabs, and PTS by blanks; replace them, for example by tr '\\t' ' '")
	}
	if _, err := strconv.ParseUint(string(fields[0]), 10, 63); err == nil && len(fields) == 1 {
		return fmt.Errorf(
			"%s is the number of points of a further scan, which PDAL does not read; write one number for "+
				"all, for example by (awk 'NF>1' IN | wc -l; awk 'NF>1' IN) > OUT.pts", fields[0])
	}
	if t.names == nil {
		if t.names = ptsColumns(len(fields)); t.names == nil {
			return fmt.Errorf(
				"%d fields; PTS has X Y Z, or also Intensity, or also Intensity Red Green Blue; write it "+
					"as text that names its columns, for example by (echo X Y Z Red Green Blue; sed 1d IN) "+
					"> OUT.txt",
				len(fields))
		}
		t.setIntegers()
	}
	if len(fields) != len(t.names) {
		return fmt.Errorf(
			"%d fields, and the first point has %d; correct or remove the line, and the number of points",
			len(fields), len(t.names))
	}
	_, err := t.line(line)
	return err
}

// checkPTSCount fails if another number of points was found than the file states.
func checkPTSCount(stated, found int64) error {
	if stated == found {
		return nil
	}
	return fmt.Errorf(
		"line 1: it counts %s, and %s follow; if none is missing, correct the number, for example by sed "+
			"'1s/.*/%d/'", message.Count(stated, "point"), message.Thousands(found), found)
}
