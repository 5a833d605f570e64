// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter/message"
	"superpoint/pipelines/files/las"
)

// Unknown is the number of points of a file whose format does not state it.
const Unknown = -1

// Inspect returns the number of points that a file has by its header or its lines, to compare with the number
// that PDAL reads. It fails for files of which PDAL would lose or change points without an error: files that
// are too small for what their header counts, text that is not numbers only, also in PLY, PCD and PTS, binary
// PCD, and EPT. Points are not decoded.
func Inspect(path string) (points int64, err error) {
	if err := checkReadable(path); err != nil {
		return 0, err
	}
	name := strings.ToLower(path)
	if IsLAS(name) || IsCOPC(name) {
		points, is, err := las.Points(path)
		if !is && err == nil {
			points = Unknown // PDAL gives the reason
		}
		return points, err
	}
	inspect := inspectors()[filepath.Ext(name)]
	if inspect == nil {
		return Unknown, nil
	}
	l, err := openLines(path)
	if err != nil {
		return 0, err
	}
	defer l.file.Close()
	return inspect(l)
}

// inspectors are the functions that inspect files by their ending.
func inspectors() map[string]func(l *lines) (points int64, err error) {
	all := map[string]func(l *lines) (int64, error){
		".ply": inspectPLY, ".pcd": inspectPCD, ".pts": inspectPTS, ".bpf": inspectBPF,
		".bin": inspectTerraScan, ".csd": inspectOptech,
	}
	for _, ending := range textEndings() {
		all[ending] = inspectText
	}
	return all
}

// ept is the name of the root file of an Entwine point tile set.
const ept = "ept.json"

// checkReadable fails for addresses of other machines, as no command opens a network connection, and for EPT,
// of which PDAL returns the points in another order each time, and the values of one extra dimension for
// the values of another.
func checkReadable(path string) error {
	if scheme, _, remote := strings.Cut(path, "://"); remote {
		return fmt.Errorf(
			"%s: files are not read over a network (%s); download it first, for example with curl, and an "+
				"EPT with pdal translate", path, scheme)
	}
	if strings.EqualFold(filepath.Base(path), ept) {
		return fmt.Errorf(
			"%s: EPT is not read; write it as LAZ: pdal translate %s tile.laz --writers.las.minor_version=4 "+
				"--writers.las.dataformat_id=7 --writers.las.scale_x=0.001 --writers.las.scale_y=0.001 "+
				"--writers.las.scale_z=0.001 (PDAL leaves out extra dimensions)", path, path)
	}
	return nil
}

// IsText reports whether a file of this name is text. PDAL itself knows the first two endings.
func IsText(path string) bool {
	return slices.Contains(textEndings(), strings.ToLower(filepath.Ext(path)))
}

func textEndings() []string { return []string{textEnding, ".csv", ".xyz", ".asc"} }

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
	return fmt.Errorf(
		"%s can be read and the file should have %s; it is damaged or incomplete: copy or download it again",
		message.Count(read, "point"), message.Thousands(has))
}
