package command

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
	"superpoint/embed/whole"
)

// labelColumns are the names by which a table of labels has them, in the order in
// which they are looked for.
var labelColumns = []string{"label", "class"}

// readLabels reads a table or a vector layer of superpoints that somebody gave
// classes: a column id, and a column label (or class) with the code or the name of a
// class. Rows without a label count as not labelled.
func readLabels(host Host, path string, known []classes.Class) (label map[uint32]int, names map[int]string, err error) {
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		file, err := os.Open(path)
		if err != nil {
			return nil, nil, fmt.Errorf("option labels: %w", err)
		}
		defer file.Close()
		label, names, err = parseLabels(file, known)
		if err != nil {
			err = fmt.Errorf("option labels: %s: %w", path, err)
		}
		return label, names, err
	}
	c, ok := host.(Converter)
	if !ok {
		return nil, nil, fmt.Errorf("option labels: %s: only .csv can be read without the GDAL of PDAL", path)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, nil, fmt.Errorf("option labels: %w", err)
	}
	folder, done, err := whole.Workspace(os.TempDir())
	if err != nil {
		return nil, nil, err
	}
	defer done()
	table := filepath.Join(folder, "labels.csv")
	if err := c.Convert(path, table, "-f", "CSV", "-nlt", "NONE"); err != nil {
		return nil, nil, fmt.Errorf("option labels: %s: %w", path, err)
	}
	return readLabels(host, table, known)
}

// parseLabels reads the table.
func parseLabels(from io.Reader, known []classes.Class) (label map[uint32]int, names map[int]string, err error) {
	table := csv.NewReader(from)
	head, err := table.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("it is no table: %w", err)
	}
	for i := range head {
		head[i] = strings.ToLower(strings.Trim(head[i], "\ufeff "))
	}
	id, class := slices.Index(head, "id"), -1
	for _, name := range labelColumns {
		if class < 0 {
			class = slices.Index(head, name)
		}
	}
	if id < 0 || class < 0 {
		return nil, nil, fmt.Errorf("it has the columns %s; it needs id, and label or class", strings.Join(head, ", "))
	}
	label, names = map[uint32]int{}, map[int]string{}
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		text := strings.TrimSpace(row[class])
		if text == "" {
			continue
		}
		line, _ := table.FieldPos(0)
		at, err := strconv.ParseUint(strings.TrimSpace(row[id]), 10, 32)
		if err != nil || at == 0 {
			return nil, nil, fmt.Errorf("line %d: %q is no id of a superpoint", line, row[id])
		}
		code, err := classCode(text, known)
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", line, err)
		}
		if other, twice := label[uint32(at)]; twice && other != code {
			return nil, nil, fmt.Errorf("line %d: superpoint %d is %d here and %d before", line, at, code, other)
		}
		label[uint32(at)] = code
	}
	if len(label) == 0 {
		return nil, nil, errors.New("no superpoint has a label in it")
	}
	return label, names, nil
}

// classCode reads a class as its code or its name.
func classCode(text string, known []classes.Class) (int, error) {
	for _, c := range known {
		if strings.EqualFold(c.Name, text) {
			return c.Code, nil
		}
	}
	code, err := strconv.ParseFloat(text, 64) // vector formats may write 6.0
	if err != nil || code != float64(uint8(code)) {
		var names []string
		for _, c := range known {
			names = append(names, fmt.Sprintf("%s (%d)", c.Name, c.Code))
		}
		return 0, fmt.Errorf("%q is no class; give a code from 0 to 255, or one of %s", text, strings.Join(names, ", "))
	}
	return int(code), nil
}
