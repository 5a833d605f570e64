// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Fields of a TerraScan binary file (terrasolid.com, TerraScan User's Guide, "Binary file formats").
const (
	terraHead  = 56
	terraMagic = 970401

	atTerraVersion = 4
	atTerraMagic   = 8
	atTerraPoints  = 16
	atTerraUnits   = 20 // of the coordinates, in a metre
	atTerraTime    = 48 // 0 = points have no time
	atTerraColor   = 52 // 0 = points have no color

	terraOf2001, terraOf2002 = 20010712, 20020715
	terraPoint               = 20 // bytes, without time and color
	terraField               = 4  // bytes of time, and of color
)

// inspectTerraScan fails for each TerraScan file: PDAL crashes when it describes one (up to 2.10), so no
// command can read it. The error names what converts it, if that loses nothing: PDAL reads the coordinates of
// files of 2001 as single bytes, makes up points that are missing, and leaves out those that the header does
// not count.
func inspectTerraScan(l *lines) (points int64, err error) {
	head := make([]byte, terraHead)
	_, err = io.ReadFull(l.from, head)
	field := func(at int) int64 { return int64(int32(binary.LittleEndian.Uint32(head[at:]))) }
	if err != nil || field(atTerraMagic) != terraMagic {
		return 0, errors.New("it is not a TerraScan file, as its name says; name a point cloud")
	}
	if field(atTerraVersion) == terraOf2001 {
		return 0, errors.New("it is a TerraScan file of 2001, whose coordinates PDAL cannot read; save it " +
			"as LAS in TerraScan")
	}
	if version := field(atTerraVersion); version != terraOf2002 {
		return 0, fmt.Errorf("it is a TerraScan file of version %d, which PDAL cannot read; save it as "+
			"LAS in TerraScan", version)
	}
	row := int64(terraPoint)
	for _, at := range []int{atTerraTime, atTerraColor} {
		if field(at) != 0 {
			row += terraField
		}
	}
	if err := checkRecords(field(atTerraPoints), row, l.size-terraHead); err != nil {
		return 0, err
	}
	scale := 1 / float64(max(1, field(atTerraUnits)))
	const axes = " --writers.las.scale_%[2]s=%[1]v --writers.las.offset_%[2]s=auto"
	command := "pdal translate FILE.bin FILE.laz --writers.las.minor_version=4 --writers.las.extra_dims=all"
	for _, axis := range []string{"x", "y", "z"} {
		command += fmt.Sprintf(axes, scale, axis)
	}
	return 0, fmt.Errorf("TerraScan files are not read, because PDAL crashes when it describes one; write "+
		"it as LAZ: %s", command)
}

// checkRecords fails unless a number of bytes holds as many records of a length as the header counts, and no
// further one.
func checkRecords(count, length, room int64) error {
	held := max(0, room) / length
	if count < 0 || count > held {
		return errTooMany(count, held)
	}
	if count < held {
		return fmt.Errorf("its header counts %d points, and %d follow: the program that wrote it was "+
			"interrupted; write it again", count, held)
	}
	return nil
}
