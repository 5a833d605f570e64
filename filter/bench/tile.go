package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tile is a cloud as uncompressed LAS, so that little time goes to reading.
type tile struct {
	name, path string
	points     int
}

// tiles returns the given files, or simulated villages of the given sizes. What
// was made once is kept.
func (s *settings) tiles(files []string) ([]tile, error) {
	var all []tile
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t := tile{name: name, path: filepath.Join(s.folder, name+".las")}
		if err := loud(exec.Command(s.pdal, "translate", file, t.path, "--writers.las.forward=all",
			"--writers.las.minor_version=4")); err != nil {
			return nil, err
		}
		var err error
		if t.points, err = s.count(t.path); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if len(files) > 0 {
		return all, nil
	}
	for _, size := range s.sizes {
		name := fmt.Sprintf("village_%gM", float64(size)/1e6)
		t := tile{name: name, path: filepath.Join(s.folder, name+".las"), points: size}
		if n, err := s.count(t.path); err != nil || n != size {
			if err := loud(exec.Command("go", "run", "./testdata/scanner", "-scene", "village", "-mode", "aerial",
				"-points", fmt.Sprint(size), "-seed", "1", "-o", t.path)); err != nil {
				return nil, err
			}
		}
		all = append(all, t)
	}
	return all, nil
}

// count asks pdal for the number of points in a file's header.
func (s *settings) count(path string) (int, error) {
	out, err := exec.Command(s.pdal, "info", "--summary", path).Output()
	if err != nil {
		return 0, fmt.Errorf("pdal info %s: %w", path, err)
	}
	var info struct {
		Summary struct {
			Points int `json:"num_points"`
		} `json:"summary"`
	}
	return info.Summary.Points, json.Unmarshal(out, &info)
}

// loud runs a command whose output the user sees.
func loud(c *exec.Cmd) error {
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	return nil
}
