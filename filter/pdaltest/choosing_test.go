package pdaltest

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/realdata"
)

func pageOf(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSizesOfStrengths: choosing.md's table of λ̃ has the sizes that the default model
// gives by today's stage.
func TestSizesOfStrengths(t *testing.T) {
	folder, err := realdata.Folder()
	if err != nil {
		t.Skip(err)
	}
	page := pageOf(t, "pipelines", "choosing.md")
	for _, c := range []struct{ name, file string }{
		{"LiDAR HD tile", "lidarhd_77055_627760.laz"}, {"Delft", "ahn_rgb_delft_small.laz"},
	} {
		row := "| points a superpoint, " + c.name + " |"
		for _, strength := range []float64{1, 4, 10, 60} {
			o := pipeline(t, nil, filepath.Join(folder, "val", c.file), stage{"type": "filters.superpoint",
				"regularization": strength}, stage{"type": "writers.null"}).ok(t)
			row += fmt.Sprintf(" %.0f |", o.stage[0]["points"].(float64)/o.stage[0]["superpoints"].(float64))
		}
		if !strings.Contains(page, row) {
			t.Errorf("choosing.md has no row %s", row)
		}
	}
}

// inRange fails the test unless an energy, as a share of cut pursuit's, is in the
// range that choosing.md gives for the solver.
func inRange(t *testing.T, solver string, share float64) {
	t.Helper()
	row := regexp.MustCompile("\\| `" + solver + "` \\| (\\S+) to (\\S+) \\|").FindStringSubmatch(
		pageOf(t, "pipelines", "choosing.md"))
	if row == nil {
		t.Fatalf("choosing.md has no row of %s", solver)
	}
	if rounded := math.Round(100*share) / 100; rounded < number(row[1]) || rounded > number(row[2]) {
		t.Errorf("%s has %.2f of cut pursuit's energy; choosing.md says %s to %s", solver, share, row[1], row[2])
	}
}

// TestSpeedIsOfTheHistory: every row of the README's table of speed is one that
// `make bench` has written into its history.
func TestSpeedIsOfTheHistory(t *testing.T) {
	_, table, found := strings.Cut(pageOf(t, "README.md"), "\n| points | machine,")
	table, _, _ = strings.Cut(table, "\n\n")
	lines := strings.Split(table, "\n")
	if !found || len(lines) < 4 {
		t.Fatalf("no table of speed:\n%s", table)
	}
	history, err := csv.NewReader(bytes.NewReader([]byte(pageOf(t, "filter", "bench", "history.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[2:] {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		rate, bytes := number(cells[4]), number(cells[6])
		points := number(strings.Fields(cells[0])[0])
		if strings.HasSuffix(cells[0], "million") {
			points *= 1e6
		}
		known := false
		for _, h := range history[1:] {
			known = known || number(h[4]) == points && h[5] == "superpoint" && h[6] == "2" &&
				math.Abs(number(h[8])-rate) <= 500 && number(h[9]) == bytes
		}
		if !known {
			t.Errorf("no run of %v points in history.csv has %v points/s and %v bytes a point", points, rate, bytes)
		}
	}
}

// number reads 1,234.5; NaN if it is none.
func number(text string) float64 {
	x, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}
