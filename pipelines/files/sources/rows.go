// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

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
