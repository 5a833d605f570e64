// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestDecodesOfAMap: a map does not decode the tiles that it has just made, because the processes that made
// them wrote their columns, too. Tiles that are kept are decoded once. Both maps are the same, byte by byte.
func TestDecodesOfAMap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		file    func(t *testing.T, folder string) string
		options []string
	}{
		{"LAZ of format 6", func(t *testing.T, folder string) string {
			return cloudFile(t, folder, "in.laz", 4, 6)
		}, nil},
		{"LAS 1.2 of format 1", func(t *testing.T, folder string) string {
			return cloudFile(t, folder, "in.las", 2, 1)
		}, nil},
		{"LAZ of format 3", func(t *testing.T, folder string) string {
			return cloudFile(t, folder, "in.laz", 2, 3)
		}, []string{"--class_change", "all"}},
		{"classes that PDAL 2.2 refuses to pack", func(t *testing.T, folder string) string {
			return cloudFile(t, folder, "in.laz", 4, 6)
		}, []string{"--class_change", "all", "--class_codes", "ground=66,building=67"}},
		{"text", func(t *testing.T, folder string) string {
			_, p := houseFile(t, 500000, 5400000, 1)
			path := filepath.Join(folder, "in.txt")
			pipeline(t, nil, reader(houseOf(t, p)), stage{"type": "writers.text", "filename": path,
				"order": "X,Y,Z", "keep_unspecified": "false", "quote_header": "false",
				"precision": "3"}).ok(t)
			return path
		}, []string{"--default_srs", "EPSG:32632"}},
		{"no spatial reference", func(t *testing.T, folder string) string {
			_, p := houseFile(t, 500000, 5400000, 1)
			return houseOf(t, p)
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			in, out := c.file(t, folder), filepath.Join(folder, "map")
			arguments := append(append([]string{"--debug", "superpoint", "map"}, c.options...), in, out)
			first := pdal(t, nil, arguments...).ok(t)
			must.Equal(t, decodes(first), 0, "decodes of a tile that was made in this run")
			before := filesOfMap(t, out)
			second := pdal(t, nil, arguments...).ok(t)
			must.Equal(t, decodes(second), 1, "decodes of a tile that was kept")
			for name, text := range filesOfMap(t, out) {
				must.Hold(t, bytes.Equal(text, before[name]), "%s differs with the columns of the tile", name)
			}
		})
	}
}

// houseOf writes points as LAS.
func houseOf(t *testing.T, p *las.Points) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "house.las")
	must.OK(t, las.WriteFile(path, p, 0.001))
	return path
}

// decodes counts the files whose points a command read, of its messages of level Debug.
func decodes(o outcome) int { return strings.Count(o.stderr, ") reading the points of ") }

// timestamps are those that GDAL writes into GeoPackages.
var timestamps = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)

// filesOfMap returns the files of a map, without its points and times.
func filesOfMap(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, entry := range must.Get(os.ReadDir(folder))(t) {
		if entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		text := must.Get(os.ReadFile(filepath.Join(folder, entry.Name())))(t)
		all[entry.Name()] = timestamps.ReplaceAll(text, nil)
	}
	return all
}
