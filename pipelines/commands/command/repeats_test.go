// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/message"
	"superpoint/testdata/must"
)

// logging is a host with a log.
type logging struct {
	known
	warnings, details []string
}

func (l *logging) Log(level int, text string) {
	if level == message.Warning {
		l.warnings = append(l.warnings, text)
	} else {
		l.details = append(l.details, text)
	}
}

func (l *logging) Context() context.Context { return context.Background() }

// warning returns a command that logs warnings.
func warning(all []string) *Command {
	define := func(a *Arguments) func([]string) error {
		return func([]string) error {
			for _, text := range all {
				a.Host.Log(message.Warning, text)
			}
			return nil
		}
	}
	return &Command{Name: "x", Usage: "FILE\n\nText.", Define: define}
}

// TestWarningsOfManyFiles: a warning of many files is logged with the first and counted for the others, also
// if it has numbers that differ; those of one file, and of none, are logged.
func TestWarningsOfManyFiles(t *testing.T) {
	var hundred, counted []string
	for i := range 100 {
		hundred = append(hundred, fmt.Sprintf("%d.laz: odd", i))
		counted = append(counted, fmt.Sprintf("%d.laz: %d points are odd", i, 1000*i))
	}
	const others = "the same in 99 further files (1.laz, 2.laz, 3.laz, …): "
	for _, c := range []struct{ name, logged, want string }{ // lines are divided by |
		{"one file", "a.laz: odd", "a.laz: odd"},
		{"twice", "a.laz: odd|a.laz: odd", "a.laz: odd"},
		{"two of one file", "a.laz: odd|a.laz: even", "a.laz: odd|a.laz: even"},
		{"two lines of one file", "a.csv: line 1|a.csv: line 2", "a.csv: line 1|a.csv: line 2"},
		{"no file", "2 odd: a|3 odd: a", "2 odd: a|3 odd: a"},
		{"an option", "option a: odd|option b: odd", "option a: odd|option b: odd"},
		{"two files", "a.laz: odd|b.laz: odd", "a.laz: odd|the same in 1 further file (b.laz): odd"},
		{"two kinds", "a.laz: odd|b.laz: even|b.laz: odd",
			"a.laz: odd|b.laz: even|the same in 1 further file (b.laz): odd"},
		{"systems of a comparison", "a.laz, ssp: odd|a.laz, vccs: odd|b.laz, ssp: odd|b.laz, vccs: odd",
			"a.laz, ssp: odd|a.laz, vccs: odd|the same in 1 further file (b.laz): odd"},
		{"a hundred", strings.Join(hundred, "|"), "0.laz: odd|" + others + "odd"},
		{"a hundred with counts", strings.Join(counted, "|"),
			"0.laz: 0 points are odd|" + others + "0 points are odd"},
	} {
		l := &logging{}
		must.OK(t, warning(strings.Split(c.logged, "|")).Run(l, nil))
		must.Equal(t, strings.Join(l.warnings, "|"), c.want, "%s", c.name)
	}
}

// TestRepeatedWarningsOfLevelDebug: the warnings that are only counted are messages of level debug.
func TestRepeatedWarningsOfLevelDebug(t *testing.T) {
	l := &logging{}
	must.OK(t, warning([]string{"a.laz: odd", "b.laz: odd", "c.laz: odd"}).Run(l, nil))
	must.Hold(t, slices.Equal(l.details, []string{"b.laz: odd", "c.laz: odd"}), "got %q", l.details)
}
