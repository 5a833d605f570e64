// Command bench measures filters.superpoint through pdal, and beside it, in the
// same run, the filters an analyst would use instead.
//
//	make bench                       # simulated tiles of 0.2, 1, 10 and 30 million points
//	make bench SIZES=0.2,1           # the short one
//	make bench INPUT="a.laz b.laz"   # tiles of yours
//
// Times are of the filter alone: ours from its metadata, others as a pipeline
// less the same pipeline without them. Memory is the peak of the process above
// that of a pipeline that only reads, less the columns the filter adds to PDAL's
// table. A CSV file keeps the last result of every row.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	if err := bench(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(args []string) error {
	var s settings
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&s.pdal, "pdal", "build/pdal", "launcher of pdal with the plugin")
	flags.StringVar(&s.folder, "folder", filepath.Join("build", "bench"), "folder for tiles")
	flags.StringVar(&s.results, "results", "", "CSV file that keeps the last result of every row")
	sizes := flags.String("sizes", "0.2,1,10,30", "millions of points of simulated tiles")
	rivals := flags.Float64("rivals", 1, "PDAL's filters are measured on tiles of at most so many millions of points")
	flags.IntVar(&s.repeat, "repeat", 3, "runs of each on tiles of up to 2 million points; the fastest counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s.rivals = int(*rivals * 1e6)
	for text := range strings.SplitSeq(*sizes, ",") {
		size, err := strconv.ParseFloat(text, 64)
		if err != nil || size <= 0 || size > 1000 {
			return fmt.Errorf("option sizes: %q is not a number of millions of points", text)
		}
		s.sizes = append(s.sizes, int(size*1e6))
	}
	if s.repeat < 1 {
		return fmt.Errorf("option repeat: %d; give 1 or more", s.repeat)
	}
	if _, err := exec.LookPath(s.pdal); err != nil {
		return fmt.Errorf("option pdal: %w; run make first", err)
	}
	if err := os.MkdirAll(s.folder, 0o755); err != nil {
		return err
	}
	tiles, err := s.tiles(flags.Args())
	if err != nil {
		return err
	}
	var all []result
	for _, tile := range tiles {
		found, err := s.measure(tile)
		if err != nil {
			return fmt.Errorf("%s: %w", tile.name, err)
		}
		all = append(all, found...)
	}
	fmt.Println()
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	printSteps(table, all)
	printRatios(table, all)
	if err := table.Flush(); err != nil {
		return err
	}
	if s.results == "" {
		return nil
	}
	return writeResults(s.results, all)
}

// measure runs everything on one tile.
func (s *settings) measure(t tile) ([]result, error) {
	repeat := 1
	if t.points <= small {
		repeat = s.repeat
	}
	runs := []contender{ours("superpoint", 2, nil), ours("superpoint", 1, nil)}
	if t.points <= s.rivals {
		runs = append(runs, s.pdalRivals(t)...)
	}
	if t.points <= max(s.rivals, large) {
		vccs, seed, err := s.ownVCCS(t)
		if err != nil {
			return nil, err
		}
		runs = append(runs, vccs)
		runs = append(runs, s.pcl(seed)...)
	}
	best := make([]result, len(runs))
	for range repeat {
		base, err := s.pipeline(t)
		if err != nil {
			return nil, err
		}
		for i, c := range runs {
			r, err := c.run(s, t, base)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			r.tile, r.name, r.threads, r.points = t.name, c.name, c.threads, t.points
			if best[i].seconds == 0 || r.seconds < best[i].seconds {
				r.bytes = max(r.bytes, best[i].bytes)
				best[i] = r
			}
			fmt.Fprintf(os.Stderr, "%s, %s, %d threads: %.2f s, %.0f points/s\n", t.name, c.name, c.threads, r.seconds, r.rate())
		}
	}
	if a, b := best[0], best[1]; a.superpoints != b.superpoints || a.energy != b.energy {
		return nil, fmt.Errorf("2 threads gave %d superpoints of energy %v, 1 thread %d of %v", a.superpoints, a.energy,
			b.superpoints, b.energy)
	}
	return best, nil
}
