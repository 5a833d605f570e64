// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"superpoint/pipelines/files/las"
)

// checkPicture checks that the picture can be read and is not empty.
func (r *results) checkPicture() error {
	f, err := os.Open(filepath.Join(r.m.work, mapPicture))
	if err != nil {
		return err
	}
	defer f.Close()
	picture, err := png.DecodeConfig(f)
	if err != nil {
		return r.broken(mapPicture, "%w", err)
	}
	if picture.Width < pictureWidth || picture.Height == 0 {
		return r.broken(mapPicture, "%d × %d pixels", picture.Width, picture.Height)
	}
	return nil
}

// countCell matches the cell of a table of the report that has the number of points of a class.
var countCell = regexp.MustCompile(`<td>[^<]*</td><td>\d+</td><td>([\d,]+)</td>`)

// checkReport checks that the counts of classes in the report add up to the points of the tiles.
func (r *results) checkReport() error {
	counted, err := r.countsOfReport()
	if err != nil {
		return err
	}
	points, err := r.pointsOfTiles()
	if err != nil {
		return err
	}
	if counted != points {
		return r.broken(mapReport, "its classes have %d points, and the tiles %d", counted, points)
	}
	return nil
}

// countsOfReport returns the sum of the points in the table of classes.
func (r *results) countsOfReport() (sum int, err error) {
	text, err := os.ReadFile(filepath.Join(r.m.work, mapReport))
	if err != nil {
		return 0, err
	}
	_, rest, _ := bytes.Cut(text, []byte(">Classes<"))
	table, _, _ := bytes.Cut(rest, []byte("</table>"))
	for _, match := range countCell.FindAllSubmatch(table, -1) {
		digits := strings.ReplaceAll(string(match[1]), ",", "")
		n, err := strconv.Atoi(digits)
		if err != nil {
			return 0, r.broken(mapReport, "%w", err)
		}
		sum += n
	}
	return sum, nil
}

// pointsOfTiles returns the sum of the points in the headers of the tiles.
func (r *results) pointsOfTiles() (sum int, err error) {
	for _, path := range r.m.files {
		l, err := las.Read(path)
		if err != nil {
			return 0, err
		}
		sum += l.Count
	}
	return sum, nil
}
