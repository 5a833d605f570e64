// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// PDAL 2.2 reads records of binary PCD files as if every field had four bytes, and fields that it does not know as 0.
// It reads text as it is.

// pcdField is a field of a PCD file (https://pointclouds.org/documentation/tutorials/pcd_file_format.html).
type pcdField struct {
	name        string
	kind        string // such as F4
	size, count int
}

// pcdFile is a PCD file, read up to its points.
type pcdFile struct {
	fields []pcdField
	points int
	data   string // ascii, binary or binary_compressed
}

// readPCD reads the head of a PCD file.
func readPCD(r *bufio.Reader) (*pcdFile, error) {
	p, lines := new(pcdFile), map[string][]string{}
	for p.data == "" {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if words := strings.Fields(line); len(words) > 1 {
			lines[words[0]] = words[1:]
		}
		if data := lines["DATA"]; data != nil {
			p.data = data[0]
		}
	}
	number := func(key string, k int) (n int) {
		n = 1 // COUNT may be left out
		if words := lines[key]; k < len(words) {
			n, _ = strconv.Atoi(words[k])
		}
		return n
	}
	p.points = number("POINTS", 0)
	for k, name := range lines["FIELDS"] {
		f := pcdField{name: name, size: number("SIZE", k), count: number("COUNT", k)}
		if types := lines["TYPE"]; k < len(types) {
			f.kind = fmt.Sprint(types[k], f.size)
		}
		if f.count < 0 || pcdValue[f.kind] == nil {
			return nil, fmt.Errorf("its field %s has the type %s; write it again", name, f.kind)
		}
		if name == "rgb" && f.kind == "F4" { // bits of colors, some of which are no number
			f.kind = "U4"
		}
		p.fields = append(p.fields, f)
	}
	return p, nil
}

// pcdValue appends a value of a type as text.
var pcdValue = map[string]func(text, b []byte) []byte{
	"U1": func(text, b []byte) []byte { return strconv.AppendUint(text, uint64(b[0]), 10) },
	"I1": func(text, b []byte) []byte { return strconv.AppendInt(text, int64(int8(b[0])), 10) },
	"U2": func(text, b []byte) []byte { return strconv.AppendUint(text, uint64(le.Uint16(b)), 10) },
	"I2": func(text, b []byte) []byte { return strconv.AppendInt(text, int64(int16(le.Uint16(b))), 10) },
	"U4": func(text, b []byte) []byte { return strconv.AppendUint(text, uint64(le.Uint32(b)), 10) },
	"I4": func(text, b []byte) []byte { return strconv.AppendInt(text, int64(int32(le.Uint32(b))), 10) },
	"U8": func(text, b []byte) []byte { return strconv.AppendUint(text, le.Uint64(b), 10) },
	"I8": func(text, b []byte) []byte { return strconv.AppendInt(text, int64(le.Uint64(b)), 10) },
	"F4": func(text, b []byte) []byte {
		return strconv.AppendFloat(text, float64(math.Float32frombits(le.Uint32(b))), 'g', -1, 32)
	},
	"F8": func(text, b []byte) []byte {
		return strconv.AppendFloat(text, math.Float64frombits(le.Uint64(b)), 'g', -1, 64)
	},
}

var le = binary.LittleEndian

// isPCD reports whether PDAL reads a file of this name as PCD.
func isPCD(path string) bool { return strings.EqualFold(filepath.Ext(path), ".pcd") }

// refusedPCD reports whether a PCD file is binary.
func refusedPCD(head *bufio.Reader) bool {
	p, err := readPCD(head)
	return err == nil && p.data == "binary"
}

// copyPCD writes a binary PCD file as text. Fields of several values become several fields; padding is left out.
func copyPCD(in *bufio.Reader, w *bufio.Writer, points bool) error {
	p, err := readPCD(in)
	if err != nil {
		return err
	}
	if !points {
		p.points = 0
	}
	head, length := map[string]string{}, 0
	for _, f := range p.fields {
		length += f.size * f.count
		for k := range f.count {
			name := f.name
			if f.count > 1 {
				name += strconv.Itoa(k)
			}
			if f.name != "_" {
				head["FIELDS"] += " " + name
				head["SIZE"] += " " + f.kind[1:]
				head["TYPE"] += " " + f.kind[:1]
				head["COUNT"] += " 1"
			}
		}
	}
	fmt.Fprintf(w,
		"VERSION .7\nFIELDS%s\nSIZE%s\nTYPE%s\nCOUNT%s\nWIDTH %d\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS %d\n"+
			"DATA ascii\n", head["FIELDS"], head["SIZE"], head["TYPE"], head["COUNT"], p.points, p.points)
	record, text := make([]byte, length), []byte(nil)
	for k := range p.points {
		if _, err := io.ReadFull(in, record); err != nil {
			return CheckCount(int64(k), int64(p.points))
		}
		at := 0
		text = text[:0]
		for _, f := range p.fields {
			for range f.count {
				if f.name != "_" {
					text = append(pcdValue[f.kind](text, record[at:]), ' ')
				}
				at += f.size
			}
		}
		text[len(text)-1] = '\n'
		w.Write(text)
	}
	return nil
}
