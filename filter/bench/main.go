// Command bench prints one table: the time of every step of filters.superpoint on one
// and on two threads, beside ours and PCL's VCCS and Lin's supervoxels, all in one run.
//
//	make bench                       # simulated tiles of 0.2, 1, 10 and 30 million points
//	make bench SIZES=0.2,1           # the short one
//	make bench INPUT="a.laz b.laz"   # tiles of yours
//
// Times are of the filter alone: ours from its metadata, those of filters.supervoxel as
// a pipeline less the same pipeline without it. Memory is the peak of the process above
// that of a pipeline that only reads, less the columns the filter adds to PDAL's table.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	if err := bench(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are what the command line says.
type settings struct {
	pdal   string // launcher
	folder string // for tiles and programs
	repeat int    // runs of each, on tiles of at most small points; the fastest counts
}

// small and large are the numbers of points of a tile up to which runs are repeated,
// and up to which other systems are measured.
const (
	small = 2_000_000
	large = 12_000_000
)

func bench(args []string) error {
	var s settings
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&s.pdal, "pdal", "build/pdal", "launcher of pdal with the plugin")
	flags.StringVar(&s.folder, "folder", filepath.Join("build", "bench"), "folder for tiles")
	flags.IntVar(&s.repeat, "repeat", 3, "runs of each on tiles of up to 2 million points; the fastest counts")
	last := flags.String("last", "", "CSV file with the rows of the last release")
	record := flags.Bool("record", false, "put the rows of this run into that file")
	sizes := flags.String("sizes", "0.2,1,10,30", "millions of points of simulated tiles")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.repeat < 1 {
		return fmt.Errorf("option repeat: %d; give 1 or more", s.repeat)
	}
	if _, err := exec.LookPath(s.pdal); err != nil {
		return fmt.Errorf("option pdal: %w; run make first", err)
	}
	before, err := readRows(*last)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.folder, 0o755); err != nil {
		return err
	}
	tiles, err := s.tiles(flags.Args(), *sizes)
	if err != nil {
		return err
	}
	var all []result
	for _, t := range tiles {
		found, err := s.measure(t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		all = append(all, found...)
	}
	printTable(os.Stdout, all, before)
	if !*record {
		return nil
	}
	return writeRows(*last, before, all)
}

// tile is a cloud as uncompressed LAS, so that little time goes to reading.
type tile struct {
	name, path string
	points     int
}

// tiles returns the given files, or simulated villages of the given sizes. What
// was made once is kept.
func (s *settings) tiles(files []string, sizes string) ([]tile, error) {
	var all []tile
	add := func(name string, make ...string) error {
		t := tile{name: name, path: filepath.Join(s.folder, name+".las")}
		if _, err := os.Stat(t.path); err != nil || len(files) > 0 {
			if err := loud(exec.Command(make[0], append(make[1:], t.path)...)); err != nil {
				return err
			}
		}
		out, err := exec.Command(s.pdal, "info", "--summary", t.path).Output()
		if err != nil {
			return fmt.Errorf("pdal info %s: %w", t.path, err)
		}
		var info struct {
			Summary struct {
				Points int `json:"num_points"`
			} `json:"summary"`
		}
		err = json.Unmarshal(out, &info)
		t.points = info.Summary.Points
		all = append(all, t)
		return err
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if err := add(name, s.pdal, "translate", "--writers.las.forward=all", "--writers.las.minor_version=4",
			file); err != nil {
			return nil, err
		}
	}
	if len(files) > 0 {
		return all, nil
	}
	for text := range strings.SplitSeq(sizes, ",") {
		size, err := strconv.ParseFloat(text, 64)
		if err != nil || size <= 0 || size > 1000 {
			return nil, fmt.Errorf("option sizes: %q is not a number of millions of points", text)
		}
		if err := add(fmt.Sprintf("village_%gM", size), "go", "run", "./testdata/scanner", "-scene", "village",
			"-mode", "aerial", "-points", fmt.Sprint(int(size*1e6)), "-seed", "1", "-o"); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// loud runs a command whose output the user sees.
func loud(c *exec.Cmd) error {
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	return nil
}
