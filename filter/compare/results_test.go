package compare

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// page reads a page of this repository.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// cellRow is a row of a table of cells: lead, data set, size, measure.
var cellRow = regexp.MustCompile(`(?m)^\| ([+-]\d\.\d{3}) \| (\S+) \| (\d+) \| (OOA|F) \|`)

// TestResultsAreOfTheirCells: the first table of RESULTS.md is what its tables of
// cells say, cell by cell.
func TestResultsAreOfTheirCells(t *testing.T) {
	text := page(t, "RESULTS.md")
	for _, set := range []string{"test", "simulated", "val"} {
		_, part, found := strings.Cut(text, "\n## Every cell: "+set+",")
		if !found {
			t.Fatalf("no cells of %s", set)
		}
		part, _, _ = strings.Cut(part, "\n## ")
		won, of := map[string]int{}, map[string]int{}
		last := -1.0
		for _, row := range cellRow.FindAllStringSubmatch(part, -1) {
			lead, _ := strconv.ParseFloat(row[1], 64)
			if lead < last {
				t.Errorf("%s: %s stands after %g", set, row[0], last)
			}
			last = lead
			of[row[4]]++
			if row[1][0] == '+' {
				won[row[4]]++
			}
		}
		want := fmt.Sprintf("\n| %s | %d of %d | %d of %d | %d of %d |", set, won["OOA"]+won["F"], of["OOA"]+of["F"],
			won["OOA"], of["OOA"], won["F"], of["F"])
		if of["OOA"] == 0 || !strings.Contains(text, want) {
			t.Errorf("the cells of %s say%s", set, want)
		}
	}
}

// TestPagesHaveTheResults: what other pages say of the cells is what RESULTS.md
// says.
func TestPagesHaveTheResults(t *testing.T) {
	results := page(t, "RESULTS.md")
	readme := page(t, "../../README.md")
	for _, set := range []string{"test", "simulated", "val"} {
		row := regexp.MustCompile(`(?m)^\| ` + set + ` \| \d.*$`).FindString(results)
		if row == "" || !strings.Contains(readme, "\n"+row+"\n") {
			t.Errorf("README.md lacks the row of RESULTS.md: %s", row)
		}
		cells := strings.Split(row, " | ")[1]
		said := regexp.MustCompile(`(\d+ of \d+) cells of ` + set)
		for _, name := range []string{"../../pipelines/choosing.md", "../../README.md", "../../embed/models/README.md"} {
			for _, m := range said.FindAllStringSubmatch(page(t, name), -1) {
				if m[1] != cells {
					t.Errorf("%s says %s; RESULTS.md has %s", name, m[0], cells)
				}
			}
		}
	}
}
