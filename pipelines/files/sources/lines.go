// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"superpoint/pipelines/files/atomicfile"
)

// lines reads the lines of a file, or its bytes.
type lines struct {
	file   *os.File
	from   *bufio.Reader
	size   int64  // of the file
	read   int64  // bytes of the lines so far
	number int    // of the last line
	long   []byte // a line that exceeds the buffer
}

func openLines(path string) (*lines, error) {
	f, err := atomicfile.OpenRegular(path)
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return nil, failed.Err // without the path
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &lines{file: f, from: bufio.NewReaderSize(f, 1<<18), size: info.Size()}, nil
}

// longestLine is the number of bytes above which a line is none.
const longestLine = 1 << 24

// next returns the next line without its line feed, valid until the next call; more: there was one.
func (l *lines) next() (line []byte, more bool, err error) {
	l.long = l.long[:0]
	for {
		part, err := l.from.ReadSlice('\n')
		l.read += int64(len(part))
		if err == bufio.ErrBufferFull {
			if l.long = append(l.long, part...); len(l.long) > longestLine {
				return nil, false, fmt.Errorf("line %d has more than %d bytes; it is no text",
					l.number+1, longestLine)
			}
			continue
		}
		if err != nil && err != io.EOF {
			return nil, false, err
		}
		if len(l.long) > 0 {
			part = append(l.long, part...)
		}
		if err == io.EOF && len(part) == 0 {
			return nil, false, nil
		}
		l.number++
		return bytes.TrimSuffix(part, []byte("\n")), true, nil
	}
}

// left returns the number of bytes behind the last line.
func (l *lines) left() int64 { return l.size - l.read }

// checkRows fails unless each of the next lines has a number for every column. PDAL takes what a line lacks
// from the next one, and a prefix of a field for the number. After the points it accepts as many more rows as
// others of the file have.
func (l *lines) checkRows(points, others int64, columns int, nan bool) error {
	read := int64(0)
	for {
		line, more, err := l.next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		fields := bytes.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if read++; read > points {
			if others == 0 {
				return fmt.Errorf(
					"line %d: its header counts %d points, and more follow; correct the number, or remove "+
						"them",
					l.number, points)
			}
			others--
			continue
		}
		if err := checkFields(fields, columns, nan); err != nil {
			return fmt.Errorf("line %d: %w", l.number, err)
		}
	}
	return CheckCount(min(read, points), points)
}

// checkFields fails unless there is a number, or with nan also "nan", for every column.
func checkFields(fields [][]byte, columns int, nan bool) error {
	if len(fields) != columns {
		return fmt.Errorf("%d fields, and the header names %d; write the file again", len(fields), columns)
	}
	for _, field := range fields {
		_, is := number(field)
		unknown := nan && bytes.EqualFold(bytes.TrimLeft(field, "+-"), []byte("nan"))
		if !is && !unknown {
			return noNumber(string(field))
		}
	}
	return nil
}

// errTooMany is the error of a header that counts more points than fit in the bytes behind it.
func errTooMany(points, held int64) error {
	return fmt.Errorf(
		"its header counts %d points, and the bytes behind it hold at most %d: it is damaged or cut short "+
			"(is the disk full?); copy or download it again", points, held)
}
