// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"superpoint/filter/message"
	"superpoint/pipelines/files/las"
)

// Unknown is the number of points of a file whose format does not state it.
const Unknown = -1

// Inspect returns the number of points that a file has by its header or its lines, to compare with the number that
// PDAL reads. It fails for files of which PDAL would lose or change points without an error: LAS and LAZ that were cut
// short, text that is not numbers only, also in PLY and PCD, binary PCD, and EPT. Points are not decoded.
func Inspect(path string) (points int64, err error) {
	if err := checkReadable(path); err != nil {
		return 0, err
	}
	switch name := strings.ToLower(path); {
	case IsLAS(name) || IsCOPC(name):
		points, is, err := las.Points(path)
		if !is && err == nil {
			points = Unknown // PDAL gives the reason
		}
		return points, err
	case IsText(name):
		return inspectText(path)
	case strings.HasSuffix(name, ".ply") || strings.HasSuffix(name, ".pcd"):
		return inspectHeader(path)
	}
	return Unknown, nil
}

// ept is the name of the root file of an Entwine point tile set.
const ept = "ept.json"

// checkReadable fails for addresses of other machines, as no command opens a network connection, and for EPT, of which
// PDAL returns the points in another order each time, and the values of one extra dimension for those of another.
func checkReadable(path string) error {
	if scheme, _, remote := strings.Cut(path, "://"); remote {
		return fmt.Errorf("%s: files are not read over a network (%s); download it first, for example with curl, and an "+
			"EPT with pdal translate", path, scheme)
	}
	if strings.EqualFold(filepath.Base(path), ept) {
		return fmt.Errorf("%s: EPT is not read; write it as LAZ: pdal translate %s tile.laz --writers.las.minor_version=4 "+
			"--writers.las.dataformat_id=7 --writers.las.scale_x=0.001 --writers.las.scale_y=0.001 "+
			"--writers.las.scale_z=0.001 (PDAL leaves out extra dimensions)", path, path)
	}
	return nil
}

// IsText reports whether a file of this name is text. PDAL itself knows the first two endings.
func IsText(path string) bool {
	return slices.Contains([]string{textEnding, ".csv", ".xyz", ".asc"}, strings.ToLower(filepath.Ext(path)))
}

const textEnding = ".txt"

// Refused reports whether PDAL reads a text file only under a name with another ending.
func Refused(path string) bool {
	return IsText(path) && !slices.Contains([]string{textEnding, ".csv"}, strings.ToLower(filepath.Ext(path)))
}

// CheckCloud fails for a picture, of which PDAL makes a point of every pixel.
func CheckCloud(path string) error {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".bmp", ".vrt":
		return fmt.Errorf("a %s file is a picture, not a point cloud; name a point cloud", ext)
	}
	return nil
}

// CheckCount fails if another number of points was read than the file has.
func CheckCount(read, has int64) error {
	if has == Unknown || read == has {
		return nil
	}
	return fmt.Errorf("%s can be read and the file should have %s; it is damaged or incomplete: copy or download it again",
		message.Count(read, "point"), message.Thousands(has))
}

