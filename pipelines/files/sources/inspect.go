// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/filter/message"
	"superpoint/pipelines/files/las"
)

// Unknown is the number of points of a file whose format does not state it.
const Unknown = -1

// Inspect returns the number of points that a file has by its header, its lines or its hierarchy, to compare with the
// number that PDAL reads. It fails for files of which PDAL would lose or change points without an error: LAS and LAZ
// that were cut short, text that is not numbers only, binary PCD, and EPT without some of its tiles. Points are not
// decoded.
func Inspect(path string) (points int64, err error) {
	if err := checkLocal(path); err != nil {
		return 0, err
	}
	switch name := strings.ToLower(path); {
	case filepath.Base(name) == EPT:
		t, err := inspectEPT(path)
		if err != nil {
			return 0, err
		}
		return t.Points, nil
	case IsLAS(name) || IsCOPC(name):
		return inspectLAS(path)
	case IsText(name):
		return inspectText(path)
	case strings.HasSuffix(name, ".ply"):
		points, _, err = headerCount(path, "end_header", "element", "vertex")
	case strings.HasSuffix(name, ".pcd"):
		var data string
		if points, data, err = headerCount(path, "DATA", "POINTS"); strings.TrimSpace(data) == "DATA binary" {
			return 0, errors.New("its points are binary, which PDAL 2.2 reads wrong; write them as text, for example by " +
				"pcl_convert_pcd_ascii_binary IN OUT 0")
		}
	default:
		points = Unknown
	}
	return points, err
}

// checkLocal fails for addresses of other machines: no command opens a network connection.
func checkLocal(path string) error {
	if scheme, _, remote := strings.Cut(path, "://"); remote {
		return fmt.Errorf("%s: files are not read over a network (%s); download it first, for example with curl, and an "+
			"EPT with pdal translate", path, scheme)
	}
	return nil
}

// IsText reports whether a file of this name is text. PDAL itself knows the first two endings.
func IsText(path string) bool {
	return slices.Contains([]string{textEnding, ".csv", ".xyz", ".asc"}, strings.ToLower(filepath.Ext(path)))
}

const textEnding = ".txt"

// Refused reports whether PDAL reads a text file only after Copy.
func Refused(path string) bool {
	if !IsText(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const longestHeader = 1 << 16
	return refusedText(bufio.NewReader(io.LimitReader(f, longestHeader)), strings.ToLower(filepath.Ext(path)))
}

// Copy writes a copy of such a file that PDAL reads, or without points only its head.
func Copy(path, to string, points bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	in, w := bufio.NewReaderSize(f, 1<<18), bufio.NewWriterSize(out, 1<<18)
	return errors.Join(copyText(in, w, points), w.Flush(), out.Close())
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

func inspectLAS(path string) (int64, error) {
	if err := las.CheckWhole(path); err != nil {
		return 0, err
	}
	if n, is := las.Points(path); is {
		return n, nil
	}
	return Unknown, nil // PDAL gives the reason
}

// headerCount returns the number behind given words on a line of a text header, and the last line of the header, which
// begins with end.
func headerCount(path, end string, words ...string) (count int64, last string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", errors.Unwrap(err)
	}
	defer f.Close()
	lines, count := bufio.NewScanner(f), Unknown // PDAL gives the reason
	for range 1000 {
		if !lines.Scan() || strings.HasPrefix(lines.Text(), end) {
			return count, lines.Text(), nil
		}
		fields := strings.Fields(lines.Text())
		if len(fields) != len(words)+1 || strings.Join(fields[:len(words)], " ") != strings.Join(words, " ") {
			continue
		}
		if n, err := strconv.ParseInt(fields[len(words)], 10, 64); err == nil {
			count = n
		}
	}
	return count, "", nil
}
