package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/whole"
)

// The sets of files, in the order of the tables.
var sets = []string{"val", "test"}

// The names of methods and measures.
const (
	own      = "superpoints"
	rival    = "forest"
	byTool   = "chosen by the tool"
	byChance = "chosen by chance"

	accuracy = "accuracy"
	meanIoU  = "mIoU"
	iouOf    = "IoU "
	labelled = "accuracy with labels "
	allOf    = "all"
)

// tables returns what stands between the marks of the page, by their names.
func (c cells) tables() map[string]string {
	return map[string]string{"compared": c.compared(), "mean": c.means(), "ground": c.ground(), "labels": c.labels()}
}

// page returns the text with its tables made anew: all between <!-- cells NAME --> and
// <!-- end -->.
func (c cells) page(text string) (string, error) {
	tables := c.tables()
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		before, rest, found := strings.Cut(text, "<!-- cells "+name+" -->\n")
		_, after, ended := strings.Cut(rest, "<!-- end -->")
		if !found || !ended {
			return "", fmt.Errorf("the page has no <!-- cells %s --> with <!-- end --> behind it", name)
		}
		text = before + "<!-- cells " + name + " -->\n\n" + tables[name] + "\n<!-- end -->" + after
	}
	return text, nil
}

// update makes a page anew, by what makes its text of the old one.
func update(path string, make func(text string) (string, error)) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := make(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return whole.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, changed)
		return err
	})
}

// files lists the files of a set on which a method has a measure.
func (c cells) files(set, method, measure string) (names []string) {
	for _, k := range c.sorted() {
		if k.set == set && k.method == method && k.measure == measure {
			names = append(names, k.file)
		}
	}
	return names
}

// compared are the files that the forest was measured on, too.
func (c cells) compared() string {
	var t strings.Builder
	t.WriteString("| file | method | accuracy | mIoU | above the forest | IoU |\n|---|---|---|---|---|---|\n")
	for _, set := range sets {
		for _, file := range c.files(set, rival, meanIoU) {
			for _, method := range []string{own, rival} {
				above := ""
				if method == own {
					above = fmt.Sprintf("%+.3f", c.lead(set, file))
				}
				fmt.Fprintf(&t, "| %s: %s | %s | %.3f | %.3f | %s | %s |\n", set, file, method,
					c[key{set, file, method, accuracy}], c[key{set, file, method, meanIoU}], above, c.classes(set, file, method))
			}
		}
	}
	return t.String()
}

// lead is by how much mIoU is above the forest's.
func (c cells) lead(set, file string) float64 {
	return c[key{set, file, own, meanIoU}] - c[key{set, file, rival, meanIoU}]
}

// classes lists the IoU of each class of a file.
func (c cells) classes(set, file, method string) string {
	var parts []string
	for _, k := range c.sorted() {
		if name, of := strings.CutPrefix(k.measure, iouOf); of && k.set == set && k.file == file && k.method == method {
			parts = append(parts, fmt.Sprintf("%s %.3f", name, c[k]))
		}
	}
	return strings.Join(parts, ", ")
}

// means are mIoU on every file of val, and the means.
func (c cells) means() string {
	var t strings.Builder
	files := c.files("val", own, meanIoU)
	fmt.Fprintf(&t, "| file of val | mIoU | IoU |\n|---|---|---|\n")
	mean, four := 0.0, 0.0
	compared := c.files("val", rival, meanIoU)
	for _, file := range files {
		v := c[key{"val", file, own, meanIoU}]
		mean += v / float64(len(files))
		if slices.Contains(compared, file) {
			four += v / float64(len(compared))
			continue
		}
		fmt.Fprintf(&t, "| %s | %.3f | %s |\n", file, v, c.classes("val", file, own))
	}
	fmt.Fprintf(&t, "| mean of the %d above | %.3f | |\n", len(compared), four)
	fmt.Fprintf(&t, "| mean of all %d | %.3f | |\n", len(files), mean)
	return t.String()
}

// ground is the IoU of ground alone, of methods that know nothing else, too.
func (c cells) ground() string {
	var t strings.Builder
	methods := []string{own, rival, "SMRF", "CSF"}
	fmt.Fprintf(&t, "| IoU of ground | %s |\n", strings.Join(methods, " | "))
	t.WriteString("|---|" + strings.Repeat("---|", len(methods)) + "\n")
	for _, set := range sets {
		for _, file := range c.files(set, "SMRF", iouOf+"ground") {
			fmt.Fprintf(&t, "| %s: %s |", set, file)
			for _, method := range methods {
				fmt.Fprintf(&t, " %.3f |", c[key{set, file, method, iouOf + "ground"}])
			}
			t.WriteByte('\n')
		}
	}
	return t.String()
}

// labels is accuracy over the number of labels.
func (c cells) labels() string {
	files := c.files("val", byTool, labelled+allOf)
	t := table{{"labels"}}
	for _, file := range files {
		t[0] = append(t[0], file+": tool", "chance", "share")
	}
	for _, n := range budgets {
		row := []string{strconv.Itoa(n)}
		for _, file := range files {
			at := func(method string) float64 { return c[key{"val", file, method, labelled + strconv.Itoa(n)}] }
			row = append(row, fmt.Sprintf("%.3f", at(byTool)), fmt.Sprintf("%.3f", at(byChance)),
				fmt.Sprintf("%.1f %%", 100*c.share(file, n)))
		}
		t = append(t, row)
	}
	row := []string{allOf}
	for _, file := range files {
		row = append(row, fmt.Sprintf("%.3f", c[key{"val", file, byTool, labelled + allOf}]), "", "")
	}
	return append(t, row).String()
}

// share is the tool's share of the accuracy with all labels, NaN where it was not measured.
func (c cells) share(file string, labels int) float64 {
	v, known := c[key{"val", file, byTool, labelled + strconv.Itoa(labels)}]
	if !known {
		return math.NaN()
	}
	return v / c[key{"val", file, byTool, labelled + allOf}]
}

// table is rows of a Markdown table, the heading first.
type table [][]string

func (t table) String() string {
	var b strings.Builder
	for i, row := range t {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return b.String()
}
