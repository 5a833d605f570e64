package benchmarks

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"

	"superpoint/filter/host"
)

// The format of arrays is read here and not by a library: gorgonia's tensor and
// sbinet/npyio, which bring packages of matrices along, would make the library that
// PDAL loads larger by more than this file saves. Numpy's format version 1 to 3:
// github.com/numpy/numpy, doc/neps/nep-0001-npy-format.
const npyMagic = "\x93NUMPY"

// npyHeader finds what is between the braces of the header of an array of two
// dimensions whose rows are complete in the file.
var npyHeader = regexp.MustCompile(
	`'descr': *'([<|=]?)(f[48]|[iu][1248])'.*'fortran_order': *False.*'shape': *\((\d+), *(\d+),?\)`)

// array is an array of two dimensions.
type array struct {
	rows, columns int
	kind          string // f4, f8, u1 …
	data          []byte
}

// readArray reads a file of numpy.
func readArray(text []byte) (*array, error) {
	if len(text) < 12 || string(text[:6]) != npyMagic {
		return nil, errors.New("no file of numpy, which begins with \\x93NUMPY")
	}
	at, length := 10, int64(binary.LittleEndian.Uint16(text[8:]))
	if text[6] >= 2 {
		at, length = 12, int64(binary.LittleEndian.Uint32(text[8:]))
	}
	if length > int64(len(text)-at) {
		return nil, errors.New("the header is cut off")
	}
	header := string(text[at : at+int(length)])
	m := npyHeader.FindStringSubmatch(header)
	if m == nil {
		return nil, fmt.Errorf("header %.200q; want little-endian numbers, rows first, of two dimensions: write it again "+
			"with numpy.save(file, numpy.ascontiguousarray(a, dtype='f4'))", header)
	}
	a := &array{kind: m[2], data: text[at+int(length):]}
	var err error
	if a.rows, err = strconv.Atoi(m[3]); err != nil {
		return nil, err
	}
	if a.columns, err = strconv.Atoi(m[4]); err != nil {
		return nil, err
	}
	width := a.width()
	if a.columns == 0 || a.rows > len(a.data)/width/a.columns {
		return nil, fmt.Errorf("%d × %d numbers of %d bytes, but only %d bytes", a.rows, a.columns, width, len(a.data))
	}
	return a, nil
}

func (a *array) width() int { return int(a.kind[1] - '0') }

// at returns a number.
func (a *array) at(row, column int) float64 {
	b := a.data[(row*a.columns+column)*a.width():]
	bits := uint64(0)
	for k := range a.width() {
		bits |= uint64(b[k]) << (8 * k)
	}
	unused := 64 - 8*a.width()
	switch {
	case a.kind == "f4":
		return float64(math.Float32frombits(uint32(bits)))
	case a.kind == "f8":
		return math.Float64frombits(bits)
	case a.kind[0] == 'u':
		return float64(bits)
	}
	return float64(int64(bits<<unused) >> unused)
}

// unlabelledVKITTI is the class of the files that the authors leave out; theirs are
// one more than those of the files.
const unlabelledVKITTI = 13

// readVKITTI reads a cloud of vKITTI3D: x y z r g b and, last, the class.
func readVKITTI(path string) (*host.Columns, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a, err := readArray(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if a.columns < 7 {
		return nil, fmt.Errorf("%s: %d columns; vKITTI3D has x y z r g b class", path, a.columns)
	}
	c := newCloud()
	for i := range a.rows {
		var p [6]float64
		for k := range p {
			p[k] = a.at(i, k)
		}
		class := a.at(i, a.columns-1) + 1
		if class == unlabelledVKITTI+1 {
			class = 0
		}
		add(c, &p, class)
	}
	return c, nil
}
