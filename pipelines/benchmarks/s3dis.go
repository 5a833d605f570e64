package benchmarks

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/filter/host"
)

// classNames are those of S3DIS, by their codes less 1.
func classNames() []string {
	return []string{"ceiling", "floor", "wall", "column", "beam", "window", "door", "table", "chair", "bookcase", "sofa",
		"board", "clutter"}
}

// readS3DIS reads the objects of a room.
func readS3DIS(folder string) (*host.Columns, error) {
	files, err := filepath.Glob(filepath.Join(quoted(folder), "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no objects; S3DIS has files such as chair_1.txt there", folder)
	}
	slices.Sort(files)
	c := newCloud()
	for i, file := range files {
		kind, _, _ := strings.Cut(filepath.Base(file), "_")
		class := slices.Index(classNames(), strings.TrimSuffix(kind, ".txt")) + 1 // stairs and what else there is: 0
		if err := readObject(c, file, float64(class)); err != nil {
			return nil, err
		}
		for len(c.Dimensions[numbered]) < len(c.X) {
			c.Dimensions[numbered] = append(c.Dimensions[numbered], float64(i+1))
		}
	}
	c.Available = append(c.Available, numbered)
	return c, nil
}

// quoted is a path in which no sign is one of a pattern's.
func quoted(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// readObject adds the points of one file.
func readObject(c *host.Columns, path string, class float64) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		p, err := point(fields)
		if err != nil {
			return fmt.Errorf("%s, line %d: %w; correct the file, Area_5/hallway_6 of S3DIS is known for a stray sign", path,
				n, err)
		}
		add(c, p, class)
	}
	return lines.Err()
}

func point(fields []string) (p *[6]float64, err error) {
	p = new([6]float64)
	if len(fields) != len(p) {
		return nil, fmt.Errorf("%d numbers, want x y z r g b", len(fields))
	}
	for i, text := range fields {
		if p[i], err = strconv.ParseFloat(text, 64); err != nil {
			return nil, err
		}
	}
	return p, nil
}