// textReader checks the lines of a text file as readers.text divides them: that accepts a prefix of a field as a
// number, and leaves out lines with another number of fields.
type textReader struct {
	names     []string
	integer   []bool // of the columns: PDAL rounds their numbers
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
		v, ok := number(field)
		if fields++; !ok && (fields <= len(t.names) || t.separator != ',') {
			return false, noNumber(string(field))
		}
		if !isExact(field) {
			return false, fmt.Errorf("'%s' has more digits than PDAL keeps; divide the column, or leave it out", field)
		}
		if fields <= len(t.names) && t.integer[fields-1] && v != math.Trunc(v) {
			return false, fmt.Errorf("%s is %s, and PDAL rounds it; write integers, or name the column otherwise in the first "+
				"line, for example %s_value, to keep it", t.names[fields-1], field, t.names[fields-1])
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
		remedy = "write it without quotes and separators of thousands, and a decimal comma as a point, for example by " +
			"sed 's/\"//g; s/,/./g'"
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

// header reads the names of columns.
func (t *textReader) header(line string) error {
	switch {
	case strings.ContainsRune(line, 0):
		return errors.New("it has bytes that are not text; save the file as UTF-8 or ASCII text")
	case strings.Contains(strings.TrimSuffix(line, "\r"), "\r"):
		return errors.New("its lines end in carriage returns alone; write line feeds, for example by tr '\\r' '\\n'")
	case strings.HasPrefix(strings.TrimPrefix(strings.ToLower(line), "\ufeff"), "sep="):
		return errors.New("it is for spreadsheets only; remove it, for example by sed 1d")
	case strings.HasPrefix(line, `"`):
		return errors.New("the names of columns are in quotes; remove these, for example by sed '1s/\"//g'")
	case !strings.ContainsFunc(line, isLetter):
		return errors.New("it does not name the columns; add a first line such as X Y Z, for example by sed '1i X Y Z' for " +
			"columns separated by blanks")
	}
	var ok bool
	if t.names, t.separator, ok = splitHeader(strings.TrimSuffix(line, "\r")); !ok {
		return fmt.Errorf("PDAL does not understand the names of columns in %q; write letters and digits, between commas or "+
			"blanks, one name for each column, for example by sed '1s/.*/X,Y,Z/'", line)
	}
	var upper []string
	for k, name := range t.names {
		name = strings.ToUpper(name)
		if slices.Contains(upper, name) {
			return fmt.Errorf("two columns are named %s in %q; rename one of them", t.names[k], line)
		}
		upper = append(upper, name)
		t.integer = append(t.integer, slices.Contains(integers, name))
	}
	if !slices.Contains(upper, "X") || !slices.Contains(upper, "Y") {
		return fmt.Errorf("it has no columns X and Y in %q; the first line names the columns, for example X,Y,Z", line)
	}
	return nil
}

// integers are the dimensions, in capitals, that hold integers to PDAL, which rounds the numbers of text.
var integers = []string{"INTENSITY", "RETURNNUMBER", "NUMBEROFRETURNS", "SCANDIRECTIONFLAG", "EDGEOFFLIGHTLINE",
	"CLASSIFICATION", "USERDATA", "POINTSOURCEID", "RED", "GREEN", "BLUE", "DIFFUSE_RED", "DIFFUSE_GREEN", "DIFFUSE_BLUE",
	"OFFSETTIME", "ISPPSLOCKED", "STARTPULSE", "REFLECTEDPULSE", "PASSIVESIGNAL", "FLAG", "MARK", "ALPHA", "SCANCHANNEL",
	"INFRARED", "NEARINFRARED", "CLASSFLAGS", "SYNTHETIC", "KEYPOINT", "WITHHELD", "OVERLAP", "SHOTNUMBER", "POINTID",
	"ORIGINID", "OMIT", "CLUSTERID", "OPTIMALKNN", "COPLANAR", "RANK", "IMGNBR", "IMAGE", "DIMENSION", "H3", "DUPLICATE"}

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

// inspectHeader returns the number of points of a PLY or PCD file, and checks those that are text.
func inspectHeader(path string) (points int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, errors.Unwrap(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	points = Unknown
	count := func(text string) (n int64) { n, err = strconv.ParseInt(text, 10, 64); return n }
	text, plain, columns := false, true, 0
	element := "" // of PLY
	for number := 1; number < 1000 && err == nil && lines.Scan(); number++ {
		words := append(strings.Fields(lines.Text()), "", "", "")
		switch last := len(words) - 3; words[0] {
		case "format":
			text = words[1] == "ascii"
		case "element":
			plain = plain && (words[1] == "vertex" || points != Unknown) // points that follow others are left to PDAL
			if element = words[1]; element == "vertex" {
				points = count(words[2])
			}
		case "property":
			if element == "vertex" {
				columns++
				plain = plain && words[1] != "list"
			}
		case "end_header":
			if !text || !plain || points == Unknown {
				return points, nil
			}
			return points, checkRows(lines, number, points, columns, false)
		case "FIELDS":
			columns = last - 1
		case "COUNT":
			columns = 0
			for _, word := range words[1:last] {
				columns += int(count(word))
			}
		case "POINTS":
			points = count(words[1])
		case "DATA":
			if words[1] == "binary" {
				return 0, errors.New("its points are binary, which PDAL 2.2 reads wrong; write them as text, for example by " +
					"pcl_convert_pcd_ascii_binary IN OUT 0")
			}
			if words[1] != "ascii" || points == Unknown {
				return points, nil
			}
			return points, checkRows(lines, number, points, columns, true)
		}
	}
	return Unknown, nil // PDAL gives the reason
}

// checkRows fails unless each of the next lines has a number for every column. PDAL takes what a line lacks from the
// next one, and a prefix of a field for the number.
func checkRows(lines *bufio.Scanner, line int, points int64, columns int, nan bool) error {
	read := int64(0)
	for read < points && lines.Scan() {
		line++
		fields := bytes.Fields(lines.Bytes())
		if len(fields) == 0 {
			continue
		}
		if len(fields) != columns {
			return fmt.Errorf("line %d: %d fields, and the header names %d; write the file again", line, len(fields), columns)
		}
		wrong := slices.IndexFunc(fields, func(field []byte) bool {
			_, is := number(field)
			return !is && !(nan && bytes.EqualFold(bytes.TrimLeft(field, "+-"), []byte("nan")))
		})
		if wrong >= 0 {
			return fmt.Errorf("line %d: %w", line, noNumber(string(fields[wrong])))
		}
		read++
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", line+1, err)
	}
	return CheckCount(read, points)
}
