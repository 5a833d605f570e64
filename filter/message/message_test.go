// SPDX-License-Identifier: BSD-3-Clause

package message_test

import (
	"testing"

	"superpoint/filter/message"
	"superpoint/testdata/must"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 points", 1: "1 point", 2: "2 points",
		1234567: "1,234,567 points"} {
		must.Equal(t, message.Count(n, "point"), want, "%d points", n)
	}
	must.Equal(t, message.Count(2, "class"), "2 classes", "two classes")
}

// TestPlace: large coordinates have no exponent, and rounded ones no further digits.
func TestPlace(t *testing.T) {
	for want, at := range map[string][3]float64{
		"(6000001.53, 2000000, -12.7)":  {6000001.53, 2000000, -12.7},
		"(770500.46, 6277499.99, 21.1)": {770500.46000000002, 6277499.99, 21.1},
		"(0, 5, 123456789)":             {-0.001, 5.00000001, 123456789},
	} {
		must.Equal(t, message.Place(at), want, "place")
	}
}

// TestLogOf: the texts of a file begin with its name.
func TestLogOf(t *testing.T) {
	var got string
	log := message.Log(func(level int, text string) { got = text })
	log.Of("a.laz").Warn("odd")
	must.Equal(t, got, "a.laz: odd", "text")
}

// TestExplain: an error of GDAL gets the remedy of its cause; a failed transformation is no full disk.
func TestExplain(t *testing.T) {
	const ended = "Terminating translation prematurely after failed translation of layer area (use " +
		"-skipfailures to skip errors)"
	for _, c := range []struct{ name, text, words string }{
		{"no transformation",
			"GDAL cannot write it: Failed to reproject feature 0 (geometry probably out of source or " +
				"destination SRS). " + ended, "outside of the domain"},
		{"part of a transformation",
			"Full reprojection failed, but partial is possible if you define OGR_ENABLE_PARTIAL_" +
				"REPROJECTION configuration option to TRUE. " + ended, "outside of the domain"},
		{"latitude beyond the pole",
			"GDAL cannot write it: PROJ: utm: Invalid latitude; Failed to reproject feature 0; " + ended,
			"outside of the domain"},
		{"full disk", "failed to prepare SQL: database or disk is full", "is the disk full?"},
		{"full disk, translation ended", ended, "is the disk full?"},
		{"no vectors", "GDAL cannot read its input: not recognized", "name a table (.csv)"},
		{"reader without plugin",
			"pdal info: Couldn't create reader stage of type 'readers.e57'.\n" +
				"You probably have a version of PDAL that didn't come with a plugin",
			"this PDAL has no readers.e57"},
		{"E57 cut short",
			"pdal info: readers.e57: 29 : fileName=a.e57 header.filePhysicalLength=45056 file->length=22528",
			"it is no E57 file, or it is damaged (readers.e57: 29 : fileName=a.e57"},
		{"E57 with a wrong checksum, read as points", "pdal pipeline: E57 exception",
			"it is no E57 file, or it is damaged (E57 exception); copy or download it again"},
		{"E57 without scans", "pdal info: File does not contain valid 3D data", "it is no E57 file"},
		{"waveforms", "readers.las: Unsupported LAS input point format: 10.", "write them in format 8"},
		{"header cut short", "pdal info: readers.las: Unsupported LAS input point format: 63.",
			"its header is damaged: LAS has no point format 63; copy or download it again"},
		{"reference that a raster cannot hold",
			"GDAL cannot write the spatial reference: buildCS: unexpected AXIS count for LOCAL_CS",
			"unexpected AXIS count for LOCAL_CS; give one that it knows with --override_srs"},
		{"reference that GDAL cannot read", "GDAL cannot read the spatial reference: Corrupt data",
			"GDAL cannot read the spatial reference of the points: Corrupt data; give one that it knows"},
		{"another message", "something else", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := message.Explain(c.text)
			must.Say(t, got, c.words)
			if c.words == "" {
				must.Equal(t, got, "", "message")
			}
		})
	}
}
