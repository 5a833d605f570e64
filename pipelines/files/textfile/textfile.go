// SPDX-License-Identifier: BSD-3-Clause

// Package textfile reads small files of text that users write: tables of labels, rules and recipes.
// Spreadsheets and editors save them in other encodings than UTF-8, and with other ends of lines.
package textfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"unicode/utf16"
	"unicode/utf8"
)

// errNoText is the error of a file with bytes that no text has.
var errNoText = errors.New("it has bytes that are not text; save the file as UTF-8")

// Read returns the text of a file, without a byte order mark and with line feeds. It reads UTF-16 that begins
// with a byte order mark, as spreadsheets save "Unicode text". Text that is not UTF-8 is returned as it is;
// see CheckUTF8. Errors do not have the path.
func Read(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, errors.Unwrap(err) // without the path
	}
	return Decode(text)
}

// Decode returns the content of a file as Read does.
func Decode(text []byte) ([]byte, error) {
	var err error
	switch {
	case bytes.HasPrefix(text, []byte{0xff, 0xfe, 0, 0}): // UTF-32
		return nil, errNoText
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}):
		text, err = fromUTF16(text[2:], binary.LittleEndian)
	case bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		text, err = fromUTF16(text[2:], binary.BigEndian)
	default:
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, errNoText
	}
	if bytes.IndexByte(text, '\n') < 0 { // carriage returns alone end lines
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	return text, nil
}

func fromUTF16(b []byte, order binary.ByteOrder) ([]byte, error) {
	if len(b)%2 != 0 {
		return nil, errNoText
	}
	units := make([]uint16, len(b)/2)
	for k := range units {
		units[k] = order.Uint16(b[2*k:])
	}
	return []byte(string(utf16.Decode(units))), nil
}

// CheckUTF8 fails for text with a line that is not UTF-8.
func CheckUTF8(text []byte) error {
	for number := 1; !utf8.Valid(text); number++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if !utf8.Valid(line) {
			return fmt.Errorf(
				"line %d is not UTF-8: %q; save the file as UTF-8, for example by iconv -f WINDOWS-1252 -t "+
					"UTF-8 IN > OUT", number, bytes.TrimRight(line, "\r"))
		}
		text = rest
	}
	return nil
}
