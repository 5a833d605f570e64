// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// element is a kind of rows of a PLY file (paulbourke.net/dataformats/ply).
type element struct {
	name    string
	count   int64
	columns int
	bytes   int64 // of a row in binary; the least if it has lists
	lists   bool  // rows have lists, of different lengths
}

// ply is the header of a PLY file.
type ply struct {
	text     bool
	elements []element
}

// inspectPLY returns the number of vertices of a PLY file, and checks those that are text.
func inspectPLY(l *lines) (points int64, err error) {
	h, err := readPLY(l)
	if h == nil || err != nil {
		return Unknown, err // PDAL gives the reason
	}
	for _, e := range h.elements {
		if e.name == "vertex" {
			return e.count, h.check(l)
		}
	}
	return Unknown, nil
}

// readPLY reads the header; nil if it is none.
func readPLY(l *lines) (*ply, error) {
	const mostLines = 1000
	h := new(ply)
	for l.number < mostLines {
		line, more, err := l.next()
		if err != nil || !more {
			return nil, nil
		}
		words := append(strings.Fields(string(line)), "", "", "")
		switch words[0] {
		case "format":
			h.text = words[1] == "ascii"
		case "element":
			e := element{name: words[1]}
			if e.count, err = parseCount(words[2]); err != nil {
				return nil, fmt.Errorf("line %d: %w", l.number, err)
			}
			h.elements = append(h.elements, e)
		case "property":
			if len(h.elements) > 0 {
				h.elements[len(h.elements)-1].add(words[1:])
			}
		case "end_header":
			return h, nil
		}
	}
	return nil, nil
}

// parseCount parses a number of points in a header.
func parseCount(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf(
			"its header counts '%s' points, which is no whole number; copy or download it again", text)
	}
	return n, nil
}

// add adds a property. words are its type and its name; of a list "list", the type of the length, the type of
// the entries and the name.
func (e *element) add(words []string) {
	kind := words[0]
	if kind == "list" {
		e.lists = true
		kind = words[1] // a list may be empty
	}
	e.columns++
	e.bytes += plyBytes(kind)
}

// plyBytes returns the size of a type; 1 of unknown ones.
func plyBytes(kind string) int64 {
	switch kind {
	case "short", "ushort", "int16", "uint16":
		return 2
	case "int", "uint", "int32", "uint32", "float", "float32":
		return 4
	case "double", "float64":
		return 8
	}
	return 1
}

// check fails if the rows of the header do not fit in the rest of the file, or are not numbers.
func (h *ply) check(l *lines) error {
	left, lists := l.left(), false
	for _, e := range h.elements {
		row := max(e.bytes, 1)
		if h.text {
			row = max(2*int64(e.columns), 1) // a digit and a blank for each column
			left++                           // the last row may have no end
		}
		if e.count > left/row {
			return errTooMany(e.count, left/row)
		}
		left, lists = left-e.count*row, lists || e.lists
	}
	first := h.elements[0]
	switch {
	case h.text && first.name == "vertex" && !first.lists: // points that follow others are left to PDAL
		return l.checkRows(first.count, h.others(), first.columns, false)
	case !h.text && !lists && first.name == "vertex" && len(h.elements) == 1 && left >= first.bytes:
		return fmt.Errorf(
			"its header counts %d points, and %d follow: the program that wrote it was interrupted; write "+
				"it again, or end a copy of it after those that are counted: truncate -s %d", first.count,
			first.count+left/max(first.bytes, 1), l.size-left)
	}
	return nil
}

// others returns the number of rows behind the vertices.
func (h *ply) others() (rows int64) {
	for _, e := range h.elements[1:] {
		rows += min(e.count, math.MaxInt32)
	}
	return rows
}
