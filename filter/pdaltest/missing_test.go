// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestMapOfBrokenTiles: map goes on without a tile that cannot be read, whether its header or its points are
// damaged, and says so by its exit code and in the report. With --strict it stops. A former map that has the
// tile stays.
func TestMapOfBrokenTiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	tile := func(name string, x float64) string {
		path := filepath.Join(folder, name)
		_, p := houseFile(t, x, 5400000, 1)
		must.OK(t, os.Rename(houseOf(t, p), path))
		return path
	}
	west, middle, east := tile("west.las", 500000), tile("middle.las", 500100), tile("east.las", 500200)
	out := filepath.Join(folder, "out")
	arguments := func(more ...string) []string {
		more = append(more, west, middle, east, out)
		return append([]string{"map", "--default_srs", "EPSG:32632"}, more...)
	}
	report := func() string { return string(must.Get(os.ReadFile(filepath.Join(out, "report.html")))(t)) }
	whole := must.Get(os.ReadFile(middle))(t)
	must.OK(t, os.WriteFile(middle, whole[:len(whole)-1000], 0o666))

	strict := try(t, arguments("--strict")...)
	must.Equal(t, strict.code, 1, "exit code with --strict")
	must.Say(t, strict.stderr, "middle.las")
	_, err := os.Stat(filepath.Join(out, "report.html"))
	must.Hold(t, os.IsNotExist(err), "--strict wrote a map: %v", err)

	without := try(t, arguments()...)
	must.Equal(t, without.code, 1, "exit code of a map without a tile")
	must.Say(t, without.stderr, "1 of 3 tiles missing in the map", "middle.las")
	must.Say(t, report(), "Map of 2 tiles", "2 of 3 tiles", "middle.las is missing")

	must.OK(t, os.WriteFile(middle, whole, 0o666))
	do(t, arguments()...)
	must.Say(t, report(), "Map of 3 tiles")
	names := strings.Contains(report(), "is missing")
	must.Hold(t, !names, "the report of all tiles says that one is missing")

	must.OK(t, os.WriteFile(middle, whole[:200], 0o666))
	stays := try(t, arguments()...)
	must.Equal(t, stays.code, 1, "exit code where the former map stays")
	must.Say(t, stays.stderr, "that map stays", "--partial")
	must.Say(t, report(), "Map of 3 tiles")

	partial := try(t, arguments("--partial")...)
	must.Equal(t, partial.code, 1, "exit code with --partial")
	must.Say(t, report(), "Map of 2 tiles", "middle.las is missing")
}
