package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"superpoint/filter"
)

// stepNames are the steps of the filter in their order.
var stepNames = []string{"neighbors", "graph", "embedding", "partition", "output"}

// printSteps prints where the filter's time goes, as Markdown.
func printSteps(w io.Writer, all []result) {
	fmt.Fprintf(w, "| tile | threads | %s | total, s | points/s | bytes a point |\n",
		strings.Join(stepNames, ", s | ")+", s")
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(stepNames)+5))
	for _, r := range all {
		if r.name != "superpoint" {
			continue
		}
		fmt.Fprintf(w, "| %s | %d |", r.tile, r.threads)
		for _, name := range stepNames {
			fmt.Fprintf(w, " %.2f (%.0f %%) |", r.steps[name], 100*r.steps[name]/r.seconds)
		}
		fmt.Fprintf(w, " %.2f | %.0f | %.0f |\n", r.seconds, r.rate(), r.bytes)
	}
	fmt.Fprintln(w)
}

// printRatios prints our speed as a multiple of the others', as Markdown.
func printRatios(w io.Writer, all []result) {
	fmt.Fprint(w, "| tile | | threads | points/s | bytes a point | superpoint, 2 threads, is faster by "+
		"|\n|---|---|---|---|---|---|\n")
	var own result
	for _, r := range all {
		if r.name == "superpoint" && r.threads == 2 {
			own = r
			continue
		}
		memory := ""
		if r.bytes > 0 {
			memory = fmt.Sprintf("%.0f", r.bytes)
		}
		fmt.Fprintf(w, "| %s | %s | %d | %.0f | %s | %.2f × |\n", r.tile, r.name, r.threads, r.rate(), memory,
			own.rate()/r.rate())
	}
}

// writeResults puts a line a result into a CSV file, in place of that of the same tile,
// filter and number of threads.
func writeResults(path string, all []result) error {
	rows := [][]string{append([]string{"date", "version", "machine", "tile", "points", "what", "threads", "seconds",
		"points_per_second", "bytes_per_point", "superpoints"}, stepNames...)}
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if len(old) > 0 {
		if rows, err = csv.NewReader(bytes.NewReader(old)).ReadAll(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, r := range all {
		line := []string{time.Now().UTC().Format(time.DateOnly), filter.Version, machine(), r.tile, fmt.Sprint(r.points),
			r.name, fmt.Sprint(r.threads), fmt.Sprintf("%.3f", r.seconds), fmt.Sprintf("%.0f", r.rate()),
			fmt.Sprintf("%.0f", r.bytes), fmt.Sprint(r.superpoints)}
		for _, name := range stepNames {
			line = append(line, fmt.Sprintf("%.3f", r.steps[name]))
		}
		rows = append(slices.DeleteFunc(rows, func(o []string) bool {
			return o[3] == line[3] && o[5] == line[5] && o[6] == line[6]
		}), line)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
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
