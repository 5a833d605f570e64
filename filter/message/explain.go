// SPDX-License-Identifier: BSD-3-Clause

package message

import (
	"fmt"
	"regexp"
	"strings"
)

// NoPositions is the message of FileReader.cpp for files without X or Y, which PDAL reads as 0.
const NoPositions = "no X and Y"

// NotANumber is part of what readers.text logs before it reads 0 instead.
const NotANumber = "to numeric value on line"

// explanation is a message in place of one of PDAL that has no remedy.
type explanation struct {
	of   *regexp.Regexp
	text string // with its groups as $1, $2
}

func explanations() []explanation {
	const format = "PDAL does not read points with waveforms (LAS point format $1); write them in format "
	waves := func(from, to string) explanation {
		return explanation{regexp.MustCompile("Unsupported LAS input point format: (" + from + ")\\b"),
			format + to +
				", for example with Python: laspy.convert(laspy.read(IN), point_format_id=" + to +
				").write(OUT)"}
	}
	return []explanation{
		// GDAL has logged its own error before
		{regexp.MustCompile("filters.superpoint: (spatial reference: .*)"), "$1"},
		{regexp.MustCompile("Can't convert field '(.*)' " + NotANumber + " (\\d+)"),
			"line $2: '$1' is not a number; correct or remove the line"},
		{
			regexp.MustCompile("Can't create dimension with invalid name '(.*?)'"),
			"its extra bytes have the name '$1', which PDAL before 2.3 cannot read; use a newer PDAL, or " +
				"rename them in a copy to letters, digits and _ and the same number of bytes: LC_ALL=C sed " +
				"'s/$1/NEW_NAME/' IN > OUT",
		},
		{regexp.MustCompile(NoPositions + "|Invalid character '.*' in dimension name"),
			"it has no dimensions X and Y; in " +
				"a text file the first line names the columns, for example X,Y,Z"},
		{regexp.MustCompile(`(?i)Unable to convert scaled value \(-?(nan|inf)`),
			"it has points without finite coordinates, which LAS cannot hold; leave them out with pdal " +
				"superpoint segment --where \"X > -1e30\""},
		{regexp.MustCompile(`Unable to convert scaled value .* for dimension '(\w)'`),
			"its points are too far from one another in $1 for LAS; remove those far away, with pdal " +
				"translate IN OUT range --filters.range.limits='$1[LEAST:MOST]'"},
		{regexp.MustCompile(`Unable to fetch data and convert as requested: (\w+):\w+\((.*?)\) -> `),
			"$1 has the value $2, " +
				"which its type cannot hold; scale it, for example by filters.assign (value \"$1 = $1 / " +
				"256\"), or rename it"},
		{regexp.MustCompile("(?i)Binary compressed PCD is not supported"),
			"PDAL does not read compressed PCD; write it binary " +
				"or as text, for example by pcl_convert_pcd_ascii_binary IN OUT 1"},
		{regexp.MustCompile("signature is not 'LASF'|read LAS header"), "it is no LAS or LAZ file, " +
			"whatever its name; copy or download it again"},
		{regexp.MustCompile(`reading point (\d+) of (\d+) total points`),
			"the file is damaged: point $1 of $2 cannot be " +
				"read; copy or download it again"},
		{regexp.MustCompile("^signal: (segmentation fault|aborted)"),
			"PDAL crashed ($1), and the file is probably " +
				"damaged; copy or download it again"}, // LAZ in PDAL 2.10
		{regexp.MustCompile("Unable to open stream for '.*' with error '(.*)'"),
			"$1; check its name and permissions"},
		{regexp.MustCompile(`Couldn't create \w+ stage of type '([\w.]+)'`),
			"this PDAL has no $1: install the plugin of that name (pdal --drivers lists those there are), " +
				"or convert the file to LAZ"},
		{regexp.MustCompile(`readers\.e57: (.*)|E57 exception.*|not contain valid 3D data`),
			"it is no E57 file, or it is damaged (${0}); copy or download it again"},
		{regexp.MustCompile("Cannot determine reader"),
			"PDAL knows no reader for this name; name a point cloud, for example .las, .laz or .ply (pdal " +
				"--drivers lists all readers); the name of a text file ends in .txt, .csv, .xyz or .asc, " +
				"and its first line is such as X Y Z; models are named with --model, classifiers with " +
				"--classifier"},
		{regexp.MustCompile(
			"(?i)failed to reproject|reprojection failed|failed to transform|cannot transform"),
			"GDAL cannot transform its coordinates to the spatial reference of the points: they are " +
				"outside of the domain of one of the references; check the file's reference " +
				"(ogrinfo -so -al), and assign another: ogr2ogr -a_srs EPSG:CODE copy.gpkg FILE"},
		{regexp.MustCompile("failed to prepare SQL|sqlite3_exec|database or disk is full|disk I/O error|" +
			"Unexpected I/O failure|Failure seeking|prematurely"),
			"GDAL cannot write all of it; is the disk full?"},
		{regexp.MustCompile("(?i)LASwritePoint failed"), "LASzip cannot write all of it; is the disk full?"},
		{regexp.MustCompile("GDAL cannot (write|read) the spatial reference: (.*)"),
			"GDAL cannot $1 the spatial reference of the points: $2; give one that it knows with " +
				"--override_srs, such as EPSG:32632"},
		{regexp.MustCompile("Could not import coordinate system '(.*?)'"),
			"the spatial reference '$1' is unknown; " +
				"give one such as EPSG:32632"},
		{regexp.MustCompile(`Invalid 'where': (.*?)\.?$`),
			"option where: $1; pdal superpoint info lists the " +
				"dimensions of a file"},
		{regexp.MustCompile(`Invalid value '(.*)' for argument 'where'`),
			"option where: '$1' is not an expression of PDAL; write " +
				"it like Classification == 2 && Z > 0.5"},
		{regexp.MustCompile(`Invalid value for argument 'where': (.*?)\.?$`), // PDAL 2.10
			"option where: it is not an expression of PDAL: $1; write it like Classification == 2 && Z > " +
				"0.5"},
		{regexp.MustCompile("GDAL cannot read its input"), "GDAL cannot read it; name a table (.csv) or a " +
			"vector layer such as .gpkg or .geojson"},
		waves("4", "1"), waves("5", "3"), waves("9", "6"), waves("10", "8"),
		{regexp.MustCompile(`Unsupported LAS input point format: (\d+)`),
			"its header is damaged: LAS has no point format $1; copy or download it again"},
	}
}

// File adds the path to an error, unless the error begins with it.
func File(path string, err error) error {
	if strings.HasPrefix(err.Error(), path+": ") {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Explain returns what a message of PDAL means, with a remedy; "" for other messages.
func Explain(text string) string {
	for _, e := range explanations() {
		if m := e.of.FindStringSubmatchIndex(text); m != nil {
			return string(e.of.ExpandString(nil, e.text, text, m))
		}
	}
	return ""
}
