// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"superpoint/pipelines/commands/command"

	"github.com/spf13/pflag"
)

// hostileNumbers are given to every option of every command.
func hostileNumbers() []string {
	return []string{"nan", "inf", "-inf", "1e308", "-1e308", "-1", "0", "1e-320", "99999999999999999999", "0x10", "1,5",
		"", "three"}
}

// TestEveryOptionOfEveryCommand sets each option of each command to malformed and extreme
// numbers. The command must return an error that names the option, or a result, within a
// time limit. Options of numbers reject values that are not finite or too large.
func TestEveryOptionOfEveryCommand(t *testing.T) {
	tried, refused := 0, 0
	t.Chdir(t.TempDir()) // some values are names of outputs
	for _, c := range list() {
		for _, f := range commandFlags(c) {
			for k, value := range hostileNumbers() {
				if !f.number && k%5 != 0 {
					continue // what takes no number sees some of them
				}
				err := withOption(t, c.Name, "--"+f.name+"="+value)
				tried++
				if err != nil {
					refused++
				}
				if f.number && slices.Contains([]string{"nan", "inf", "-inf", "1e308", "99999999999999999999", "three"}, value) &&
					(err == nil || !strings.Contains(err.Error(), f.name)) {
					t.Errorf("%s --%s=%s: %v", c.Name, f.name, value, err)
				}
				if err != nil && strings.Contains(err.Error(), "internal error") {
					t.Errorf("%s --%s=%s: %v", c.Name, f.name, value, err)
				}
			}
		}
	}
	t.Logf("%d values, %d refused", tried, refused)
	if tried < 1000 {
		t.Errorf("only %d values; are these all options?", tried)
	}
}

type commandFlag struct {
	name   string
	number bool
}

// commandFlags lists the options of a command.
func commandFlags(c command.Command) (all []commandFlag) {
	a := command.NewArguments(c.Name, nil)
	c.Define(a)
	a.VisitAll(func(f *pflag.Flag) {
		number := []string{"number", "integer", "float64", "int", "int64", "uint"} // of package cli, and of pflag
		all = append(all, commandFlag{f.Name, slices.Contains(number, f.Value.Type())})
	})
	return all
}

// TestNegativeNumbers: a negative number that pdal has divided is the same as behind an equals sign, of each option.
func TestNegativeNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	refused := 0
	for _, c := range list() {
		for _, f := range commandFlags(c) {
			if !f.number {
				continue
			}
			joined, divided := withOption(t, c.Name, "--"+f.name+"=-400"), withOption(t, c.Name, "--"+f.name, "-4", "-0", "-0")
			if refused++; joined == nil || divided == nil || joined.Error() != divided.Error() ||
				!strings.Contains(joined.Error(), "-400") {
				t.Errorf("%s --%s: %v; divided: %v", c.Name, f.name, joined, divided)
			}
		}
	}
	if refused < 40 {
		t.Errorf("only %d options; are these all?", refused)
	}
}

// withOption runs a command with one option on the four steps.
func withOption(t *testing.T, command string, option ...string) error {
	dir := t.TempDir()
	outputs := map[string]string{"render": "a.png", "outline": "a.geojson", "mesh": "a.stl", "table": "a.csv",
		"graph": "a.csv", "segment": "a.laz"}
	args := append(strings.Fields(command), option...)
	switch command {
	case "survey run":
		args = append(args, dir)
	case "compare":
		if !strings.HasPrefix(option[0], "--output") {
			args = append(args, "--output", dir)
		}
		args = append(args, "--systems", "vccs", "--targets", "100", "steps")
		args = append(args, option...) // again, as the last one counts
	case "survey plan":
		args = append(args, "--output", dir, filepath.Join(dir, "nothing.las"))
	case "info":
		args = append(args, filepath.Join(dir, "nothing.las"))
	default:
		args = append(args, "steps")
		if name := outputs[command]; name != "" {
			args = append(args, filepath.Join(dir, name))
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	err := Run(&stepsHost{t: t, ctx: ctx, points: 400}, args)
	if ctx.Err() != nil {
		t.Errorf("%q takes too long", args)
	}
	return err
}
