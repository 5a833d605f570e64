// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// textReader checks the lines of a text file as readers.text divides them: that accepts a prefix of a field
// as a number, and leaves out lines with another number of fields.
type textReader struct {
	names     []string
	integer   []bool // of the columns: PDAL rounds their numbers
	separator byte
	pts       bool // the first line is the number of points
}

// inspectText returns the number of points of a text file. It fails unless the first line names columns, X
// and Y among them, and all fields of all other lines are numbers.
func inspectText(l *lines) (points int64, err error) {
	first, _, err := l.next()
	if err != nil {
		return 0, err
	}
	t := new(textReader)
	if err := t.header(string(first)); err != nil {
		return 0, fmt.Errorf("line 1: %w", err)
	}
	for {
		line, more, err := l.next()
		if err != nil || !more {
			return points, err
		}
		is, err := t.line(line)
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", l.number, err)
		}
		if is {
			points++
		}
	}
}

// line checks a line and reports whether it is a point.
func (t *textReader) line(line []byte) (is bool, err error) {
	if len(bytes.TrimSpace(line)) == 0 && (t.separator != '\t' || len(t.names) == 1) {
		return false, nil
	}
	fields, rest := 0, line
	for more := true; more; {
		if t.separator == ' ' {
			if rest = bytes.TrimLeft(rest, " "); len(rest) == 0 {
				break
			}
		}
		var field []byte
		field, rest, more = bytes.Cut(rest, []byte{t.separator})
		field = bytes.Trim(field, " \t\r")
		if err := t.checkField(field, fields); err != nil {
			return false, err
		}
		fields++
	}
	return true, t.checkCount(fields)
}

// checkField fails if field k of a line, from 0, is not a number that PDAL keeps.
func (t *textReader) checkField(field []byte, k int) error {
	v, ok := number(field)
	named := k < len(t.names)
	if !ok && (named || t.separator != ',') {
		return noNumber(string(field))
	}
	if !isExact(field) {
		return fmt.Errorf("'%s' has more digits than PDAL keeps; divide the column, or leave it out", field)
	}
	if named && t.integer[k] && v != math.Trunc(v) {
		return t.roundedError(t.names[k], string(field))
	}
	return nil
}

// checkCount fails if a line has another number of fields than the first line names columns.
func (t *textReader) checkCount(fields int) error {
	if fields == len(t.names) {
		return nil
	}
	remedy := "correct or remove the line"
	if t.separator == ',' && fields == 2*len(t.names) {
		remedy = "if they are decimal commas, write points instead, or separate columns by semicolons " +
			"and replace the commas"
	}
	return fmt.Errorf("%d fields, and the first line names %d columns; %s", fields, len(t.names), remedy)
}

// roundedError is the error of a number that PDAL rounds.
func (t *textReader) roundedError(name, field string) error {
	remedy := "name the column otherwise in the first line, for example " + name + "_value, to keep it"
	if t.pts {
		remedy = "write it as text that names its columns, for example by (echo " +
			strings.Join(t.names, " ") +
			" | sed s/" + name + "/" + name + "_value/; sed 1d IN) > OUT.txt"
	}
	return fmt.Errorf("%s is %s, and PDAL rounds it; write integers, or %s", name, field, remedy)
}

// noNumber returns the error of a field that is not a number.
func noNumber(field string) error {
	if field == "" {
		return errors.New("a field is empty; correct or remove the line")
	}
	remedy := "correct or remove the line"
	switch lower := strings.ToLower(strings.TrimLeft(field, "+-")); {
	case strings.HasPrefix(lower, "nan") || strings.HasPrefix(lower, "inf"):
		remedy = "remove the line, for example by grep -viE 'nan|inf'"
	case strings.Trim(field, "+-.,0123456789eE_'\" \u00a0\u2009\u202f") == "":
		remedy = "write it without quotes and separators of thousands, and a decimal comma as a point, for " +
			"example by sed 's/\"//g; s/,/./g'"
	}
	return fmt.Errorf("'%s' is not a number; %s", field, remedy)
}

// isExact reports whether a number is no integer, or one that double precision holds.
func isExact(field []byte) bool {
	const always = 15 // digits
	if len(field) <= always {
		return true
	}
	n, err := strconv.ParseInt(string(field), 10, 64)
	return err != nil || int64(float64(n)) == n
}

// number returns a decimal number, and whether all of a field is one.
func number(field []byte) (v float64, ok bool) {
	if bytes.ContainsAny(field, "xXnNiI") { // hexadecimal, NaN, infinity
		return 0, false
	}
	v, err := strconv.ParseFloat(string(field), 64)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}

