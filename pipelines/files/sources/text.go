package sources

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

// textReader checks the lines of a text file as readers.text divides them: that accepts a prefix of a field as a
// number, and leaves out lines with another number of fields.
type textReader struct {
	names     []string
	separator byte
	number    int // of the line
}

// inspectText returns the number of points of a text file. It fails unless the first line names columns, X and Y among
// them, and all fields of all other lines are numbers.
func inspectText(path string) (points int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, errors.Unwrap(err)
	}
	defer f.Close()
	t := new(textReader)
	lines := bufio.NewReaderSize(f, 1<<18)
	var long []byte // a line that exceeds the buffer
	for {
		line, err := lines.ReadSlice('\n')
		if err == bufio.ErrBufferFull && len(long) < 1<<24 {
			long = append(long, line...)
			continue
		}
		if err != nil && err != io.EOF {
			return 0, err
		}
		if long != nil {
			line, long = append(long, line...), nil
		}
		if err == io.EOF && len(line) == 0 && t.number > 0 {
			return points, nil
		}
		t.number++
		is, failure := t.line(bytes.TrimSuffix(line, []byte("\n")))
		if failure != nil {
			return 0, fmt.Errorf("line %d: %w", t.number, failure)
		}
		if is {
			points++
		}
	}
}

// line checks a line and reports whether it is a point.
func (t *textReader) line(line []byte) (is bool, err error) {
	if t.number == 1 {
		return false, t.header(string(line))
	}
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
		if fields++; !isNumber(field) && (fields <= len(t.names) || t.separator != ',') {
			return false, t.noNumber(string(field))
		}
	}
	if fields != len(t.names) {
		remedy := "correct or remove the line"
		if t.separator == ',' && fields == 2*len(t.names) {
			remedy = "if they are decimal commas, write points instead, or separate columns by semicolons and replace the commas"
		}
		return false, fmt.Errorf("%d fields, and the first line names %d columns; %s", fields, len(t.names), remedy)
	}
	return true, nil
}

var (
	decimalComma = regexp.MustCompile(`^[+-]?\d*,\d+([eE][+-]?\d+)?$`)
	thousands    = regexp.MustCompile(`^[+-]?\d{1,3}([,.' _\x{a0}\x{2009}\x{202f}]\d{3})+([.,]\d*)?$`)
)

// noNumber returns the error of a field that is not a number.
func (t *textReader) noNumber(field string) error {
	remedy := "correct or remove the line"
	switch lower := strings.ToLower(strings.TrimLeft(field, "+-")); {
	case field == "":
		return errors.New("a field is empty; correct or remove the line")
	case strings.HasPrefix(lower, "nan") || strings.HasPrefix(lower, "inf"):
		remedy = "remove lines without finite values, for example by grep -viE 'nan|inf'"
	case thousands.MatchString(field) && decimalComma.MatchString(field):
		remedy = "write a decimal comma as a point (sed 's/,/./g'), or leave out separators of thousands (sed 's/,//g')"
	case decimalComma.MatchString(field):
		remedy = "write a decimal comma as a point, for example by sed 's/,/./g'"
	case thousands.MatchString(field):
		remedy = "leave out separators of thousands, and write decimals behind a point"
	}
	return fmt.Errorf("'%s' is not a number; %s", field, remedy)
}

// isNumber reports whether all of a field is a decimal number.
func isNumber(field []byte) bool {
	digits := func() (n int) {
		for n < len(field) && field[n] >= '0' && field[n] <= '9' {
			n++
		}
		field = field[n:]
		return n
	}
	sign := func() {
		if len(field) > 0 && (field[0] == '+' || field[0] == '-') {
			field = field[1:]
		}
	}
	sign()
	n := digits()
	if len(field) > 0 && field[0] == '.' {
		field = field[1:]
		n += digits()
	}
	if n > 0 && len(field) > 1 && (field[0] == 'e' || field[0] == 'E') {
		field = field[1:]
		sign()
		n = digits()
	}
	return n > 0 && len(field) == 0
}

const byteOrderMark = "\ufeff"

// header reads the names of columns. PDAL separates names by the first character that is neither letter nor digit,
// unless the first name is quoted.
func (t *textReader) header(line string) error {
	line = strings.TrimSuffix(line, "\r")
	switch {
	case strings.ContainsRune(line, 0):
		return errors.New("it has bytes that are not text; save the file as UTF-8 or ASCII text")
	case !strings.ContainsFunc(line, isLetter):
		return errors.New("it does not name the columns; add a first line such as X Y Z, for example by sed '1i X Y Z' for " +
			"columns separated by blanks")
	}
	names, separator, ok := splitHeader(line)
	if !ok {
		return fmt.Errorf("PDAL cannot read the names of columns in %q; names are letters, digits and _ (not in the first), "+
			"separated by one character, and no byte order mark before them: write %q", line, repairedHeader(line))
	}
	upper := make([]string, len(names))
	for k, name := range names {
		upper[k] = strings.ToUpper(name)
	}
	has := func(all ...string) bool {
		return !slices.ContainsFunc(all, func(name string) bool { return !slices.Contains(upper, name) })
	}
	switch {
	case !has("X", "Y"):
		return fmt.Errorf("it has no columns X and Y in %q; the first line names the columns, for example X,Y,Z", line)
	case has("R", "G", "B"):
		return fmt.Errorf("columns R, G and B in %q are not colors to PDAL; name them Red, Green and Blue", line)
	}
	t.names, t.separator = names, separator
	return nil
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

var (
	columnName  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	quotedNames = regexp.MustCompile(`^"[A-Za-z][A-Za-z0-9_]*"(?:([^"]*)"[A-Za-z][A-Za-z0-9_]*")*\s*$`)
)

// splitHeader returns the names as readers.text finds them, and whether all are valid.
func splitHeader(line string) (names []string, separator byte, ok bool) {
	if m := quotedNames.FindStringSubmatch(line); m != nil {
		separator = ' '
		if between := strings.TrimSpace(m[1]); len(between) == 1 {
			separator = between[0]
		} else if between != "" {
			return nil, 0, false
		}
		for k, part := range strings.Split(line, `"`) {
			if k%2 == 1 {
				names = append(names, part)
			}
		}
		return names, separator, true
	}
	separator = ' '
	if at := strings.IndexFunc(line, func(r rune) bool { return !isLetter(r) && (r < '0' || r > '9') }); at >= 0 {
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

// repairedHeader returns a header like the given one that PDAL reads.
func repairedHeader(line string) string {
	line = strings.TrimLeft(strings.TrimPrefix(line, byteOrderMark), "/#% \t")
	separator := " "
	for _, s := range []string{";", "\t", ","} {
		if strings.Contains(line, s) {
			separator = s
			break
		}
	}
	var names []string
	for name := range strings.SplitSeq(line, separator) {
		name = strings.Map(func(r rune) rune {
			if isLetter(r) || r >= '0' && r <= '9' || r == '_' {
				return r
			}
			return ' '
		}, name)
		name = strings.Join(strings.Fields(name), "_")
		if len(names) == 0 {
			name = strings.ReplaceAll(name, "_", "")
		}
		if name == "" && separator == " " {
			continue
		}
		if name == "" || !isLetter(rune(name[0])) {
			name = "C" + name
		}
		names = append(names, name)
	}
	return strings.Join(names, separator)
}
