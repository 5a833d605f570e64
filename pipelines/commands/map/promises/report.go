// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/files/las"
)

// checkPicture checks that the picture in a folder can be read and is not empty.
func checkPicture(folder string) error {
	f, err := os.Open(filepath.Join(folder, contents.Picture))
	if err != nil {
		return err
	}
	defer f.Close()
	picture, err := png.DecodeConfig(f)
	if err != nil {
		return broken(contents.Picture, "%w", err)
	}
	if picture.Width < contents.PictureWidth || picture.Height == 0 {
		return broken(contents.Picture, "%d × %d pixels", picture.Width, picture.Height)
	}
	return nil
}

// countCell matches the cell of a table of the report that has the number of points of a class.
var countCell = regexp.MustCompile(`<td>[^<]*</td><td>\d+</td><td>([\d,]+)</td>`)

// checkReport checks that the counts of classes in the report of a folder add up to the points of tiles.
func checkReport(folder string, tiles []string) error {
	counted, err := countsOfReport(folder)
	if err != nil {
		return err
	}
	points, err := pointsOf(tiles)
	if err != nil {
		return err
	}
	if counted != points {
		return broken(contents.Report, "its classes have %d points, and the tiles %d", counted, points)
	}
	return nil
}

// countsOfReport returns the sum of the points in the table of classes.
func countsOfReport(folder string) (sum int, err error) {
	text, err := os.ReadFile(filepath.Join(folder, contents.Report))
	if err != nil {
		return 0, err
	}
	_, rest, _ := bytes.Cut(text, []byte(">Classes<"))
	table, _, _ := bytes.Cut(rest, []byte("</table>"))
	for _, match := range countCell.FindAllSubmatch(table, -1) {
		digits := strings.ReplaceAll(string(match[1]), ",", "")
		n, err := strconv.Atoi(digits)
		if err != nil {
			return 0, broken(contents.Report, "%w", err)
		}
		sum += n
	}
	return sum, nil
}

// pointsOf returns the sum of the points in the headers of tiles.
func pointsOf(tiles []string) (sum int, err error) {
	for _, path := range tiles {
		l, err := las.Read(path)
		if err != nil {
			return 0, err
		}
		sum += l.Count
	}
	return sum, nil
}
