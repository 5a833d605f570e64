package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"superpoint/filter"
)

// stepNames are the steps of the filter in their order.
var stepNames = []string{"neighbors", "graph", "embedding", "partition", "output"}

// authors is the points/s of the paper's own code for the same work, embedding
// and ℓ0 cut pursuit on a CPU: 4,000 to 6,000 as measured on another machine.
const authors = 5000

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
			fmt.Fprintf(w, "| %s | the paper's code (measured elsewhere, not in this run) | 1 | %d | | %.0f × |\n", r.tile,
				authors, own.rate()/authors)
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

// appendHistory adds a line a result to a CSV file, with a header if it is new.
func appendHistory(path string, all []result) error {
	_, err := os.Stat(path)
	isNew := os.IsNotExist(err)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	w := csv.NewWriter(file)
	if isNew {
		_ = w.Write(append([]string{"date", "version", "machine", "tile", "points", "what", "threads", "seconds",
			"points_per_second", "bytes_per_point", "superpoints"}, stepNames...))
	}
	for _, r := range all {
		line := []string{time.Now().UTC().Format(time.DateOnly), filter.Version, machine(), r.tile, fmt.Sprint(r.points),
			r.name,
			fmt.Sprint(r.threads), fmt.Sprintf("%.3f", r.seconds), fmt.Sprintf("%.0f", r.rate()), fmt.Sprintf("%.0f",
				r.bytes), fmt.Sprint(r.superpoints)}
		for _, name := range stepNames {
			line = append(line, fmt.Sprintf("%.3f", r.steps[name]))
		}
		_ = w.Write(line)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		file.Close()
		return err
	}
	return file.Close()
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