// checkText fails for the first line of a file that is no text in UTF-8, or has no line feeds.
func checkText(line string) error {
	switch {
	case strings.ContainsRune(line, 0):
		return errors.New("it has bytes that are not text; save the file as UTF-8 or ASCII text")
	case strings.Contains(strings.TrimSuffix(line, "\r"), "\r"):
		return errors.New(
			"its lines end in carriage returns alone; write line feeds, for example by tr '\\r' '\\n'")
	}
	return nil
}

// header reads the names of columns.
func (t *textReader) header(line string) error {
	if err := checkText(line); err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(strings.TrimPrefix(strings.ToLower(line), "\ufeff"), "sep="):
		return errors.New("it is for spreadsheets only; remove it, for example by sed 1d")
	case commented(line):
		return errors.New(
			"the names of columns are a comment, which PDAL does not understand; remove its mark, for " +
				"example " +
				`by sed '1s|^[#/ ]*||'`)
	case strings.HasPrefix(line, `"`):
		return errors.New("the names of columns are in quotes; remove these, for example by sed '1s/\"//g'")
	case !strings.ContainsFunc(line, isLetter):
		return errors.New(
			"it does not name the columns; add a first line such as X Y Z, for example by sed '1i X Y Z' " +
				"for columns separated by blanks")
	}
	var ok bool
	if t.names, t.separator, ok = splitHeader(strings.TrimSuffix(line, "\r")); !ok {
		return fmt.Errorf(
			"PDAL does not understand the names of columns in %q; write letters and digits, between commas "+
				"or blanks, one name for each column, for example by sed '1s/.*/X,Y,Z/'", line)
	}
	var upper []string
	for k, name := range t.names {
		name = strings.ToUpper(name)
		if slices.Contains(upper, name) {
			return fmt.Errorf("two columns are named %s in %q; rename one of them", t.names[k], line)
		}
		upper = append(upper, name)
	}
	if !slices.Contains(upper, "X") || !slices.Contains(upper, "Y") {
		return fmt.Errorf(
			"it has no columns X and Y in %q; the first line names the columns, for example X,Y,Z", line)
	}
	t.setIntegers()
	return nil
}

// setIntegers finds the columns whose numbers PDAL rounds.
func (t *textReader) setIntegers() {
	for _, name := range t.names {
		t.integer = append(t.integer, slices.Contains(integers, strings.ToUpper(name)))
	}
}

// commented reports whether a line is a comment with names of columns, X among them.
func commented(line string) bool {
	text := strings.TrimLeft(line, "#/ ")
	names, _, ok := splitHeader(strings.TrimSuffix(text, "\r"))
	isX := func(name string) bool { return strings.EqualFold(name, "X") }
	return ok && slices.ContainsFunc(names, isX) && text != strings.TrimLeft(line, " ")
}

// integers are the dimensions, in capitals, that hold integers to PDAL, which rounds the numbers of text.
var integers = []string{"INTENSITY", "RETURNNUMBER", "NUMBEROFRETURNS", "SCANDIRECTIONFLAG",
	"EDGEOFFLIGHTLINE",
	"CLASSIFICATION", "USERDATA", "POINTSOURCEID", "RED", "GREEN", "BLUE", "DIFFUSE_RED", "DIFFUSE_GREEN",
	"DIFFUSE_BLUE",
	"OFFSETTIME", "ISPPSLOCKED", "STARTPULSE", "REFLECTEDPULSE", "PASSIVESIGNAL", "FLAG", "MARK", "ALPHA",
	"SCANCHANNEL",
	"INFRARED", "NEARINFRARED", "CLASSFLAGS", "SYNTHETIC", "KEYPOINT", "WITHHELD", "OVERLAP",
	"SHOTNUMBER", "POINTID",
	"ORIGINID", "OMIT", "CLUSTERID", "OPTIMALKNN", "COPLANAR", "RANK", "IMGNBR", "IMAGE", "DIMENSION",
	"H3", "DUPLICATE"}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

var columnName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// splitHeader returns the names as readers.text finds them, and whether all are valid.
func splitHeader(line string) (names []string, separator byte, ok bool) {
	separator = ' '
	if at := strings.IndexFunc(line, func(r rune) bool { return !isLetter(r) && !isDigit(r) }); at >= 0 {
		separator = line[at]
	}
	for name := range strings.SplitSeq(line, string(rune(separator))) {
		if name == "" && separator == ' ' {
			continue
		}
		name = strings.TrimSpace(name)
		if !columnName.MatchString(name) {
			return nil, 0, false
		}
		names = append(names, name)
	}
	return names, separator, true
}
