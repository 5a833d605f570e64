package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"superpoint/filter"
)

// result is a row: one system on one tile.
type result struct {
	tile, name      string
	points, threads int
	seconds         float64
	bytes           float64            // a point, beyond PDAL's table; 0 = not measured
	steps           map[string]float64 // seconds of our steps
	superpoints     int
	energy          float64
}

func (r *result) rate() float64 { return float64(r.points) / r.seconds }

// key is what a row is of.
func (r *result) key() [3]string { return [3]string{r.tile, r.name, strconv.Itoa(r.threads)} }

// steps are those of the filter, in the order of the file.
var steps = []string{"neighbors", "graph", "embedding", "partition", "output"}

// Columns of the CSV file before those of the steps.
var columns = []string{"date", "version", "machine", "tile", "points", "what", "threads", "seconds",
	"points_per_second", "bytes_per_point", "superpoints"}

// readRows returns the rows of a file, by what they are of; none if it has no name.
func readRows(path string) (map[[3]string][]string, error) {
	rows := map[[3]string][]string{}
	if path == "" {
		return rows, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := csv.NewReader(file).ReadAll()
	if err != nil || len(all) == 0 {
		return nil, fmt.Errorf("%s: no table of %s (%v)", path, strings.Join(columns, ","), err)
	}
	for _, row := range all[1:] {
		rows[[3]string{row[3], row[5], row[6]}] = row
	}
	return rows, nil
}

// writeRows puts a line a result in place of that of the same tile, system and number
// of threads.
func writeRows(path string, rows map[[3]string][]string, all []result) error {
	for _, r := range all {
		row := []string{time.Now().UTC().Format(time.DateOnly), filter.Version, machine(), r.tile, fmt.Sprint(r.points),
			r.name, fmt.Sprint(r.threads), fmt.Sprintf("%.3f", r.seconds), fmt.Sprintf("%.0f", r.rate()),
			fmt.Sprintf("%.0f", r.bytes), fmt.Sprint(r.superpoints)}
		for _, name := range steps {
			row = append(row, fmt.Sprintf("%.3f", r.steps[name]))
		}
		rows[r.key()] = row
	}
	lines := make([][]string, 0, len(rows))
	for _, row := range rows {
		lines = append(lines, row)
	}
	slices.SortFunc(lines, func(a, b []string) int { return slices.Compare(a[3:7], b[3:7]) })
	var b strings.Builder
	head := append(slices.Clone(columns), steps...)
	if err := csv.NewWriter(&b).WriteAll(append([][]string{head}, lines...)); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// printTable prints the rows, and how many times as fast as VCCS each is: as PCL's, on
// one thread, or ours where PCL is missing; now and in the last release.
func printTable(w io.Writer, all []result, before map[[3]string][]string) {
	table := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight|tabwriter.Debug)
	fmt.Fprintf(table, "tile\tsystem\tthreads\t%s, µs/point\ttotal\tpoints/s\tbytes/point\tsuperpoints\ttimes VCCS\t"+
		"last release\t\n", strings.Join(steps, "\t"))
	for _, r := range all {
		fmt.Fprintf(table, "%s\t%s\t%d\t", r.tile, r.name, r.threads)
		micro := func(seconds float64) string { return fmt.Sprintf("%.2f", 1e6*seconds/float64(r.points)) }
		for _, name := range steps {
			if r.steps == nil {
				fmt.Fprint(table, "\t")
			} else {
				fmt.Fprintf(table, "%s\t", micro(r.steps[name]))
			}
		}
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%d\t%s\t%s\t\n", micro(r.seconds), r.rate(), r.bytes, r.superpoints,
			timesVCCS(&r, func(k [3]string) float64 {
				at := slices.IndexFunc(all, func(o result) bool { return o.key() == k })
				if at < 0 {
					return 0
				}
				return all[at].rate()
			}),
			timesVCCS(&r, func(k [3]string) float64 {
				if row := before[k]; row != nil {
					rate, _ := strconv.ParseFloat(row[8], 64)
					return rate
				}
				return 0
			}))
	}
	table.Flush()
}

// timesVCCS returns a row's speed by that of VCCS on one thread, among rows by their
// keys; nothing if one of them is missing.
func timesVCCS(r *result, rate func(key [3]string) float64) string {
	own, name := rate(r.key()), "PCL's"
	by := rate([3]string{r.tile, vccsOfPCL, "1"})
	if by == 0 {
		by, name = rate([3]string{r.tile, "superpoint, method vccs", "1"}), "ours"
	}
	if own == 0 || by == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f %s", own/by, name)
}

// machine names the processor and counts its cores.
func machine() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.SplitSeq(string(text), "\n") {
			if _, model, found := strings.Cut(line, ": "); found && strings.HasPrefix(line, "model name") {
				name = strings.TrimSpace(model)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores", name, runtime.NumCPU())
}
