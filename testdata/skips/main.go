// Command skips runs go test as it is, and says at the end what was skipped and why,
// which go test does not print without -v:
//
//	go run ./testdata/skips ./filter ./embed
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// event is a line of go test -json.
type event struct{ Action, Package, Test, Output string }

func main() {
	c := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	c.Stderr = os.Stderr
	events, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "skips:", err)
		os.Exit(1)
	}
	report(events, os.Stdout)
	if err := c.Wait(); err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			fmt.Fprintln(os.Stderr, "skips:", err)
		}
		os.Exit(1)
	}
}

// report prints the lines of packages, the output of what failed, and one line with the
// tests that were skipped, by reasons.
func report(events io.Reader, w io.Writer) {
	said := map[string][]string{} // by package and test, until it ends
	reasons := map[string][]string{}
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(w, lines.Text())
			continue
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			if e.Test == "" && e.Output != "PASS\n" {
				fmt.Fprint(w, e.Output)
			} else if e.Test != "" {
				said[key] = append(said[key], e.Output)
			}
		case "fail":
			fmt.Fprint(w, strings.Join(said[key], ""))
			delete(said, key)
		case "skip":
			if e.Test != "" {
				why := reason(said[key])
				reasons[why] = append(reasons[why], e.Test)
			}
			delete(said, key)
		case "pass":
			delete(said, key)
		}
	}
	var list []string
	count := 0
	for why, tests := range reasons {
		count += len(tests)
		list = append(list, fmt.Sprintf("%d: %s (%s)", len(tests), why, tests[0]))
	}
	slices.Sort(list)
	fmt.Fprintf(w, "%d tests skipped. %s\n", count, strings.Join(list, "; "))
}

// reason is what a test said when it was skipped.
func reason(output []string) string {
	for _, line := range slices.Backward(output) {
		if _, why, found := strings.Cut(line, ".go:"); found {
			_, why, _ = strings.Cut(why, ": ")
			return strings.TrimSpace(why)
		}
	}
	return "no reason given"
}
